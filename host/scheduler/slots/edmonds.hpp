// Repeated maximum-weight matching: whatever has most left to send is joined, for a while, then again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/slots/slot_run.hpp"

namespace ocs {

/// While demand is left: a matching of largest total demand (heaviest_matching.hpp); its slot lasts until its first
/// pair has nothing left, but at least nine set-up times, so that circuits work nine tenths of the time, and at most
/// until its last pair has nothing left. A matching whose
/// circuits are all up goes on without a set-up. No stuffing: ports without demand stay idle. Source: Farrington et
/// al., "Helios", SIGCOMM 2010, and Wang et al., "c-Through", SIGCOMM 2010, which match demand by Edmonds' algorithm in
/// each period; the length of the period is ours.
class Edmonds : public Scheduler {
 public:
  explicit Edmonds(SlotMode mode) : mode_(mode) {}
  /// @throws Error (input) as read_demand(), or if the slots last longer than 2^63 ticks.
  Plan plan(const Problem& problem) const override;

 private:
  SlotMode mode_;
};

}  // namespace ocs
