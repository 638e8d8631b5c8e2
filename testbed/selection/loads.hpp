// Pairs that are being selected, with the loads of all ports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "testbed/selection/selection.hpp"

namespace ocs {

/// A selection in the making. The problem outlives it.
class Loads {
 public:
  explicit Loads(const SelectionProblem& problem)
      : problem_(problem), pairs_(problem.peers), sender_(problem.peers), receiver_(problem.peers) {}

  bool has(std::size_t i, std::size_t j) const { return pairs_[i].test(j); }
  std::size_t fan_out(std::size_t i) const { return pairs_[i].count(); }
  const PeerPairs& pairs() const { return pairs_; }
  Ticks sender(std::size_t i) const { return sender_[i]; }
  Ticks receiver(std::size_t j) const { return receiver_[j]; }

  /// The loads of both ports if the pair were selected as well.
  Ticks sender_with(std::size_t i, std::size_t j) const {
    const Ticks cost = problem_.sender_cost(i, j);
    return problem_.layer == Layer::network ? std::max(sender_[i], cost) : sender_[i] + cost;
  }
  Ticks receiver_with(std::size_t i, std::size_t j) const { return receiver_[j] + problem_.receiver_cost(i, j); }

  void add(std::size_t i, std::size_t j) {
    if (has(i, j)) return;
    sender_[i] = sender_with(i, j);
    receiver_[j] = receiver_with(i, j);
    pairs_[i].set(j);
  }

  /// Gives sender i those of `from` that it hasn't, until it has as many as it needs: the receiver that would be loaded
  /// least, of several the first. Loads count as they are when it begins.
  void add_lightest(std::size_t i, const Outputs& from) {
    std::vector<std::pair<Ticks, std::size_t>> candidates;
    for (std::size_t j = 0; j < problem_.peers; ++j)
      if (from.test(j) && !has(i, j) && i != j) candidates.emplace_back(receiver_with(i, j), j);
    std::sort(candidates.begin(), candidates.end());
    for (const auto& [load, j] : candidates) {
      if (fan_out(i) >= problem_.least[i]) return;
      add(i, j);
    }
  }

  Ticks longest() const {
    return std::max(*std::max_element(sender_.begin(), sender_.end()),
                    *std::max_element(receiver_.begin(), receiver_.end()));
  }

 private:
  const SelectionProblem& problem_;
  PeerPairs pairs_;
  std::vector<Ticks> sender_, receiver_;
};

/// Pairs of `from` that `loads` hasn't: those that weren't served for longest first, then by sender and receiver.
std::vector<PeerPair> longest_unsent_first(const SelectionProblem& problem, const PeerPairs& from, const Loads& loads);

/// All pairs but those of a peer with itself.
PeerPairs all_pairs(std::size_t peers);

}  // namespace ocs
