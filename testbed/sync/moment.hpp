// Choice of the moment at which workers of different speed should meet.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/units.hpp"
#include "testbed/sync/settings.hpp"

namespace ocs {

struct Moment {
  Ticks at;
  std::vector<std::uint32_t> quota;  ///< of each worker: its ends up to then, 1 or more
};

/// Among all predicted ends at which every worker has ended once, the one of least cost: range = the moment less the
/// earliest of the workers' latest ends; total = the sum of the waits from the latest ends. Among equals the earliest.
/// O(E log E) for E ends.
/// @param ends of each worker, ascending. @throws Error (internal) without workers or for a worker without ends.
Moment choose_moment(const std::vector<std::vector<Ticks>>& ends, Objective objective);

}  // namespace ocs
