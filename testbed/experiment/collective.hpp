// Collectives in place of parameter servers: key and checks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbed/collectives/collective.hpp"
#include "testbed/experiment/fit.hpp"

namespace ocs {

/// "none", and all collectives.
std::vector<std::string> collective_names();

/// A point's collective, and how its model is cut. @throws Error (input) with half a sentence: "must ...", without
/// place
struct PointCollective {
  Collective list;
  std::vector<Words> sizes;  ///< of its blocks
  std::vector<Leg> legs;
  std::int64_t words = 0;  ///< of the model, as one
};
PointCollective collective_of(const Point& point);

/// Checks that the point's collective can be run. @throws Error (input).
void check_collective(const Point& point, const Origins& origins);

}  // namespace ocs
