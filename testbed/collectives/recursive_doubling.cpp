// Recursive doubling: everything is exchanged and added, with partners at growing distance; few steps, many bytes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/catalogue.hpp"

namespace ocs {

Collective recursive_doubling(std::uint16_t ranks) {
  const std::uint32_t n = power_of_two(ranks, "recursive_doubling");
  Collective all{n, 1, {}};
  std::uint32_t step = 0;
  for (std::uint32_t half = 1; half < n; half *= 2, ++step)
    for (std::uint16_t rank = 0; rank < n; ++rank)
      all.steps.push_back({step, rank, static_cast<std::uint16_t>(rank ^ half), 0, 1, true});
  return all;
}

}  // namespace ocs
