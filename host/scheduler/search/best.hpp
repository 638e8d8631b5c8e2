// The best plan that can be found with a given amount of work: a portfolio, then local search.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/demand.hpp"

namespace ocs {

/// Starts from the shortest of PSscheduler's five plans. Then, until it meets the bound or the work is used up: a pair
/// on the chain of circuits that ends last (each started when the one before freed its port) moves forward in the list,
/// and the list is played again; a list is kept unless it ends later. After many lists without gain the search goes on
/// from the best one, disturbed. Moves are drawn from Problem::seed, and work is counted, not timed: equal problems
/// have equal plans on every machine. Source: iterated local search over list schedules (Lourenço, Martin, Stützle,
/// "Iterated local search", 2003). Plan::bound says how far from the optimum the plan can be.
class Best : public Scheduler {
 public:
  /// About a second at 64 ports; docs/schedulers.md has what it takes elsewhere.
  static constexpr std::int64_t usual_work = 4'000'000;

  /// @param work pairs of ports that may be started in all lists together.
  explicit Best(std::int64_t work = usual_work) : work_(work) {}
  /// @throws Error (input) as read_demand().
  Plan plan(const Problem& problem) const override;

 private:
  std::int64_t work_;
};

}  // namespace ocs
