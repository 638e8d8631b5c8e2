// The lists of the catalogue, and what most of them are made of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "testbed/collectives/collective.hpp"

namespace ocs {

/// d = 1, 2, 4, ... below `ranks`.
std::vector<std::uint32_t> powers_up(std::uint32_t ranks);
/// The same backwards.
std::vector<std::uint32_t> powers_down(std::uint32_t ranks);

/// A step in which each of `ranks` sends `blocks(rank)` to `receiver(rank)`; a rank without blocks sends nothing.
CollectiveStep step_of_all(std::uint32_t ranks, bool adds, const std::function<std::uint32_t(std::uint32_t)>& receiver,
                           const std::function<std::vector<std::uint32_t>(std::uint32_t)>& blocks);

/// Each block's sum is at the rank of the same number.
std::vector<std::uint16_t> own_homes(std::uint32_t ranks);

/// The steps of `scatter`, a reduce_scatter, then those of `gather`.
Collective all_reduce_of(const Collective& scatter, const Collective& gather);

Collective ring_reduce_scatter(std::uint16_t ranks, std::uint32_t chunks);
Collective ring_all_gather(std::uint16_t ranks, std::uint32_t chunks);
Collective ring_all_reduce(std::uint16_t ranks, std::uint32_t chunks);
Collective ring_all_to_all(std::uint16_t ranks, std::uint32_t chunks);
Collective halving_reduce_scatter(std::uint16_t ranks, std::uint32_t chunks);
Collective halving_all_gather(std::uint16_t ranks, std::uint32_t chunks);
Collective halving_doubling(std::uint16_t ranks, std::uint32_t chunks);
Collective swing_reduce_scatter(std::uint16_t ranks, std::uint32_t chunks);
Collective swing_all_gather(std::uint16_t ranks, std::uint32_t chunks);
Collective swing_all_reduce(std::uint16_t ranks, std::uint32_t chunks);
Collective swing_latency(std::uint16_t ranks, std::uint32_t chunks);
Collective bruck_reduce_scatter(std::uint16_t ranks, std::uint32_t chunks);
Collective bruck_all_gather(std::uint16_t ranks, std::uint32_t chunks);
Collective bruck_all_reduce(std::uint16_t ranks, std::uint32_t chunks);
Collective bruck_all_to_all(std::uint16_t ranks, std::uint32_t chunks);
Collective recursive_doubling(std::uint16_t ranks, std::uint32_t chunks);
Collective linear_all_to_all(std::uint16_t ranks, std::uint32_t chunks);
Collective direct_all_to_all(std::uint16_t ranks, std::uint32_t chunks);
Collective pairwise_all_to_all(std::uint16_t ranks, std::uint32_t chunks);
Collective binomial_broadcast(std::uint16_t ranks, std::uint32_t chunks);
Collective chain_broadcast(std::uint16_t ranks, std::uint32_t chunks);

}  // namespace ocs
