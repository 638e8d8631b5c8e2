// The run of a point with several jobs that have nodes, schemes and sums of their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/run/run.hpp"

namespace ocs {

/// As run_point(), for a point with whole_jobs. Each job is also run by itself, on paper or over empty packets.
/// @throws Error
Row run_jobs(const Point& point, const RunOptions& options);

}  // namespace ocs
