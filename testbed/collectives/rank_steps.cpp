// The list of a collective, rank by rank.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/rank_steps.hpp"

#include <algorithm>

namespace ocs {
namespace {

using Weights = std::vector<std::vector<std::int64_t>>;  ///< of each rank's blocks

/// Blocks of `step` from `first` on that have the same weight at the sender.
std::uint32_t alike(const CollectiveStep& step, std::uint32_t first, const Weights& before) {
  const std::vector<std::int64_t>& of = before[step.sender];
  std::uint32_t last = first + 1;
  while (last < step.first + step.blocks && of[last] == of[first]) ++last;
  return last - first;
}

}  // namespace

std::vector<std::vector<std::vector<RankStep>>> rank_steps(const Collective& collective, const std::vector<Leg>& legs) {
  std::vector<std::vector<std::vector<RankStep>>> of_legs(legs.size(),
                                                          std::vector<std::vector<RankStep>>(collective.ranks));
  Weights weights(collective.ranks), before;
  for (std::uint32_t rank = 0; rank < collective.ranks; ++rank) weights[rank].assign(collective.blocks, rank + 1);
  std::size_t leg = 0;
  std::uint32_t now = ~std::uint32_t{0};
  for (const CollectiveStep& step : collective.steps) {
    if (step.step != now) before = weights, now = step.step;
    while (step.step > legs[leg].last) ++leg;
    auto& ranks = of_legs[leg];
    ranks[step.sender].push_back({RankStep::What::sends, step.step, Node{step.receiver}, step.first, step.blocks, 0});
    const auto what = step.adds ? RankStep::What::adds : RankStep::What::takes;
    for (std::uint32_t b = step.first; b < step.first + step.blocks;) {
      const std::uint32_t blocks = alike(step, b, before);
      const std::int64_t weight = before[step.sender][b];
      ranks[step.receiver].push_back({what, step.step, Node{step.sender}, b, blocks, weight});
      for (const std::uint32_t end = b + blocks; b < end; ++b)
        weights[step.receiver][b] = step.adds ? weights[step.receiver][b] + weight : weight;
    }
  }
  for (auto& ranks : of_legs)
    for (auto& steps : ranks)
      std::stable_sort(steps.begin(), steps.end(), [](const RankStep& a, const RankStep& b) {
        return std::pair(a.step, a.what != RankStep::What::sends) < std::pair(b.step, b.what != RankStep::What::sends);
      });
  return of_legs;
}

}  // namespace ocs
