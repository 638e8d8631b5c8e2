// Lists whose every step goes to the next rank: one configuration of the switch.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/lists.hpp"

namespace ocs {
namespace {

/// N - 1 steps in which rank r sends block r + first - k to the next.
Collective around(CollectiveKind kind, std::uint32_t n, std::uint32_t first) {
  Collective all{kind, n, n, {}};
  for (std::uint32_t k = 0; k + 1 < n; ++k)
    all.steps.push_back(step_of_all(
        n, kind == CollectiveKind::reduce_scatter, [=](std::uint32_t r) { return (r + 1) % n; },
        [=](std::uint32_t r) { return std::vector{(r + first + n - k) % n}; }));
  return all;
}

}  // namespace

Collective ring_reduce_scatter(std::uint16_t ranks, std::uint32_t) {
  Collective all = around(CollectiveKind::reduce_scatter, ranks, 0);
  for (std::uint32_t block = 0; block < ranks; ++block)
    all.homes.push_back(static_cast<std::uint16_t>((block + ranks - 1u) % ranks));
  return all;
}

Collective ring_all_gather(std::uint16_t ranks, std::uint32_t) { return around(CollectiveKind::all_gather, ranks, 0); }

Collective ring_all_reduce(std::uint16_t ranks, std::uint32_t chunks) {
  return all_reduce_of(ring_reduce_scatter(ranks, chunks), around(CollectiveKind::all_gather, ranks, 1));
}

Collective ring_all_to_all(std::uint16_t ranks, std::uint32_t) {
  const std::uint32_t n = ranks;
  Collective all{CollectiveKind::all_to_all, n, n * n, {}};
  for (std::uint32_t h = 0; h + 1 < n; ++h)
    all.steps.push_back(step_of_all(
        n, false, [=](std::uint32_t r) { return (r + 1) % n; },
        [=](std::uint32_t r) {
          const std::uint32_t s = (r + n - h) % n;
          std::vector<std::uint32_t> blocks;
          for (std::uint32_t off = h + 1; off < n; ++off) blocks.push_back(s * n + (s + off) % n);
          return blocks;
        }));
  return all;
}

}  // namespace ocs
