// The shortest plan without preemption, by branch and bound; for small problems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/demand.hpp"

namespace ocs {

/// Enumerates active schedules, depth first: of the pairs that wait, the one that could end first fixes a port, and
/// some pair at one of its two ports must start before that end. Circuits that are up and needed are tried both ways:
/// used at once, or set up anew. Cuts where a port's load is no better than the best plan so far; begins with the
/// shortest of PSscheduler's five. Source: Giffler, Thompson, "Algorithms for solving production-scheduling problems",
/// Oper. Res. 8(4), 1960; the problem is the open shop of Gonzalez, Sahni, J. ACM 23(4), 1976.
class Exact : public Scheduler {
 public:
  static constexpr std::size_t most_pairs = 20;
  static constexpr std::int64_t most_nodes = 5'000'000;

  /// @throws Error (input) as read_demand(), for more than `most_pairs` pairs,
  /// or if the search has not ended after `most_nodes` nodes: such a problem is for `best`.
  Plan plan(const Problem& problem) const override;
};

}  // namespace ocs
