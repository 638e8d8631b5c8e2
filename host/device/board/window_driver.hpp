// Drives a switch that is served through a file (WindowFile), in virtual time or with a clock of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "host/core/device.hpp"

namespace ocs {

/// Whether it is a file that begins as a served window does.
bool is_window_file(const std::string& path);

/// @param config.place the file. @throws as make_mapped says.
std::unique_ptr<Device> make_window_driver(const DeviceConfig& config);

}  // namespace ocs
