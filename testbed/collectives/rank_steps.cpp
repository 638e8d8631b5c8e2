// The list of a collective, rank by rank.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/rank_steps.hpp"

#include <algorithm>

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

/// What each rank does in each leg, or hop; weights of what each has so far in the blocks of the present phase.
class StepsOfRanks {
 public:
  StepsOfRanks(std::span<const PhaseList> phases, BlockStretch blocks, std::size_t legs)
      : phases_(phases),
        blocks_(blocks),
        ranks_(phases.front().list.ranks),
        legs_(legs, std::vector<std::vector<RankStep>>(ranks_)) {
    open_phase();
  }

  /// What is sent from now on is what is there now. @param step ascending; numbered on over phases
  void begin(std::uint32_t step) {
    if (step == step_) return;
    while (step >= first_step_ + phase().list.steps.size()) {
      first_step_ += static_cast<std::uint32_t>(phase().list.steps.size());
      first_block_ += phase().list.blocks;
      ++number_;
      open_phase();
    }
    before_ = weights_;
    step_ = step;
  }

  /// Of the step that has begun.
  const CollectiveStep& transfers() const { return phase().list.steps[step_ - first_step_]; }

  /// The part of a transfer's way from one node to the next.
  void add(std::size_t leg, const CollectiveTransfer& one, std::uint16_t from, std::uint16_t to) {
    std::vector<std::uint32_t> blocks = one.blocks;
    std::erase_if(blocks, [&](std::uint32_t block) { return phase().sizes[block] == Words{0}; });
    const auto any = [](std::uint32_t) { return true; };
    const bool arrives = to == one.receiver;
    for (std::size_t k = 0; k < blocks.size();) {
      const std::uint32_t run = run_of(blocks, k, any);
      legs_[leg][from].push_back(
          {RankStep::What::sends, step_, Node{to}, named(blocks[k], from == one.sender), run, 0});
      k += run;
    }
    const auto what = one.adds && arrives ? RankStep::What::adds : RankStep::What::takes;
    const std::vector<std::int64_t>& sent = before_[one.sender];
    for (std::size_t k = 0; k < blocks.size();) {
      const std::uint32_t first = blocks[k];
      const std::uint32_t run = run_of(blocks, k, [&](std::uint32_t block) { return sent[block] == sent[first]; });
      legs_[leg][to].push_back({what, step_, Node{from}, named(first, arrives), run, sent[first]});
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
    if (!legs_.empty()) add_held();
    return std::move(legs_);
  }

 private:
  const PhaseList& phase() const { return phases_[number_]; }

  void open_phase() {
    weights_.resize(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) weights_[rank].assign(phase().list.blocks, rank + 1);
  }

  /// A block of the phase as steps name it: the rank's own, or one that it relays.
  std::uint32_t named(std::uint32_t block, bool own) const { return (own ? 0 : blocks_.all) + first_block_ + block; }

  /// What ranks must have in the end, behind what they do in the last leg.
  void add_held() {
    std::uint32_t after = 0, first = blocks_.first;
    for (const PhaseList& each : phases_) after += static_cast<std::uint32_t>(each.list.steps.size());
    for (const PhaseList& each : phases_) {
      for (const HeldBlock& held : each.held) {
        if (each.sizes[held.block] == Words{0}) continue;
        std::vector<RankStep>& list = legs_.back()[held.node];
        const std::uint32_t block = first + held.block;
        RankStep* last = list.empty() || list.back().what != RankStep::What::holds ? nullptr : &list.back();
        if (last && last->first + last->blocks == block && last->weight == held.weight)
          ++last->blocks;
        else
          list.push_back({RankStep::What::holds, after, Node{}, block, 1, held.weight});
      }
      first += each.list.blocks;
    }
  }

  std::span<const PhaseList> phases_;
  BlockStretch blocks_;
  std::uint32_t ranks_;
  std::vector<std::vector<std::vector<RankStep>>> legs_;
  std::size_t number_ = 0;  ///< of the present phase
  std::uint32_t first_step_ = 0, first_block_ = blocks_.first;
  Weights weights_, before_;
  std::uint32_t step_ = ~std::uint32_t{0};
};

}  // namespace

std::vector<std::vector<std::vector<RankStep>>> rank_steps(std::span<const PhaseList> phases,
                                                           const std::vector<Leg>& legs, BlockStretch blocks) {
  StepsOfRanks all(phases, blocks, legs.size());
  std::uint32_t steps = 0;
  for (const PhaseList& phase : phases) steps += static_cast<std::uint32_t>(phase.list.steps.size());
  std::size_t leg = 0;
  for (std::uint32_t step = 0; step < steps; ++step) {
    all.begin(step);
    while (leg + 1 < legs.size() && step > legs[leg].last) ++leg;
    for (const CollectiveTransfer& one : all.transfers()) all.add(leg, one, one.sender, one.receiver);
  }
  return all.take();
}

std::vector<std::vector<std::vector<RankStep>>> rank_steps(std::span<const PhaseList> phases,
                                                           const std::vector<Hop>& hops, BlockStretch blocks) {
  StepsOfRanks all(phases, blocks, hops.size());
  for (std::size_t hop = 0; hop < hops.size(); ++hop)
    for (std::uint32_t step = hops[hop].first; step <= hops[hop].last; ++step) {
      all.begin(step);
      for (const CollectiveTransfer& one : all.transfers())
        for (const HopBurst& burst : hops[hop].bursts)
          if (burst.sender == one.sender && burst.receiver == one.receiver) all.add(hop, one, burst.from, burst.to);
    }
  return all.take();
}

}  // namespace ocs
