// A row that failed: what was asked for, and the error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testbed/results/rows/row.hpp"

namespace ocs {

/// The row as a ResultSink takes it. Columns of what is measured have no value.
std::vector<std::pair<std::string, Value>> failed_fields(const Row& row);

}  // namespace ocs
