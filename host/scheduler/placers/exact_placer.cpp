// The search with as many steps as anyone waits for.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/exact_placer.hpp"

#include <string>

#include "host/core/error.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/placers/placement_search.hpp"
#include "host/scheduler/placers/psscheduler_placer.hpp"

namespace ocs {

Placement ExactPlacer::place(const Job& job) const {
  check_job(job, "exact");
  SearchedPlacement found = search_placement(job, PsschedulerPlacer().place(job), most_steps);
  if (!found.complete)
    throw Error(ErrorKind::input, "exact has not found the best placement of " + std::to_string(job.blocks.size()) +
                                      " blocks on " + std::to_string(job.candidates.size()) + " nodes after " +
                                      std::to_string(most_steps) + " steps; take the placer psscheduler");
  return found.placement;
}

}  // namespace ocs
