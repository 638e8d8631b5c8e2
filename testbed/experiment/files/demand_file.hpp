// A matrix of demand in a file, for `collective.demand`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "testbed/collectives/collective.hpp"

namespace ocs {

/// Bytes from each rank to each: one line a sender, with one whole number a receiver and commas between.
/// @throws Error (input)
DemandMatrix parse_demand_file(std::string_view text, std::string_view origin);
DemandMatrix load_demand_file(const std::filesystem::path& file);

}  // namespace ocs
