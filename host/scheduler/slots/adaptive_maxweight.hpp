// Adaptive MaxWeight: circuits stay until another matching is so much heavier that setting it up is worth while.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/slots/slot_run.hpp"

namespace ocs {

/// With W the weight (demand left) of the heaviest matching and w that of the circuits that are up:
/// they stay while W - w is at most W / 8 or what the heaviest could carry in the time of its
/// set-up (the hysteresis), else the heaviest matching is set up; pairs of both go on meanwhile.
/// Looked at when a circuit has nothing left, and when the margin can be used up, but not more
/// often than once a set-up time. Source: Wang, Javidi, Porter, "End-to-end scheduling for
/// all-optical data centers", INFOCOM 2015; the hysteresis there is any sublinear function of W;
/// ours is stated above.
class AdaptiveMaxweight : public Scheduler {
 public:
  /// @throws Error (input) as read_demand(), or if the slots last longer than 2^63 ticks.
  Plan plan(const Problem& problem) const override;
};

}  // namespace ocs
