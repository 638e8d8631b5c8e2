// The run of a point with a collective.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "testbed/collectives/collective_job.hpp"
#include "testbed/run/point_network.hpp"
#include "testbed/run/run.hpp"

namespace ocs {

/// @param point outlives the specification
CollectiveSpec collective_spec(const Point& point);
/// Of the copy on one of several planes.
CollectiveSpec copy_spec(const Point& point, std::uint32_t plane);

/// Adds times of iterations and waits of a collective that began at `arrival`.
void add_iterations(Row& row, const Point& point, const CollectiveResult& run, Picos arrival = Picos{0});

/// The row of a collective, or of what has its results, over the network that the point asks for. @throws Error
Row run_on_network(const Point& point, const RunOptions& options,
                   const std::function<CollectiveResult(PointNetwork&)>& run);

/// As run_point(), which calls it. @throws Error
Row run_collective(const Point& point, const RunOptions& options);

}  // namespace ocs
