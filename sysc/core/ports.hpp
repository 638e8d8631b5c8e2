// What the switch keeps for each output and for each input.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sysc/core/deadlines.hpp"

namespace ocs::sysc {

using Port = std::uint16_t;

/// Codes of section 2 of docs/switch-contract.md.
enum class State : std::uint8_t { idle, tuning, locking, up, held, failed };
enum class Cause : std::uint8_t { none, stuck, light, misrouted };

/// One entry of a map.
struct MapEntry {
  bool valid = false;
  Port input = 0;  ///< 0 without a circuit; up to 511 in a map that isn't checked yet

  friend bool operator==(const MapEntry&, const MapEntry&) = default;
};
using Map = std::vector<MapEntry>;

/// Settings and faults of an output: its registers.
struct OutputSettings {
  std::uint32_t base = 0, slow = 0, lock = 0, jitter_mask = 0, flap = 0;
  bool stuck = false, keeps = false;
  std::uint16_t loss = 0;  ///< hundredths of a dB
};

struct Segment {
  Port input = 0;
  std::uint16_t tag = 0;
  std::uint32_t first = 0, count = 0;
};

struct Output {
  OutputSettings set;
  MapEntry selected;
  State state = State::idle;
  Cause cause = Cause::none;
  std::uint32_t random = 1;
  Cycle dark_since = 0;  ///< first cycle that `dark` doesn't hold; in dark states alone
  std::uint64_t passed = 0, lost = 0, misrouted = 0, dark = 0, tunings = 0, restarts = 0;
  std::uint32_t run_first = 0;  ///< the segment that grows: index of its first word,
  std::uint64_t run_count = 0;  ///< words that it has
  Segment segment;
  bool segment_full = false;
  bool disturbed = false;        ///< a start beside it shakes it in the present cycle
  bool dim = false;              ///< its light is missing, as the detector has seen it by the present cycle
  bool swung = false;            ///< the mirror that rings is away from its light in the present cycle
  std::uint8_t swings_left = 0;  ///< of the ringing, one under way included
  MapEntry position;             ///< what it selected when it last finished tuning and wasn't stuck
  bool changed = false;          ///< it entered a state; until this is cleared
};

/// Parameters of a burst, as registers and as copied at START.
struct Burst {
  std::uint32_t len = 0, gap = 0, repeat = 0;
  bool gated = false;
  std::uint16_t tag = 0;
};

enum class Phase : std::uint8_t { off, gap, send };

struct Engine {
  Burst set;                   ///< registers
  std::uint16_t rate = 40000;  ///< register
  bool external = false, los = false, launch = false;
  std::int16_t laser = 0;  ///< register: hundredths of a dBm
  Burst now;               ///< of the burst under way
  Phase phase = Phase::off;
  bool open = false;                 ///< the gate, by the states of the present cycle
  bool pin = false;                  ///< a word is on the pin in the present cycle
  bool start = false, stop = false;  ///< commands that are pending
  bool ended = false;                ///< a burst was done; until this is cleared
  Cycle settled = 0;                 ///< words of all cycles below it are counted
  Cycle gap_end = 0;                 ///< last cycle of the gap
  std::uint32_t acc = 0, index = 0;
  std::uint32_t left = 0, repeats_left = 0;
  std::uint64_t sent = 0, unrouted = 0;
  std::vector<Port> fan;     ///< outputs that select this input
  std::vector<Port> strays;  ///< outputs that are FAILED with cause misrouted and show this input
};

}  // namespace ocs::sysc
