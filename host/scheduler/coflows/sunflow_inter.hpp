// Sunflow for several coflows: one after the other finds its circuits in the time that those before it leave.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/coflows/coflow_demand.hpp"

namespace ocs {

/// Source: Huang, Sun, Ng, "Sunflow: Efficient Optical Circuit Scheduling for Coflows", CoNEXT 2016, the inter-coflow
/// part; rules to the tick in tests/goldens/schedulers/definitions.md. Coflows are served in order of priority, then of
/// the sharing. Each is planned as Sunflow does, around what has been reserved for those before it: a flow that would
/// run into their next reservation is broken off there and goes on later. What runs already is kept; a circuit that is
/// established is used without a set-up by the flow that starts on it when it becomes free.
/// One coflow alone, on an idle switch, is planned as scheduler `sunflow` does.
class SunflowInter : public Scheduler {
 public:
  explicit SunflowInter(Sharing sharing) : sharing_(sharing) {}
  /// Asked with a horizon it leaves out what starts at it or later, or at the first end of a coflow or
  /// later; the rest is the same.
  /// @throws Error (input) as read_coflows().
  Plan plan(const Problem& problem) const override;

 private:
  Sharing sharing_;
};

}  // namespace ocs
