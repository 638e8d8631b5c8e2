// PSscheduler as a whole: its own placement, unless a default one synchronises sooner.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/policy.hpp"

namespace ocs {

/// How long a synchronisation takes from a dark switch: pushes, then pulls with the circuits that the pushes left, both
/// planned by the scheduler psscheduler. In the job's ticks.
Ticks synchronisation_time(const Job& job, const Placement& placement);

/// Of PsschedulerPlacer's placement and the default ones on the first candidates (mxnet where the blocks are those of
/// its rule, round_robin, default) the one that synchronises soonest; ties: in this order. So no baseline on a default
/// placement is better because of where its blocks are.
class PsschedulerOrDefault : public Placer {
 public:
  /// @throws Error (input) as check_job().
  Placement place(const Job& job) const override;
};

}  // namespace ocs
