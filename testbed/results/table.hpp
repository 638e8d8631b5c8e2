// Results as text: what all rows share above, then three tables with a line a row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <span>

#include "testbed/results/row.hpp"

namespace ocs {

/// Prints rows of one experiment. What was asked for and is equal in all rows stands in the heading; what differs gets
/// a column.
void print_table(std::ostream& out, std::span<const Row> rows);

}  // namespace ocs
