// Several switches, with a port of every node on each: one is reconfigured while others carry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "testbed/collectives/policies.hpp"

namespace ocs {

struct PlaneCost {
  std::int64_t cycles = 0, changes = 0;  ///< changes: planes told a new map
  friend auto operator<=>(const PlaneCost&, const PlaneCost&) = default;
};

/// Steps of a list, one after the other, without streaming or relays; all planes are dark at first.
struct PlaneSteps {
  std::vector<std::vector<LegTransfer>> steps;  ///< sized_steps()
  std::uint32_t planes;                         ///< 1 or more
  SwitchTimes times;
};

/// All planes are told each step's pairs, unless they have them, and share its words.
PlaneCost together(const PlaneSteps& steps);
/// Plane s mod P carries step s alone, and is told the pairs of step s + P when s ends.
PlaneCost alternate(const PlaneSteps& steps);
/// The fastest, and of these with the fewest changes, if at the beginning of each step each plane may be told the pairs
/// of it or of one of the P - 1 next, and those that have the step's pairs carry it. @throws Error (input) for more
/// than 65536 states at a step
PlaneCost overlap(const PlaneSteps& steps);

/// Each plane runs the list on its own share of the words: cycles of the longest, tunings of all.
/// @param plans one for each plane's share
LegCost copies(std::span<const ReconfigurationPlan> plans);

}  // namespace ocs
