// Iteration by iteration until a map is found again.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/collective_plans.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "host/core/catalogue.hpp"

namespace ocs {

namespace {

[[noreturn]] void refuse_policy(const Point& point) {
  throw Error(ErrorKind::input, "collective.reconfigure is \"" + point.job.reconfigure +
                                    "\", but no candidate map reaches every receiver of " + collective_text(point.job));
}

/// An iteration's hops, and how long they take together.
struct PlannedHops {
  std::vector<Hop> hops;
  std::int64_t cycles;
};

/// Maps on one switch.
struct OneSwitch {
  using State = PortMap;
  const Point& point;
  std::string_view policy;

  State start() const { return dark_map(static_cast<std::uint32_t>(point.job.workers)); }
  /// Plans one iteration. @param state that it finds, and leaves
  PlannedHops plan(const std::vector<Leg>& legs, State& state) const {
    LegSequence sequence = leg_sequence(point, legs);
    sequence.start = state;
    const auto plan = find(reconfiguration_policies(), policy, "policy").plan(sequence);
    if (!plan) refuse_policy(point);
    if (!plan->moves.empty()) state = maps_of(sequence, plan->moves).back();
    return {hops_of(sequence, plan->moves), plan->cost.cycles};
  }
};

/// The same of planes.
struct SeveralPlanes {
  using State = std::vector<std::vector<PortPair>>;
  const Point& point;

  State start() const { return State(static_cast<std::size_t>(point.fabric.planes)); }
  PlannedHops plan(const std::vector<Leg>& legs, State& state) const {
    NumberedPlaneSteps all = plane_steps(point, legs);
    all.steps.start = state;
    const PlanePlan plan = find(plane_rules(), point.job.reconfigure, "policy").plan(all.steps);
    state = pairs_after(all.steps, plan);
    return {hops_of(all.steps, plan, all.numbers), plan.cost.cycles};
  }
};

/// Iterations that are alike: one after the other until what one finds is known.
template <class Planner>
std::vector<CollectiveMaps::Iteration> plans_by(const Planner& planner, const CollectiveSpec& spec) {
  std::vector<CollectiveMaps::Iteration> plans;
  auto state = planner.start();
  if (!spec.later.empty()) {
    for (std::size_t k = 0; k <= spec.later.size(); ++k) {
      PlannedHops one = planner.plan(k == 0 ? spec.legs : spec.later[k - 1], state);
      plans.push_back({std::move(one.hops), std::min(k + 1, spec.later.size()), one.cycles});
    }
    return plans;
  }
  std::map<typename Planner::State, std::size_t> known;
  while (known.try_emplace(state, plans.size()).second) {
    PlannedHops one = planner.plan(spec.legs, state);
    plans.push_back({std::move(one.hops), plans.size() + 1, one.cycles});
  }
  plans.back().next = known.at(state);
  return plans;
}

}  // namespace

std::vector<CollectiveMaps::Iteration> iteration_plans(const Point& point, const CollectiveSpec& spec) {
  if (shares_planes(point)) return plans_by(SeveralPlanes{point}, spec);
  return plans_by(OneSwitch{point, point.job.reconfigure}, spec);
}

std::vector<CollectiveMaps::Iteration> copy_plans(const Point& point, const CollectiveSpec& spec, std::uint32_t plane) {
  std::vector<CollectiveMaps::Iteration> plans = plans_by(OneSwitch{point, policy_of_copies}, spec);
  for (CollectiveMaps::Iteration& one : plans)
    for (Hop& hop : one.hops) {
      for (PlaneMap& map : hop.maps) map.plane = plane;
      Words most;
      for (const HopBurst& burst : hop.bursts) most = std::max(most, burst.words);
      hop.parts = {{plane, 0, most}};
    }
  return plans;
}

}  // namespace ocs
