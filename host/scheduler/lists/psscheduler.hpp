// PSscheduler, step 2: the shortest of five plans for one phase of a parameter synchronisation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/demand.hpp"

namespace ocs {

/// Tries rotation_list (over the ports in use), colour, hlf, sunflow longest, sunflow src_dst and keeps the first of
/// the shortest. Source: Liu et al., "PSscheduler", Neurocomputing 2025; the abstract is public, the algorithm is not:
/// this is our reconstruction.
class Psscheduler : public Scheduler {
 public:
  /// @throws Error (input) as read_demand().
  Plan plan(const Problem& problem) const override;
};

/// The instant at which a plan ends; `origin` if it is empty.
Ticks plan_end(const Plan& plan, Ticks origin);

}  // namespace ocs
