// The devices that an experiment can name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "host/core/catalogue.hpp"
#include "host/core/device.hpp"

namespace ocs {

using DeviceEntry = Entry<Device, const DeviceConfig&>;

/// All devices.
std::span<const DeviceEntry> devices();

/// Whether the device of this name stands somewhere, which is said after a colon: "mapped:/dev/uio0".
inline bool stands_somewhere(std::string_view name) { return name == "mapped" || name == "uart"; }

/// Elaboration parameters of the device that is called `name:place`, as it says them; nothing in it is changed.
/// @throws Error as make_device, also for one that isn't somewhere: it is made as it is configured.
DeviceConfig look_at_device(std::string_view name);

/// Makes the device that is called `name`, or `name:place`. @throws Error (input) for an unknown name, a place that is
/// missing or too much, or what the device itself refuses.
std::unique_ptr<Device> make_device(std::string_view name, DeviceConfig config);

}  // namespace ocs
