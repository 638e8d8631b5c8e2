// Halving-doubling: halves of halves are exchanged and added, then the same way back.
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "testbed/collectives/catalogue.hpp"

namespace ocs {

Collective halving_doubling(std::uint16_t ranks) {
  const std::uint32_t n = power_of_two(ranks, "halving_doubling");
  Collective all{n, n, {}};
  std::uint32_t step = 0;
  for (std::uint32_t half = n / 2; half > 0; half /= 2, ++step)
    for (std::uint16_t rank = 0; rank < n; ++rank) {  // its own part keeps the bits above `half`
      const auto peer = static_cast<std::uint16_t>(rank ^ half);
      all.steps.push_back({step, rank, peer, peer & ~(half - 1), half, true});
    }
  for (std::uint32_t half = 1; half < n; half *= 2, ++step)
    for (std::uint16_t rank = 0; rank < n; ++rank)
      all.steps.push_back({step, rank, static_cast<std::uint16_t>(rank ^ half), rank & ~(half - 1), half, false});
  return all;
}

}  // namespace ocs
