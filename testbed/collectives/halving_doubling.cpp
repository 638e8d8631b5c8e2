// Halving-doubling: halves of halves are exchanged and added, then the same way back.
// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "testbed/collectives/lists.hpp"

namespace ocs {
namespace {

/// The `half` blocks whose numbers differ from `rank` in bits below `half` only.
std::vector<std::uint32_t> near(std::uint32_t rank, std::uint32_t half) {
  std::vector<std::uint32_t> blocks(half);
  std::iota(blocks.begin(), blocks.end(), rank & ~(half - 1));
  return blocks;
}

}  // namespace

Collective halving_reduce_scatter(std::uint16_t ranks, std::uint32_t) {
  Collective all{CollectiveKind::reduce_scatter, ranks, ranks, {}, own_homes(ranks)};
  for (const std::uint32_t half : powers_down(ranks))
    all.steps.push_back(step_of_all(
        ranks, true, [=](std::uint32_t r) { return r ^ half; }, [=](std::uint32_t r) { return near(r ^ half, half); }));
  return all;
}

Collective halving_all_gather(std::uint16_t ranks, std::uint32_t) {
  Collective all{CollectiveKind::all_gather, ranks, ranks, {}};
  for (const std::uint32_t half : powers_up(ranks))
    all.steps.push_back(step_of_all(
        ranks, false, [=](std::uint32_t r) { return r ^ half; }, [=](std::uint32_t r) { return near(r, half); }));
  return all;
}

Collective halving_doubling(std::uint16_t ranks, std::uint32_t chunks) {
  return all_reduce_of(halving_reduce_scatter(ranks, chunks), halving_all_gather(ranks, chunks));
}

}  // namespace ocs
