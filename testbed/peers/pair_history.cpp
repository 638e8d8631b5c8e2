// Counts of rounds.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/peers/pair_history.hpp"

namespace ocs {

std::vector<PeerPair> PairHistory::must() const {
  std::vector<PeerPair> pairs;
  if (!most_) return pairs;
  for (std::uint16_t i = 0; i < peers_; ++i)
    for (std::uint16_t j = 0; j < peers_; ++j)
      if (i != j && unsent_[i * peers_ + j] >= *most_) pairs.emplace_back(i, j);
  return pairs;
}

void PairHistory::round(std::size_t i, const Outputs& receivers) {
  for (std::size_t j = 0; j < peers_; ++j) {
    std::uint32_t& rounds = unsent_[i * peers_ + j];
    rounds = receivers.test(j) || i == j ? 0 : rounds + 1;
  }
}

}  // namespace ocs
