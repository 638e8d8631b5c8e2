// A portfolio; stops early at a plan that meets the bound.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/psscheduler.hpp"

#include <algorithm>
#include <utility>

#include "host/scheduler/lists/colour.hpp"
#include "host/scheduler/lists/hlf.hpp"
#include "host/scheduler/lists/rotation.hpp"
#include "host/scheduler/lists/sunflow.hpp"

namespace ocs {

Ticks plan_end(const Plan& plan, Ticks origin) {
  for (const Reservation& r : plan.list) origin = std::max(origin, r.end);
  return origin;
}

Plan Psscheduler::plan(const Problem& problem) const {
  const Demand demand = read_demand(problem, "psscheduler", {.running = true});
  using Rule = Plan (*)(const Demand&);
  constexpr Rule rules[] = {
      [](const Demand& d) { return plan_rotation_list(d); },
      plan_colour,
      plan_hlf,
      [](const Demand& d) { return plan_sunflow(d, FlowOrder::longest); },
      [](const Demand& d) { return plan_sunflow(d, FlowOrder::src_dst); },
  };
  Plan best;
  Ticks best_end = never<Ticks>;
  for (const Rule rule : rules) {
    Plan plan = rule(demand);
    const Ticks end = plan_end(plan, problem.now);
    if (end < best_end) {
      best = std::move(plan);
      best_end = end;
    }
    if (best_end <= problem.now + best.bound) break;
  }
  return best;
}

}  // namespace ocs
