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

/// Plans one iteration; the map that it leaves is the start of the next.
std::vector<Hop> planned(const Point& point, LegSequence& sequence) {
  const ReconfigurationPolicy& policy = find(reconfiguration_policies(), point.job.reconfigure, "policy");
  const auto plan = policy.plan(sequence);
  if (!plan) refuse_policy(point);
  std::vector<Hop> hops = hops_of(sequence, plan->moves);
  if (!plan->moves.empty()) sequence.start = maps_of(sequence, plan->moves).back();
  return hops;
}

std::vector<CollectiveMaps::Iteration> plans_of_each(const Point& point, const CollectiveSpec& spec) {
  std::vector<CollectiveMaps::Iteration> plans;
  PortMap start = dark_map(spec.list.ranks);
  for (std::size_t k = 0; k <= spec.later.size(); ++k) {
    LegSequence sequence = leg_sequence(point, k == 0 ? spec.legs : spec.later[k - 1]);
    sequence.start = start;
    plans.push_back({planned(point, sequence), std::min(k + 1, spec.later.size())});
    start = sequence.start;
  }
  return plans;
}

}  // namespace

std::vector<CollectiveMaps::Iteration> iteration_plans(const Point& point, const CollectiveSpec& spec) {
  if (!spec.later.empty()) return plans_of_each(point, spec);
  LegSequence sequence = leg_sequence(point, spec.legs);
  std::vector<CollectiveMaps::Iteration> plans;
  std::map<PortMap, std::size_t> known;  // the map that an iteration finds
  while (known.try_emplace(sequence.start, plans.size()).second)
    plans.push_back({planned(point, sequence), plans.size() + 1});
  plans.back().next = known.at(sequence.start);
  return plans;
}

}  // namespace ocs
