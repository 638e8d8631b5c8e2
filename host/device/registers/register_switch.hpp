// The Switch seam over a register window: firmware/ocs_dev.c drives any Device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "host/core/delays.hpp"
#include "host/core/device.hpp"
#include "host/core/switch.hpp"

namespace ocs {

struct SwitchConfig {
  SwitchDelays delays{};
  bool all_stop = false;   ///< a commit that starts an output holds all lit ones until the last is up
  bool multicast = false;  ///< one input may feed several outputs
};

/// Probes the device, sets delays and modes, enables the interrupt for events and errors.
///
/// What it adds to the Switch seam:
/// - The device must be as after reset, and be driven by nobody else. It must outlive the switch.
/// - commit(): `at` == now is a software commit; several in one cycle act as one. A later `at` arms the one timed
///   commit; until it is taken, every commit is refused. `at` in the past is refused on a virtual device and taken at
///   once on a wall-clock one. The whole resulting map is checked before the hardware is touched.
/// - start(): lengths 0 to 2^32 - 1; words slower than one a cycle need the RATE option. Given in cycle s, the first
/// word leaves in max(s + 1, not_before), which may be at
///   most 2^32 - 1 cycles later.
/// - stop(): refused in the cycle of the start, which would win. burst_done comes a cycle later.
/// - take_events(): ordered by (at, device < outputs < runs < burst_done, port). A `run` is stamped with the event that
///   ended it: of its output, or burst_done. Throws Error (run) when the FIFO overflowed, when a burst's words do not
///   add up, and on any other sticky error (a wall-clock device being late apart, which only counts).
/// - At the end of each burst, for each output that selected its input throughout: words of its runs = PASSED, and
///   PASSED + LOST = SENT, all as differences of the hardware's counters; the runs are words of the burst in their
///   order, by a digest. Words are looked after by the hardware alone
///   on a wall-clock device whose events of several cycles were read together: the next burst is checked again.
/// - On a switch with the brief form (register map 1.5) a burst that the switch reports as whole is one run of each
///   output; the counters are read after the first burst that isn't whole, after 64 of an input at the latest, and by
///   counters(), and have to agree with all words since they were read before.
/// - repeat(): plays the table in the switch's sequencer, without the host. Each commit changes what the one before it
///   made, the first one the present map; so every loop goes through the same maps. Cycles ascend and begin after the
///   present one; the last one and the period are within 2^32 - 1 cycles of the first; at most as many commits as the
///   sequencer has entries (register CAP_SIZE). While it is played every commit is refused. An empty table stops it:
///   what is due in the present cycle is still taken, circuits stay, and from the next cycle on commits go on from
///   there. Nobody is told of a stopped table by an event.
/// @throws Error (run) when no switch answers or it isn't as after reset; Error (input) when it cannot be set so.
std::unique_ptr<Switch> make_register_switch(Device& device, const SwitchConfig& config);

}  // namespace ocs
