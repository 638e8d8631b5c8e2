// How long the firmware takes for each command, from the doorbell to the commit and to the answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/core/device.hpp"

namespace ocs {

struct FirmwareLatency {
  std::string command;           ///< mailbox_command_name
  int count;                     ///< entries, outputs or words of it; 1 where it has no number
  Cycles answer;                 ///< core cycles from the doorbell to the answer
  std::optional<Cycles> commit;  ///< core cycles from the doorbell to the cycle in which the map is taken
};

/// One command at a time, the core asleep before each: connect, disconnect, maps and reads of states of 1, 2, 4, ...
/// and all outputs, a timed map, a burst, counters and others. The core's cycles are those of the fabric.
/// @param device with a mailbox, just made; it is left in disorder. @throws Error (run) when a command isn't answered
/// or is refused, Error (input) for a device without a mailbox.
std::vector<FirmwareLatency> measure_firmware(Device& device);

}  // namespace ocs
