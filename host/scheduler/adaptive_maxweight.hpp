// Adaptive MaxWeight: circuits stay until another matching is so much heavier that setting it up is worth while.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/slot_run.hpp"

namespace ocs {

/// With W the weight (demand left) of the heaviest matching and w that of the circuits that are up: they stay while
/// W - w <= W / 8 (the hysteresis), else the heaviest matching is set up; pairs of both go on meanwhile. Looked at when
/// a circuit has nothing left, and at the earliest instant at which the rule can begin to hold otherwise, but not more
/// often than once a set-up time. Source: Wang, Javidi, Porter, "End-to-end scheduling for all-optical data centers",
/// INFOCOM 2015; the hysteresis function there is any sublinear one or a fraction; the eighth is ours.
class AdaptiveMaxweight : public Scheduler {
 public:
  /// @throws Error (input) as read_demand(), or if the slots last longer than 2^63 ticks.
  Plan plan(const Problem& problem) const override;
};

}  // namespace ocs
