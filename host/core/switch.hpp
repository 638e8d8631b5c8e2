// One plane of the switch as controllers see it: commits, bursts, events, counters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/core/device.hpp"
#include "host/core/ids.hpp"

namespace ocs {

struct Select {
  Output out;
  std::optional<Input> in;  ///< none: dark on purpose
};

/// Whole or not at all; checked against the full map that results. Names only what changes.
struct Commit {
  Cycles at;  ///< cycle in which it is to be taken; now or later
  std::vector<Select> change;
};

/// Words offered by one input; one burst at a time on an input, started with or after the commit that builds its
/// circuit.
struct Burst {
  Id id;
  Input in;
  Words length;
  Cycles not_before;  ///< becomes the engine's gap: no word is offered before this cycle
  bool gated;         ///< a word leaves only while every output that selects `in` is UP; else (blind) back to back
  /// Cycles that a word takes, from when it may leave: a divisor of 40000 (the engine's RATE is 40000 / it).
  Cycles word{1};
};

enum class EventKind : std::uint8_t {
  idle,
  tuning,
  locking,
  up,
  held,
  failed,
  run,
  burst_done,
  committed,
  refused,
  wrapped
};

/// `at` is the first cycle in which the new state holds (burst_done: the first without the burst); readable when now()
/// == at.
struct Event {
  Cycles at;
  Plane plane{};  ///< set by who merges planes
  EventKind kind{};
  std::uint16_t port = 0;  ///< output; input for burst_done; source for committed, refused, wrapped
  Id burst{};              ///< burst_done (words < length: it was stopped) and run
  WordRun words{};         ///< run: a contiguous stretch of words that `port` passed; burst_done: words sent
};

struct Constants {
  int ports, word_bytes;
  bool multicast, all_stop, cycle_exact;
  Cycles min_lead;
  bool ahead = false;  ///< a command costs fabric time: it may be given before its cycle, and should
  bool power = false;  ///< Switch::power() reads what light there is
};

struct Counters {
  Words passed, lost;  ///< of output `port`
  Words unrouted;      ///< of input `port`
  Cycles dark;         ///< of output `port`
  std::int64_t reconfigurations;
  Words shown{0};  ///< of output `port`: words that its stuck mirror showed it from another input
};

struct Refusal {
  std::string why;
  std::optional<Select> blocked_by;
};

/// What can be wrong with the mirror of an output (docs/switch-contract.md, section 6).
enum class MirrorFault : std::uint8_t {
  stuck,  ///< tuning ends without light; amount 1: it is so
  slow,   ///< tuning takes `amount` cycles more
  flap,   ///< light is lost after each `amount` cycles and locks again
  kept    ///< as stuck, but the light of the input where the mirror stands stays; amount 1: it is so
};

/// `register_switch` drives firmware/ocs_dev.c over a RegisterBus; a mailbox to firmware would be another.
class Switch {
 public:
  virtual ~Switch() = default;
  virtual FabricClock& clock() = 0;
  virtual Constants constants() = 0;
  virtual Counters counters(std::uint16_t port) = 0;  ///< one instant for all fields
  /// Hundredths of a dBm at an output now; none: there is no light, or Constants::power is false.
  virtual std::optional<int> power(Output /*output*/) { return std::nullopt; }
  virtual std::optional<Refusal> commit(const Commit&) = 0;
  virtual std::optional<Refusal> start(const Burst&) = 0;  ///< refused while the input's engine runs
  virtual std::optional<Refusal> repeat(std::span<const Commit> table, Cycles period) = 0;  ///< period 0: once
  virtual std::optional<Refusal> stop(Id burst) = 0;         ///< now; words already passed stay passed
  virtual void take_events(std::vector<Event>& append) = 0;  ///< ascending; throws if the FIFO overflowed
  /// Injects a fault, or takes it back, from the next cycle on: no light comes from `port` or goes to it.
  virtual std::optional<Refusal> set_dead(std::uint16_t /*port*/, bool /*dead*/) {
    return Refusal{.why = "this switch takes no injected faults", .blocked_by = {}};
  }
  /// Injects a fault of a mirror from the next cycle on, or takes it back: amount 0.
  virtual std::optional<Refusal> set_mirror_fault(Output /*output*/, MirrorFault /*fault*/, Cycles /*amount*/) {
    return Refusal{.why = "this switch takes no injected faults", .blocked_by = {}};
  }
  /// Tunes an output once more that has failed because its mirror was stuck; others ignore it.
  virtual std::optional<Refusal> retry(Output /*output*/) {
    return Refusal{.why = "this switch tunes no output once more", .blocked_by = {}};
  }
};

}  // namespace ocs
