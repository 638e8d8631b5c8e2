// Which steps share circuits and may stream.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "host/core/ids.hpp"
#include "testbed/collectives/collective.hpp"

namespace ocs {
namespace {

/// A step without what has no words.
struct SizedStep {
  std::uint32_t number;
  std::vector<const CollectiveTransfer*> of;
  std::vector<LegTransfer> transfers;  ///< of each of these
};

std::vector<SizedStep> steps_with_words(const Collective& collective, const std::vector<Words>& sizes) {
  std::vector<SizedStep> steps;
  for (std::uint32_t s = 0; s < collective.steps.size(); ++s) {
    SizedStep step{s, {}, {}};
    for (const CollectiveTransfer& one : collective.steps[s]) {
      Words words{0};
      for (const std::uint32_t block : one.blocks) words += sizes[block];
      if (words == Words{0}) continue;
      step.of.push_back(&one);
      step.transfers.push_back({one.sender, one.receiver, words});
    }
    if (!step.of.empty()) steps.push_back(std::move(step));
  }
  return steps;
}

bool same_pairs(const SizedStep& a, const SizedStep& b) {
  return std::equal(
      a.transfers.begin(), a.transfers.end(), b.transfers.begin(), b.transfers.end(),
      [](const LegTransfer& x, const LegTransfer& y) { return x.sender == y.sender && x.receiver == y.receiver; });
}

/// A leg in the making: where in the bursts each rank sent a block, and got it.
class Streaming {
 public:
  Streaming(const Collective& collective, const std::vector<Words>& sizes, std::int64_t lag)
      : blocks_(collective.blocks), ranks_(collective.ranks), sizes_(sizes), lag_(lag) {}

  void begin(const SizedStep& step) {
    for (const std::size_t place : touched_) came_[place] = sent_[place] = nowhere;
    touched_.clear();
    length_.assign(step.of.size(), 0);
    if (came_.empty()) came_.assign(std::size_t{ranks_} * blocks_, nowhere), sent_ = came_;
    add(step);
  }

  /// Adds the step. @returns whether it streams behind what there is: whatever a rank passes on has come before, and
  /// nothing that it receives takes the place of what it hasn't sent. If it doesn't, the leg is of no use any more.
  bool add(const SizedStep& step) {
    coming_.clear();
    for (std::size_t k = 0; k < step.of.size(); ++k)
      for (const std::uint32_t block : step.of[k]->blocks) {
        if (sizes_[block] == Words{0}) continue;
        const std::size_t from = place(step.of[k]->sender, block);
        if (came_[from] != nowhere && length_[k] < came_[from] + lag_) return false;
        sent_[from] = length_[k];
        touched_.push_back(from);
        coming_.emplace_back(place(step.of[k]->receiver, block), length_[k]);
        length_[k] += sizes_[block].n;
      }
    for (const auto& [to, at] : coming_) {
      if (sent_[to] != nowhere && at < sent_[to]) return false;
      came_[to] = at;
      touched_.push_back(to);
    }
    return true;
  }

 private:
  static constexpr std::int64_t nowhere = -1;
  std::size_t place(std::uint16_t rank, std::uint32_t block) const { return std::size_t{rank} * blocks_ + block; }

  std::uint32_t blocks_, ranks_;
  const std::vector<Words>& sizes_;
  std::int64_t lag_;
  std::vector<std::int64_t> length_;       ///< words of each burst
  std::vector<std::int64_t> came_, sent_;  ///< of each rank and block: when, in words from the beginning
  std::vector<std::size_t> touched_;       ///< where these are somewhere
  std::vector<std::pair<std::size_t, std::int64_t>> coming_;
};

Leg leg_of(std::vector<SizedStep>::const_iterator first, std::vector<SizedStep>::const_iterator end) {
  Leg leg{first->number, (end - 1)->number, first->transfers};
  for (auto step = first; step != end; ++step) {
    leg.steps.push_back(step->transfers);
    leg.numbers.push_back(step->number);
    for (std::size_t k = 0; step != first && k < leg.transfers.size(); ++k)
      leg.transfers[k].words += step->transfers[k].words;
  }
  return leg;
}

/// One leg, with a transfer for each pair.
Leg leg_at_once(const std::vector<SizedStep>& steps) {
  Leg leg{steps.front().number, steps.back().number, {}};
  std::map<std::pair<std::uint16_t, std::uint16_t>, Words> words;
  for (const SizedStep& step : steps) {
    leg.steps.push_back(step.transfers);
    leg.numbers.push_back(step.number);
    for (const LegTransfer& one : step.transfers) words[{one.sender, one.receiver}] += one.words;
  }
  for (const auto& [pair, all] : words) leg.transfers.push_back({pair.first, pair.second, all});
  return leg;
}

}  // namespace

bool fits_one_map(const Leg& leg) {
  std::vector<bool> sends(max_ports, false), receives(max_ports, false);
  for (const LegTransfer& one : leg.transfers) {
    if (sends[one.sender] || receives[one.receiver]) return false;
    sends[one.sender] = receives[one.receiver] = true;
  }
  return true;
}

std::vector<Leg> legs_of(const Collective& collective, const std::vector<Words>& sizes, std::int64_t lag) {
  const std::vector<SizedStep> steps = steps_with_words(collective, sizes);
  if (collective.at_once && !steps.empty()) return {leg_at_once(steps)};
  Streaming leg(collective, sizes, lag);
  std::vector<Leg> legs;
  for (auto first = steps.begin(); first != steps.end();) {
    auto end = first + 1;
    const auto alike = [&] { return end != steps.end() && same_pairs(*first, *end); };
    if (alike()) leg.begin(*first);
    while (alike() && leg.add(*end)) ++end;
    legs.push_back(leg_of(first, end));
    first = end;
  }
  return legs;
}

}  // namespace ocs
