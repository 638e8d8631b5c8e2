// Writes the delays of every pair of ports into a switch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "firmware/ocs_dev.h"
#include "host/core/delays.hpp"
#include "host/device/registers/register_switch_bus.hpp"

namespace ocs {

/// BASE of an output becomes the shortest of its pairs, PAIR what each has beyond it, LOCK its locking time. PAIR is
/// written only where it isn't 0, so the switch must be as after power-up; so are PROG and PROG_LANES, JITTER_MASK,
/// RECEIVER with its tables, DISTURB and DISTURB_AT, LASER, LOSS, LEVEL and what belongs to it; SEED with JITTER_MASK or RECEIVER.
/// @param dev probed. @throws Error (input): a delay is out of range, there aren't as many as pairs or ports, or
/// pairs differ and the switch has no PAIR memory, mirrors are programmed in turn and it has no such option, jitter
/// isn't 2^m - 1 or it has no such option, receivers lock by what they last received and it has no such option,
/// mirrors disturb others and it has no such option, or light has a level and it has no such option; what the bus throws.
void set_switch_delays(DriverBus& bus, const ocs_dev& dev, const SwitchDelays& delays);

/// What set_switch_delays writes for one output.
struct OutputDelays {
  Cycles base, locking;
  std::vector<Cycles> more;  ///< of each input beyond base; empty: all 0
};
OutputDelays delays_of(const SwitchDelays& delays, Output output, int ports);

/// @throws Error (input) as set_switch_delays, before anything is written.
void check_switch_delays(const ocs_dev& dev, const SwitchDelays& delays);

/// The same as set_switch_delays for a device that nobody drives yet. @throws also Error (run): no switch answers.
void set_switch_delays(Device& device, const SwitchDelays& delays);

}  // namespace ocs
