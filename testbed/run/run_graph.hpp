// The run of a point with Chakra traces.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/run/run.hpp"

namespace ocs {

/// As run_point(). @throws Error
Row run_graph(const Point& point, const RunOptions& options);

}  // namespace ocs
