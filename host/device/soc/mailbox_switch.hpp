// The Switch seam over firmware: commands go through its mailbox, events are what the hardware shows the host.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/core/device.hpp"
#include "host/core/switch.hpp"
#include "host/device/registers/register_switch.hpp"

namespace ocs {

/// Has the firmware set delays and modes. Cycle 0 of its clock is the cycle in which that is done.
///
/// What differs from make_register_switch:
/// - A command takes the firmware's time, which is time of the fabric: what is given in cycle s for cycle s acts later.
///   So commands may be given ahead (Constants::ahead): one that is for cycle `at` acts in exactly that cycle, if the
///   firmware is done with it by then; else as soon as it is (then it has said so in an alarm).
/// - Several timed commits may wait; each is armed when the one before it has been taken.
/// - repeat() is refused: the firmware's own tables (OCS_MB_TABLE_*) aren't for controllers.
/// - What the firmware refuses though the host held it for right, and a restart by its watchdog, end the run: an Error
///   (run) from take_events that names the command, the code and, for a map, the circuit in the way.
/// @param device with a mailbox, driven by nobody else; outlives the switch.
/// @throws Error (run), Error (input) as make_register_switch.
std::unique_ptr<Switch> make_mailbox_switch(Device& device, const SwitchConfig& config);

}  // namespace ocs
