// The RTL with counts of coverage: what it reaches of the RTL is known afterwards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "host/core/device.hpp"
#include "host/rtl/coverage_counts.hpp"
#include "host/rtl/parameters.hpp"

namespace ocs {

/// Whether what the device reaches can be counted.
inline bool is_counted_device(std::string_view name) {
  return name == "verilated" || name == "verilated_counter" || name == "verilated_fast";
}

/// The switch of one of these devices, compiled with coverage, and with checks where the core has them (counter style).
/// Making one takes up to a third of a second with 4 ports, so one that has ended is used again, reset; emptying its
/// memories isn't counted. A process that was forked has copies.
/// @throws Error as make_device; Error (run), while it runs, when a check fails.
std::unique_ptr<Device> make_counted(std::string_view device, const DeviceConfig& config);

/// The switch of these parameters, which are given coverage, in the same way.
std::unique_ptr<Device> make_counted(rtl::Parameters parameters, const DeviceConfig& config);

/// All counts of this process begin at 0 again.
void forget_counts();

/// What all switches of make_counted() have reached, without those of which a check has failed.
/// @param folder is made, and holds files of counts until they are read.
/// @throws Error (run): they can't be written, or not be read as they were.
rtl::CoverCounts counts_reached(const std::filesystem::path& folder);

}  // namespace ocs
