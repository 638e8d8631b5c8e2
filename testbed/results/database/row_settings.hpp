// The settings of the rows of a database, and how long each row took.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "testbed/results/rows/record.hpp"

namespace ocs {

/// A hash of what a row was asked for: of its resolved experiment without the version and the file's name.
std::uint64_t settings_hash(ExperimentRecord resolved);

/// Wall time, in seconds, of each row that did not fail, by settings_hash(). @param version of the rows; empty: any.
/// @throws Error (input): no database of this schema, or one that is damaged.
std::unordered_map<std::uint64_t, double> wall_times(const std::string& database, const std::string& version);

}  // namespace ocs
