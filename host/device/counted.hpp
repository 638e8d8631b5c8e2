// The counter-style RTL with all checks and counts of coverage: what it reaches of the RTL is known afterwards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "host/core/device.hpp"
#include "host/rtl/coverage_counts.hpp"

namespace ocs {

/// The device whose coverage can be counted. It then is the counter-style core, which alone has checks.
constexpr std::string_view counted_device = "verilated";
inline bool is_counted_device(std::string_view name) { return name == counted_device || name == "verilated_counter"; }

/// The switch of make_verilated_counter, compiled with checks and coverage. Making one takes a third of a second with 4
/// ports, so one that has ended is used again, reset; emptying its memories isn't counted. A process that was forked has
/// copies.
/// @throws Error as make_verilated_counter; Error (run), while it runs, when a check fails.
std::unique_ptr<Device> make_counted(const DeviceConfig& config);

/// All counts of this process begin at 0 again.
void forget_counts();

/// What all switches of make_counted() have reached, without those of which a check has failed.
/// @param folder is made, and holds files of counts until they are read.
/// @throws Error (run): they can't be written, or not be read as they were.
rtl::CoverCounts counts_reached(const std::filesystem::path& folder);

}  // namespace ocs
