// Chooses by what the device has.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/switches.hpp"

#include <utility>

#include "host/device/board/wall_switch.hpp"
#include "host/device/soc/mailbox_switch.hpp"

namespace ocs {

std::unique_ptr<Switch> make_switch(Device& device, const SwitchConfig& config, CommandTimes* times) {
  if (device.mailbox()) return make_mailbox_switch(device, config);
  auto made = make_register_switch(device, config);
  if (device.clock().kind() == ClockKind::virtual_time) return made;
  return make_wall_switch(std::move(made), config, times);
}

}  // namespace ocs
