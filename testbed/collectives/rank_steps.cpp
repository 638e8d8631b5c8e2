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

/// What each rank does in each leg, or hop; weights of what each has so far.
class StepsOfRanks {
 public:
  StepsOfRanks(const Collective& collective, std::size_t legs)
      : of_(collective), legs_(legs, std::vector<std::vector<RankStep>>(of_.ranks)), weights_(of_.ranks) {
    for (std::uint32_t rank = 0; rank < of_.ranks; ++rank) weights_[rank].assign(of_.blocks, rank + 1);
  }

  /// What is sent from now on is what is there now.
  void begin(std::uint32_t step) {
    if (step == step_) return;
    before_ = weights_;
    step_ = step;
  }

  /// The part of a transfer's way from one node to the next.
  void add(std::size_t leg, const CollectiveTransfer& one, std::uint16_t from, std::uint16_t to) {
    const auto any = [](std::uint32_t) { return true; };
    const std::uint32_t sent_from = from == one.sender ? 0 : of_.blocks;
    for (std::size_t k = 0; k < one.blocks.size();) {
      const std::uint32_t run = run_of(one, k, any);
      legs_[leg][from].push_back({RankStep::What::sends, step_, Node{to}, sent_from + one.blocks[k], run, 0});
      k += run;
    }
    const bool arrives = to == one.receiver;
    const auto what = one.adds && arrives ? RankStep::What::adds : RankStep::What::takes;
    const std::vector<std::int64_t>& sent = before_[one.sender];
    for (std::size_t k = 0; k < one.blocks.size();) {
      const std::uint32_t first = one.blocks[k];
      const std::uint32_t run = run_of(one, k, [&](std::uint32_t block) { return sent[block] == sent[first]; });
      legs_[leg][to].push_back({what, step_, Node{from}, arrives ? first : of_.blocks + first, run, sent[first]});
      for (std::uint32_t block = first; arrives && block < first + run; ++block)
        weights_[to][block] = one.adds ? weights_[to][block] + sent[block] : sent[block];
      k += run;
    }
  }

  std::vector<std::vector<std::vector<RankStep>>> take() {
    for (auto& ranks : legs_)
      for (auto& steps : ranks)
        std::stable_sort(steps.begin(), steps.end(), [](const RankStep& a, const RankStep& b) {
          return std::pair(a.step, a.what != RankStep::What::sends) <
                 std::pair(b.step, b.what != RankStep::What::sends);
        });
    return std::move(legs_);
  }

 private:
  const Collective& of_;
  std::vector<std::vector<std::vector<RankStep>>> legs_;
  Weights weights_, before_;
  std::uint32_t step_ = ~std::uint32_t{0};
};

}  // namespace

std::vector<std::vector<std::vector<RankStep>>> rank_steps(const Collective& collective, const std::vector<Leg>& legs) {
  StepsOfRanks all(collective, legs.size());
  std::size_t leg = 0;
  for (std::uint32_t step = 0; step < collective.steps.size(); ++step) {
    all.begin(step);
    while (leg + 1 < legs.size() && step > legs[leg].last) ++leg;
    for (const CollectiveTransfer& one : collective.steps[step]) all.add(leg, one, one.sender, one.receiver);
  }
  return all.take();
}

std::vector<std::vector<std::vector<RankStep>>> rank_steps(const Collective& collective, const std::vector<Hop>& hops) {
  StepsOfRanks all(collective, hops.size());
  for (std::size_t hop = 0; hop < hops.size(); ++hop)
    for (std::uint32_t step = hops[hop].first; step <= hops[hop].last; ++step) {
      all.begin(step);
      for (const CollectiveTransfer& one : collective.steps[step])
        for (const HopBurst& burst : hops[hop].bursts)
          if (burst.sender == one.sender && burst.receiver == one.receiver) all.add(hop, one, burst.from, burst.to);
    }
  return all.take();
}

}  // namespace ocs
