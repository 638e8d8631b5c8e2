// The switch as a C++ model: the oracle for the RTL, and the fastest device for what-if questions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/core/device.hpp"

namespace ocs {

/// A virtual-time device that follows docs/switch-contract.md to the cycle, behind the register map of
/// docs/registers.md. All options are present, S is 16, the pins of EXTERNAL are low. `edges()` counts fabric steps;
/// bus accesses are none. The device has no thread of its own and isn't safe for several threads at once.
/// @throws Error (input) when the configuration is out of the range that the register map can show.
std::unique_ptr<Device> make_model(const DeviceConfig& config);

}  // namespace ocs
