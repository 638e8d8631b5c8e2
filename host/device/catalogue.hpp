// The devices that an experiment can name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "host/core/catalogue.hpp"
#include "host/core/device.hpp"

namespace ocs {

using DeviceEntry = Entry<Device, const DeviceConfig&>;

/// All devices; make one with `make(devices(), name, "device", config)`.
std::span<const DeviceEntry> devices();

}  // namespace ocs
