// The Switch seam over whatever a device offers: its registers, or its firmware's mailbox.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/device/board/command_times.hpp"
#include "host/device/registers/register_switch.hpp"

namespace ocs {

/// make_mailbox_switch for a device with a mailbox, else make_register_switch; over a device whose clock goes on by
/// itself, behind make_wall_switch.
/// @param times of a wall-clock device: told of each command; outlives the switch; may be nullptr.
std::unique_ptr<Switch> make_switch(Device& device, const SwitchConfig& config, CommandTimes* times = nullptr);

}  // namespace ocs
