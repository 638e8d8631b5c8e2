// Runs a collective over a network, iteration after iteration.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "host/core/network.hpp"
#include "testbed/collectives/peers.hpp"

namespace ocs {

struct CollectiveJob {
  const Collective& collective;  ///< checked; rank w is node w
  std::vector<Words> sizes;      ///< of its blocks
  std::vector<Leg> legs;
  std::int64_t word_bytes = 64;
  std::uint32_t iterations = 1;
  std::function<Picos(std::size_t rank, std::uint32_t iteration)> compute;
  Picos control_latency;  ///< that a rank has computed, or has a leg, is heard so much later
};

struct CollectiveRun {
  std::vector<Picos> begins;  ///< of each iteration: all have computed, and that is heard
  std::vector<Picos> ends;    ///< everybody has the sums
  std::int64_t words = 0;     ///< that arrived
  Picos end;
};

/// A leg begins when everybody has the one before, the first one when everybody has computed; ranks compute again when
/// everybody has the sums. @param tell of each iteration that is over
/// @throws Error (run) for a word that doesn't arrive, or not once
CollectiveRun carry(const CollectiveJob& job, Network& network, Peers& peers,
                    const std::function<void(std::uint32_t iteration, Picos now)>& tell = {});

}  // namespace ocs
