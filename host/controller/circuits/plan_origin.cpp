// Counts from the later origin, and moves back what doesn't need it: schedulers count from Problem::now alone.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/plan_origin.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace ocs {
namespace {

/// Whether a circuit's first reservation in the plan doesn't set it up.
bool uses_established(const Plan& plan) {
  const auto sets_up = [](const Reservation& r) { return r.up != r.start; };
  if (std::all_of(plan.list.begin(), plan.list.end(), sets_up)) return false;
  std::map<Input, std::unordered_map<Outputs, const Reservation*>> first;
  for (const Reservation& r : plan.list) {
    const Reservation*& of_circuit = first[r.in].try_emplace(r.outs, &r).first->second;
    if (r.start < of_circuit->start) of_circuit = &r;
  }
  for (const auto& [input, circuits] : first)
    for (const auto& [outs, r] : circuits)
      if (r->up == r->start) return true;
  return false;
}

void move_to(Ticks origin, Problem& problem, Plan& plan) {
  const Ticks earlier = problem.now - origin;
  for (Reservation& r : plan.list) {
    r.start -= earlier;
    r.up -= earlier;
    r.end -= earlier;
  }
  problem.now = origin;
}

}  // namespace

bool could_reuse(const Problem& problem) {
  return std::any_of(problem.up.begin(), problem.up.end(), [&](const EstablishedCircuit& circuit) {
    return std::any_of(problem.flows.begin(), problem.flows.end(),
                       [&](const Flow& flow) { return flow.in == circuit.in && (circuit.outs & ~flow.outs).none(); });
  });
}

Plan plan_from(Cycles asked, const ControlTimes& times, const Scheduler& scheduler, Problem& problem) {
  problem.now = Ticks{times.origin(asked, could_reuse(problem)).n};
  Plan plan = scheduler.plan(problem);
  if (!uses_established(plan)) move_to(Ticks{times.origin(asked, false).n}, problem, plan);
  return plan;
}

}  // namespace ocs
