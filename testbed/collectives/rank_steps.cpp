// The list of a collective, rank by rank.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/rank_steps.hpp"

#include <algorithm>
#include <optional>

namespace ocs {
namespace {

using Weights = std::vector<std::vector<std::int64_t>>;  ///< of each rank's blocks

/// Of `blocks` from place `first` on: how many follow one another and are found by `alike` to be like the first.
template <class Alike>
std::uint32_t run_of(const std::vector<std::uint32_t>& blocks, std::size_t first, const Alike& alike) {
  std::size_t last = first + 1;
  while (last < blocks.size() && blocks[last] == blocks[last - 1] + 1 && alike(blocks[last])) ++last;
  return static_cast<std::uint32_t>(last - first);
}

/// The weight that `rank` must have in `block` in the end, where it begins with rank + 1; nothing: any.
std::optional<std::int64_t> wanted_weight(const Collective& of, std::uint32_t rank, std::uint32_t block) {
  const std::int64_t all = std::int64_t{of.ranks} * (of.ranks + 1) / 2;
  switch (of.kind) {
    case CollectiveKind::all_reduce:
      return all;
    case CollectiveKind::reduce_scatter:
      return of.homes.at(block) == rank ? std::optional(all) : std::nullopt;
    case CollectiveKind::all_gather:
      return block + 1;
    case CollectiveKind::all_to_all:
      return block % of.ranks == rank ? std::optional<std::int64_t>(block / of.ranks + 1) : std::nullopt;
    case CollectiveKind::broadcast:
      return 1;
  }
  return std::nullopt;
}

/// What each rank does in each leg, or hop; weights of what each has so far.
class StepsOfRanks {
 public:
  StepsOfRanks(const Collective& collective, const std::vector<Words>& sizes, std::size_t legs)
      : of_(collective),
        sizes_(sizes),
        legs_(legs, std::vector<std::vector<RankStep>>(of_.ranks)),
        weights_(of_.ranks) {
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
    std::vector<std::uint32_t> blocks = one.blocks;
    std::erase_if(blocks, [&](std::uint32_t block) { return sizes_[block] == Words{0}; });
    const auto any = [](std::uint32_t) { return true; };
    const std::uint32_t sent_from = from == one.sender ? 0 : of_.blocks;
    for (std::size_t k = 0; k < blocks.size();) {
      const std::uint32_t run = run_of(blocks, k, any);
      legs_[leg][from].push_back({RankStep::What::sends, step_, Node{to}, sent_from + blocks[k], run, 0});
      k += run;
    }
    const bool arrives = to == one.receiver;
    const auto what = one.adds && arrives ? RankStep::What::adds : RankStep::What::takes;
    const std::vector<std::int64_t>& sent = before_[one.sender];
    for (std::size_t k = 0; k < blocks.size();) {
      const std::uint32_t first = blocks[k];
      const std::uint32_t run = run_of(blocks, k, [&](std::uint32_t block) { return sent[block] == sent[first]; });
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
    for (std::uint32_t rank = 0; rank < of_.ranks && !legs_.empty(); ++rank) add_wanted(rank);
    return std::move(legs_);
  }

 private:
  /// What a rank must have in the end, behind what it does in the last leg.
  void add_wanted(std::uint32_t rank) {
    std::vector<RankStep>& list = legs_.back()[rank];
    const auto after = static_cast<std::uint32_t>(of_.steps.size());
    for (std::uint32_t block = 0; block < of_.blocks; ++block) {
      const auto weight = wanted_weight(of_, rank, block);
      if (!weight || sizes_[block] == Words{0}) continue;
      RankStep* last = list.empty() || list.back().what != RankStep::What::holds ? nullptr : &list.back();
      if (last && last->first + last->blocks == block && last->weight == *weight)
        ++last->blocks;
      else
        list.push_back({RankStep::What::holds, after, Node{}, block, 1, *weight});
    }
  }

  const Collective& of_;
  const std::vector<Words>& sizes_;
  std::vector<std::vector<std::vector<RankStep>>> legs_;
  Weights weights_, before_;
  std::uint32_t step_ = ~std::uint32_t{0};
};

}  // namespace

std::vector<std::vector<std::vector<RankStep>>> rank_steps(const Collective& collective,
                                                           const std::vector<Words>& sizes,
                                                           const std::vector<Leg>& legs) {
  StepsOfRanks all(collective, sizes, legs.size());
  std::size_t leg = 0;
  for (std::uint32_t step = 0; step < collective.steps.size(); ++step) {
    all.begin(step);
    while (leg + 1 < legs.size() && step > legs[leg].last) ++leg;
    for (const CollectiveTransfer& one : collective.steps[step]) all.add(leg, one, one.sender, one.receiver);
  }
  return all.take();
}

std::vector<std::vector<std::vector<RankStep>>> rank_steps(const Collective& collective,
                                                           const std::vector<Words>& sizes,
                                                           const std::vector<Hop>& hops) {
  StepsOfRanks all(collective, sizes, hops.size());
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
