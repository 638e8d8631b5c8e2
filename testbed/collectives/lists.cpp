// What lists are made of.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/lists.hpp"

#include <algorithm>
#include <numeric>

namespace ocs {

std::vector<std::uint32_t> powers_up(std::uint32_t ranks) {
  std::vector<std::uint32_t> powers;
  for (std::uint32_t d = 1; d < ranks; d *= 2) powers.push_back(d);
  return powers;
}

std::vector<std::uint32_t> powers_down(std::uint32_t ranks) {
  std::vector<std::uint32_t> powers = powers_up(ranks);
  std::reverse(powers.begin(), powers.end());
  return powers;
}

CollectiveStep step_of_all(std::uint32_t ranks, bool adds, const std::function<std::uint32_t(std::uint32_t)>& receiver,
                           const std::function<std::vector<std::uint32_t>(std::uint32_t)>& blocks) {
  CollectiveStep step;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    if (std::vector<std::uint32_t> sent = blocks(rank); !sent.empty())
      step.push_back(
          {static_cast<std::uint16_t>(rank), static_cast<std::uint16_t>(receiver(rank)), std::move(sent), adds});
  return step;
}

std::vector<std::uint16_t> own_homes(std::uint32_t ranks) {
  std::vector<std::uint16_t> homes(ranks);
  std::iota(homes.begin(), homes.end(), std::uint16_t{0});
  return homes;
}

Collective all_reduce_of(const Collective& scatter, const Collective& gather) {
  Collective all{CollectiveKind::all_reduce, scatter.ranks, scatter.blocks, scatter.steps};
  all.steps.insert(all.steps.end(), gather.steps.begin(), gather.steps.end());
  return all;
}

}  // namespace ocs
