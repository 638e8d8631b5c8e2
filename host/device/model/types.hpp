// Words that all parts of the model share: cycles, maps, states, events (docs/switch-contract.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "host/core/ids.hpp"

namespace ocs::model {

/// The number of a cycle, or a number of cycles: what the hardware's 64-bit registers hold.
using Cycle = std::uint64_t;

/// Later than every cycle in which anything could happen.
inline constexpr Cycle no_cycle = std::numeric_limits<Cycle>::max();

/// a + b without wrapping: a sum beyond 64 bits lies beyond all time.
constexpr Cycle later(Cycle a, Cycle b) { return a > no_cycle - b ? no_cycle : a + b; }

using PortMask = std::bitset<max_ports>;

/// The input that feeds an output, or none; a whole map has one for each output. An input may be out of range.
using Selection = std::optional<Input>;
using Map = std::vector<Selection>;

/// Section 2; the numbers are those of register STATE and of the events of outputs.
enum class State : std::uint8_t { idle, tuning, locking, up, held, failed };

/// The states that the light filter of section 6 asks about.
constexpr bool needs_light(State s) { return s == State::locking || s == State::held || s == State::up; }

/// Why an output is FAILED; the numbers are those of register STATE.
enum class Cause : std::uint8_t { none, stuck, light, misrouted };

/// Who asked for a commit; the numbers are those of the events.
enum class Source : std::uint16_t { software, timed, sequencer };

enum class EventClass : std::uint8_t { device, output, input };
enum class DeviceEvent : std::uint8_t { commit, refused, wrap };
enum class InputEvent : std::uint8_t { done, whole };

/// One event of section 10 without its stamp.
struct Happening {
  EventClass of;
  std::uint16_t port;
  std::uint8_t kind;
  std::uint8_t tag = 0;  ///< of a commit
};

}  // namespace ocs::model
