// Bruck's lists: every step is a shift by a power of two (Bruck et al., IEEE TPDS 1997).
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbed/collectives/lists.hpp"

namespace ocs {

Collective bruck_reduce_scatter(std::uint16_t ranks, std::uint32_t) {
  const std::uint32_t n = ranks;
  Collective all{CollectiveKind::reduce_scatter, n, n, {}, own_homes(n)};
  for (const std::uint32_t d : powers_down(n))
    all.steps.push_back(step_of_all(
        n, true, [=](std::uint32_t r) { return (r + d) % n; },
        [=](std::uint32_t r) {
          std::vector<std::uint32_t> blocks;
          for (std::uint32_t i = 0; i < std::min(d, n - d); ++i) blocks.push_back((r + d + i) % n);
          return blocks;
        }));
  return all;
}

Collective bruck_all_gather(std::uint16_t ranks, std::uint32_t) {
  const std::uint32_t n = ranks;
  Collective all{CollectiveKind::all_gather, n, n, {}};
  for (const std::uint32_t d : powers_up(n))
    all.steps.push_back(step_of_all(
        n, false, [=](std::uint32_t r) { return (r + d) % n; },
        [=](std::uint32_t r) {
          std::vector<std::uint32_t> blocks;
          for (std::uint32_t i = 0; i < std::min(d, n - d); ++i) blocks.push_back((r + n - i) % n);
          return blocks;
        }));
  return all;
}

Collective bruck_all_reduce(std::uint16_t ranks, std::uint32_t chunks) {
  return all_reduce_of(bruck_reduce_scatter(ranks, chunks), bruck_all_gather(ranks, chunks));
}

Collective bruck_all_to_all(std::uint16_t ranks, std::uint32_t) {
  const std::uint32_t n = ranks;
  Collective all{CollectiveKind::all_to_all, n, n * n, {}};
  for (const std::uint32_t d : powers_up(n))
    all.steps.push_back(step_of_all(
        n, false, [=](std::uint32_t r) { return (r + d) % n; },
        [=](std::uint32_t r) {
          std::vector<std::uint32_t> blocks;
          for (std::uint32_t off = 1; off < n; ++off) {
            if ((off & d) == 0) continue;
            const std::uint32_t s = (r + n - off % d) % n;
            blocks.push_back(s * n + (s + off) % n);
          }
          return blocks;
        }));
  return all;
}

}  // namespace ocs
