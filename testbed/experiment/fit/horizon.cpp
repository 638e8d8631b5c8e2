// Holds the longest run that a point could have against the horizon.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/fit/horizon.hpp"

#include <string>

#include "host/core/error.hpp"
#include "testbed/experiment/planning_charge.hpp"

namespace ocs {

void check_horizon(const Point& point, Wide iteration_ps, const Origins& origins) {
  if (iteration_ps * point.job.iterations + replayed_time(point.planning) <= horizon_ps) return;
  refuse(origin_of(origins, {"job.iterations", "job.compute", "fabric.tuning", "fabric.rate", "job.workload"}),
         "job.iterations is " + std::to_string(point.job.iterations) + ", but must be so small that the run ends " +
             std::string(within_horizon));
}

}  // namespace ocs
