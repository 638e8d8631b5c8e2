// The run of a point with a collective.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/collectives/collective_job.hpp"
#include "testbed/run/run.hpp"

namespace ocs {

/// @param point outlives the specification
CollectiveSpec collective_spec(const Point& point);

/// Adds times of iterations and waits of a collective that began at `arrival`.
void add_iterations(Row& row, const Point& point, const CollectiveResult& run, Picos arrival = Picos{0});

/// As run_point(), which calls it. @throws Error
Row run_collective(const Point& point, const RunOptions& options);

}  // namespace ocs
