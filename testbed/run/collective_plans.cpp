// Iteration by iteration until a map is found again.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/collective_plans.hpp"

#include <map>
#include <utility>

#include "host/core/catalogue.hpp"

namespace ocs {

std::vector<CollectiveMaps::Iteration> iteration_plans(const Point& point, const PointCollective& collective) {
  const ReconfigurationPolicy& policy = find(reconfiguration_policies(), point.job.reconfigure, "policy");
  LegSequence sequence = leg_sequence(point, collective);
  std::vector<CollectiveMaps::Iteration> plans;
  std::map<PortMap, std::size_t> known;  // the map that an iteration finds
  while (known.try_emplace(sequence.start, plans.size()).second) {
    const auto plan = policy.plan(sequence);
    if (!plan)
      throw Error(ErrorKind::input, "collective.reconfigure is \"" + point.job.reconfigure +
                                        "\", but no candidate map reaches every receiver of " +
                                        collective_text(point.job));
    plans.push_back({hops_of(sequence, plan->moves), plans.size() + 1});
    if (!plan->moves.empty()) sequence.start = maps_of(sequence, plan->moves).back();
  }
  plans.back().next = known.at(sequence.start);
  return plans;
}

}  // namespace ocs
