// The abstract study of SELMCAST: equal models, rates drawn around their mean, times as shares of what p blocks take.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/core/policy.hpp"
#include "testbed/selection/selection.hpp"

namespace ocs::test {

struct StudyCase {
  std::uint16_t peers;
  std::int64_t lambda_percent;  ///< rates are b (1 + lambda U[-1, 1]), of each port and direction
  int draws;
  std::int64_t sender_rate = 1;  ///< mu: senders' ports are so many times as fast; 0: 1 / p, in numbers of receivers
  std::int64_t tx_ns = 1'000'000;
  std::int64_t delta_ns = 0;
  bool planned_with_delta = true;  ///< else plans are made as if circuits came at once, and pay for them all the same
};

/// Means over the draws.
struct StudyRow {
  double network, application, random;  ///< longest load of a port / (p * (tx + delta)); random: by the network layer
  double network_receivers, application_receivers;  ///< of a sender, as a share of the peers
};

/// p = .3 of the peers, rounded. A draw's ports are those of `seed` and its number.
StudyRow study(const StudyCase& one, std::uint64_t seed);

/// p receivers each among equal peers; every receiver's block takes a tau.
SelectionProblem equal_peers(std::uint16_t peers, std::uint32_t least, Ticks tau, Layer layer, std::uint64_t seed = 1);

/// The pairs as flows of `length`: one of each sender to all its receivers, or one of each pair.
Problem as_flows(const PeerPairs& pairs, Ticks length, Ticks delta, bool multicast);

}  // namespace ocs::test
