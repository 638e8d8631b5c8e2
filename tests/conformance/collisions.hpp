// Programs in which two things happen to one output, in each of its states and at each distance: what the contract orders.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

struct Collision {
  std::string name;  ///< "output 2: COMMIT, then LOS, in cycle 3 and 1 later"
  std::vector<Op> program;
};

/// How many there are for each output of a switch.
std::size_t collisions_of_an_output();

/// Connects an output whose input sends (T = 3, L = 2, so that it passes TUNING, LOCKING and UP), then lets one thing happen
/// in cycle 0 to 7, and another one in the same cycle or up to two later; then some cycles one by one, and a soft reset.
/// @param number below collisions_of_an_output()
Collision collision(int ports, int output, std::size_t number);

/// Every map of a switch, with no circuit, each input and one that does not exist for each output: (N + 2)^N commits by
/// software, MULTICAST off, then on.
std::vector<Op> every_map(int ports);

}  // namespace ocs::conformance
