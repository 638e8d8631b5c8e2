// Broadcasts from rank 0: everybody who has it passes it on, or chunk after chunk in a chain.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/lists.hpp"

namespace ocs {

Collective binomial_broadcast(std::uint16_t ranks, std::uint32_t) {
  const std::uint32_t n = ranks;
  Collective all{CollectiveKind::broadcast, n, 1, {}};
  for (const std::uint32_t d : powers_up(n))
    all.steps.push_back(step_of_all(
        n, false, [=](std::uint32_t r) { return (r + d) % n; },
        [=](std::uint32_t r) { return std::vector<std::uint32_t>(r < d && r + d < n ? 1 : 0, 0); }));
  return all;
}

Collective chain_broadcast(std::uint16_t ranks, std::uint32_t chunks) {
  const std::uint32_t n = ranks;
  Collective all{CollectiveKind::broadcast, n, chunks, {}};
  for (std::uint32_t t = 0; t + 2 < n + chunks; ++t)
    all.steps.push_back(step_of_all(
        n - 1, false, [](std::uint32_t r) { return r + 1; },
        [=](std::uint32_t r) { return r <= t && t - r < chunks ? std::vector{t - r} : std::vector<std::uint32_t>{}; }));
  return all;
}

}  // namespace ocs
