// The list of a collective, rank by rank.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/rank_steps.hpp"

#include <algorithm>

namespace ocs {
namespace {

using Weights = std::vector<std::vector<std::int64_t>>;  ///< of each rank's blocks

/// Blocks of `transfer` from place `first` on that follow one another and that `alike` finds to be like the first.
template <class Alike>
std::uint32_t run_of(const CollectiveTransfer& transfer, std::size_t first, const Alike& alike) {
  const std::vector<std::uint32_t>& blocks = transfer.blocks;
  std::size_t last = first + 1;
  while (last < blocks.size() && blocks[last] == blocks[last - 1] + 1 && alike(blocks[last])) ++last;
  return static_cast<std::uint32_t>(last - first);
}

void add_transfer(const CollectiveTransfer& one, std::uint32_t step, const Weights& before, Weights& weights,
                  std::vector<std::vector<RankStep>>& ranks) {
  const auto any = [](std::uint32_t) { return true; };
  for (std::size_t k = 0; k < one.blocks.size();) {
    const std::uint32_t run = run_of(one, k, any);
    ranks[one.sender].push_back({RankStep::What::sends, step, Node{one.receiver}, one.blocks[k], run, 0});
    k += run;
  }
  const auto what = one.adds ? RankStep::What::adds : RankStep::What::takes;
  const std::vector<std::int64_t>& sent = before[one.sender];
  for (std::size_t k = 0; k < one.blocks.size();) {
    const std::uint32_t first = one.blocks[k];
    const std::uint32_t run = run_of(one, k, [&](std::uint32_t block) { return sent[block] == sent[first]; });
    ranks[one.receiver].push_back({what, step, Node{one.sender}, first, run, sent[first]});
    for (std::uint32_t block = first; block < first + run; ++block)
      weights[one.receiver][block] = one.adds ? weights[one.receiver][block] + sent[block] : sent[block];
    k += run;
  }
}

}  // namespace

std::vector<std::vector<std::vector<RankStep>>> rank_steps(const Collective& collective, const std::vector<Leg>& legs) {
  std::vector<std::vector<std::vector<RankStep>>> of_legs(legs.size(),
                                                          std::vector<std::vector<RankStep>>(collective.ranks));
  Weights weights(collective.ranks), before;
  for (std::uint32_t rank = 0; rank < collective.ranks; ++rank) weights[rank].assign(collective.blocks, rank + 1);
  std::size_t leg = 0;
  for (std::uint32_t step = 0; step < collective.steps.size(); ++step) {
    before = weights;
    while (leg + 1 < legs.size() && step > legs[leg].last) ++leg;
    for (const CollectiveTransfer& one : collective.steps[step]) add_transfer(one, step, before, weights, of_legs[leg]);
  }
  for (auto& ranks : of_legs)
    for (auto& steps : ranks)
      std::stable_sort(steps.begin(), steps.end(), [](const RankStep& a, const RankStep& b) {
        return std::pair(a.step, a.what != RankStep::What::sends) < std::pair(b.step, b.what != RankStep::What::sends);
      });
  return of_legs;
}

}  // namespace ocs
