// Chooses by what the device has.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/switches.hpp"

#include "host/device/mailbox_switch.hpp"

namespace ocs {

std::unique_ptr<Switch> make_switch(Device& device, const SwitchConfig& config) {
  return device.mailbox() ? make_mailbox_switch(device, config) : make_register_switch(device, config);
}

}  // namespace ocs
