// The four orders; list_schedule does the rest.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/sunflow.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "host/scheduler/lists/list_schedule.hpp"
#include "host/scheduler/lists/longest_first.hpp"
#include "host/scheduler/splitmix.hpp"

namespace ocs {
namespace {

std::vector<std::uint32_t> ordered(const Demand& demand, FlowOrder order, std::uint64_t seed) {
  if (order == FlowOrder::longest) return longest_first(demand);
  const std::vector<PairDemand>& pairs = demand.pairs;
  std::vector<std::uint32_t> list(pairs.size());
  std::iota(list.begin(), list.end(), 0u);
  if (order == FlowOrder::given) return list;
  std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
    const PairDemand &p = pairs[a], &q = pairs[b];
    return std::tie(p.in, p.out) < std::tie(q.in, q.out);
  });
  if (order == FlowOrder::random)
    for (std::size_t i = list.size(); i-- > 1;) std::swap(list[i], list[splitmix64(seed) % (i + 1)]);
  return list;
}

}  // namespace

Plan plan_sunflow(const Demand& demand, FlowOrder order, std::uint64_t seed) {
  return list_schedule(demand, ordered(demand, order, seed), Freeing::one);
}

Plan Sunflow::plan(const Problem& problem) const {
  return plan_sunflow(read_demand(problem, "sunflow", {.running = true}), order_, problem.seed);
}

}  // namespace ocs
