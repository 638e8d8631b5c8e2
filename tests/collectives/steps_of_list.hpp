// The steps of a collective's list, as a plan of planes takes them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "testbed/collectives/collective.hpp"

namespace ocs::test {

/// What crosses in each step that has words. Nothing streams, as on planes.
/// @param sizes words of each block
inline std::vector<std::vector<LegTransfer>> steps_of_list(const Collective& list, const std::vector<Words>& sizes) {
  std::vector<std::vector<LegTransfer>> steps;
  for (const Leg& leg : legs_of(list, sizes, no_streaming))
    steps.insert(steps.end(), leg.steps.begin(), leg.steps.end());
  return steps;
}

}  // namespace ocs::test
