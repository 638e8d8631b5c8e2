// The Switch seam over whatever a device offers: its registers, or its firmware's mailbox.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/device/register_switch.hpp"

namespace ocs {

/// make_mailbox_switch for a device with a mailbox, else make_register_switch.
std::unique_ptr<Switch> make_switch(Device& device, const SwitchConfig& config);

}  // namespace ocs
