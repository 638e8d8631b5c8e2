// Ring all-reduce: N blocks go round twice, to be added and to be taken.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/catalogue.hpp"

namespace ocs {

Collective ring(std::uint16_t ranks) {
  const std::uint32_t n = ranks;
  Collective all{n, n, {}};
  for (std::uint32_t step = 0; step < 2 * (n - 1); ++step)
    for (std::uint16_t rank = 0; rank < n; ++rank) {
      const auto next = static_cast<std::uint16_t>((rank + 1) % n);
      all.steps.push_back({step, rank, next, (rank + 2 * n - step) % n, 1, step < n - 1});
    }
  return all;
}

}  // namespace ocs
