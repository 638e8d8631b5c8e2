// All-to-all in which every block goes straight to its receiver: by shifts, in pairs, or all at once.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/lists.hpp"

namespace ocs {

Collective linear_all_to_all(std::uint16_t ranks, std::uint32_t) {
  const std::uint32_t n = ranks;
  Collective all{CollectiveKind::all_to_all, n, n * n, {}};
  for (std::uint32_t k = 1; k < n; ++k)
    all.steps.push_back(step_of_all(
        n, false, [=](std::uint32_t r) { return (r + k) % n; },
        [=](std::uint32_t r) { return std::vector{r * n + (r + k) % n}; }));
  return all;
}

Collective direct_all_to_all(std::uint16_t ranks, std::uint32_t chunks) {
  Collective all = linear_all_to_all(ranks, chunks);
  all.at_once = true;
  return all;
}

Collective pairwise_all_to_all(std::uint16_t ranks, std::uint32_t) {
  const std::uint32_t n = ranks;
  Collective all{CollectiveKind::all_to_all, n, n * n, {}};
  for (std::uint32_t k = 1; k < n; ++k)
    all.steps.push_back(step_of_all(
        n, false, [=](std::uint32_t r) { return r ^ k; },
        [=](std::uint32_t r) { return std::vector{r * n + (r ^ k)}; }));
  return all;
}

}  // namespace ocs
