// Bound and checks.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/outside_plan.hpp"

#include <string>
#include <utility>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/demand.hpp"

namespace ocs {
namespace {

Ticks bound_of(const Problem& problem) {
  try {
    return {port_bound(read_demand(problem, "the port bound", {.all_stop = true}))};
  } catch (const Error&) {  // it is defined for what the list schedulers can plan
    return {0};
  }
}

}  // namespace

Plan checked_plan(const Problem& problem, std::vector<Reservation> list, Ticks latest) {
  Plan plan{.list = std::move(list), .bound = bound_of(problem)};
  for (const Reservation& r : plan.list)
    if (r.end > latest)
      throw BrokenRule(ErrorKind::input, PlanRule::times,
                       "the plan lets flow " + std::to_string(index(r.flow)) + " end at " + std::to_string(r.end.n) +
                           ", but must end by " + std::to_string(latest.n));
  check_plan(problem, plan, ErrorKind::input);
  return plan;
}

}  // namespace ocs
