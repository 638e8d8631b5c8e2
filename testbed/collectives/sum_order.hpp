// In which order the ranks of a collective add up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/collectives/collective.hpp"

namespace ocs {

/// Whether the sum of each block goes through the same additions at every rank, but for which of two numbers is named
/// first. Then all ranks end with the same bits even where additions round.
bool adds_alike(const Collective& collective);

}  // namespace ocs
