// Recursive doubling: everything is exchanged and added, with partners at growing distance; few steps, many bytes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/lists.hpp"

namespace ocs {

Collective recursive_doubling(std::uint16_t ranks, std::uint32_t) {
  Collective all{CollectiveKind::all_reduce, ranks, 1, {}};
  for (const std::uint32_t half : powers_up(ranks))
    all.steps.push_back(step_of_all(
        ranks, true, [=](std::uint32_t r) { return r ^ half; }, [](std::uint32_t) { return std::vector{0u}; }));
  return all;
}

}  // namespace ocs
