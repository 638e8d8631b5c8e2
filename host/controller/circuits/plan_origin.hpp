// From which tick on a plan may act: rule 3 of docs/controller.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/controller/control_times.hpp"
#include "host/core/policy.hpp"

namespace ocs {

/// Whether one of the problem's flows could go over one of the circuits that are up.
bool could_reuse(const Problem& problem);

/// Plans what is asked for in cycle `asked`: for the origin that a circuit that is up needs if a flow could use one;
/// moved as a whole to the earlier one if the plan begins on none of them.
/// @param problem all but `now`, which is set to the plan's origin
/// @throws Error (input) as the scheduler
Plan plan_from(Cycles asked, const ControlTimes& times, const Scheduler& scheduler, Problem& problem);

}  // namespace ocs
