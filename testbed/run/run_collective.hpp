// The run of a point with a collective.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/run/run.hpp"

namespace ocs {

/// As run_point(), which calls it. @throws Error
Row run_collective(const Point& point, const RunOptions& options);

}  // namespace ocs
