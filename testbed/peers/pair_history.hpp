// How long each peer hasn't sent to each other one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "testbed/selection/selection.hpp"

namespace ocs {

class PairHistory {
 public:
  /// @param most rounds in which a peer may leave another one out; none: any number
  PairHistory(std::size_t peers, std::optional<std::uint32_t> most)
      : peers_(peers), most_(most), unsent_(peers * peers, 0) {}

  /// Rounds in which i hasn't sent to j, at i * peers + j.
  const std::vector<std::uint32_t>& unsent() const { return unsent_; }
  /// Pairs that have to be served now, ascending.
  std::vector<PeerPair> must() const;
  /// Peer i has had a round, and sent to these.
  void round(std::size_t i, const Outputs& receivers);

 private:
  std::size_t peers_;
  std::optional<std::uint32_t> most_;
  std::vector<std::uint32_t> unsent_;
};

}  // namespace ocs
