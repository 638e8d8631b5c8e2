// What a policy plans for the iterations of a point's collective.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "testbed/collectives/collective_job.hpp"
#include "testbed/experiment/fit/collective.hpp"

namespace ocs {

/// The plan of each iteration is made for the map that the one before leaves, so they repeat after a while;
/// iterations that differ have a plan each.
/// @throws Error (input) if the policy's maps don't reach every receiver
std::vector<CollectiveMaps::Iteration> iteration_plans(const Point& point, const CollectiveSpec& spec);

/// The same of the copy of a list that one of several planes runs by itself.
std::vector<CollectiveMaps::Iteration> copy_plans(const Point& point, const CollectiveSpec& spec, std::uint32_t plane);

}  // namespace ocs
