// The plan of one synchronisation from a dark switch, made without any device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/experiment/prepare.hpp"

namespace ocs {

/// Pushes or pulls; ticks are cycles.
struct PlannedPhase {
  Ticks asked;  ///< when the network hears of the transfers
  Problem problem;
  Plan plan;
  Ticks end;  ///< last end of a reservation; Problem::now if there is none
};

struct PlannedJob {
  PreparedJob prepared;
  /// The pulls are offered when the last push has arrived and that has been said, with the circuits it left.
  PlannedPhase push, pull;
  Ticks fibre;  ///< from the switch to a node
  /// From the end of computing, which is 0, to the arrival of the last pull.
  Ticks pst() const { return pull.end + fibre; }
  Ticks bound() const { return push.plan.bound + pull.plan.bound; }
};

/// Places, schedules and checks. @throws Error (input) when the policy can't place the job.
PlannedJob plan_job(const Point& point);

}  // namespace ocs
