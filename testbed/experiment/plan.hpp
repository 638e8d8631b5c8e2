// The plan of one synchronisation from a dark switch, made without any device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/experiment/prepare.hpp"

namespace ocs {

/// Pushes or pulls; ticks are cycles.
struct PlannedPhase {
  Ticks asked;  ///< when the transfers are offered
  Problem problem;
  Plan plan;
  Ticks end;  ///< last end of a reservation; Problem::now if there is none
};

struct PlannedJob {
  PreparedJob prepared;
  /// The pulls are offered when the last push has arrived and that has been said, with the circuits it left.
  PlannedPhase push, pull;
  Ticks fibre;  ///< from the switch to a node
  Ticks pst() const { return pull.end + fibre - push.asked; }
  Ticks bound() const { return push.plan.bound + pull.plan.bound; }
};

/// Places, schedules and checks. @throws Error (input) when the policy can't place the job.
PlannedJob plan_job(const Point& point);

}  // namespace ocs
