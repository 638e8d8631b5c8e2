// Experiments over the packet network: what they ask of other keys, and their run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/experiment/fit/fit.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {

/// What has no meaning where nothing is switched is refused. @throws Error (input).
void check_packets(const Point& point, const Origins& origins);

/// Takes out of a row what a switch would have had.
void without_switch(Row& row);

}  // namespace ocs
