// The plan of one synchronisation from a dark switch, made without any device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "testbed/experiment/prepare.hpp"

namespace ocs {

/// Pushes or pulls; ticks are cycles.
struct PlannedPhase {
  Ticks asked;  ///< when the network hears of the transfers
  Problem problem;
  Plan plan;
  Ticks end;      ///< last end of a reservation; Problem::now if there is none
  Ticks arrived;  ///< the last word is with its node; a fibre after Problem::now if there is none
};

struct PlannedJob {
  PreparedJob prepared;
  /// The pulls are offered when the last push has arrived and that has been said, with the circuits it left.
  PlannedPhase push, pull;
  Ticks fibre;  ///< from the switch to the node that is farthest
  /// The overlapped form of the same (host/scheduler/lists/pipelined.hpp): each server answers by itself, as long after
  /// its last push as all do after the last one of all in `pull`.
  /// Planning takes no time in it. None on an all-stop switch, by a scheduler from elsewhere, or where fibres differ.
  std::optional<Plan> pipelined;
  Ticks pipelined_end;
  /// The time from the end of computing, which is 0, to the arrival of the last pull.
  Ticks pst() const { return pull.arrived; }
  Ticks bound() const { return push.plan.bound + pull.plan.bound; }
  /// The same of the overlapped form.
  Ticks pipelined_pst() const { return pipelined_end + fibre; }
};

/// Places, schedules and checks. @throws Error (input) when the policy can't place the job.
PlannedJob plan_job(const Point& point);
/// The same of a job that has been placed.
PlannedJob plan_job(const Point& point, PreparedJob prepared);

/// No placement of the job on the nodes that the policy may use gets below it, by any plan: twice the relaxation's T
/// (host/scheduler/placers/placement_relaxation.hpp), less one set-up for each phase that may find circuits established:
/// all but the first push, and the first pull if a worker can be a server. A mean over the iterations, rounded down.
Ticks relaxed_bound(const Point& point, const Job& job);

}  // namespace ocs
