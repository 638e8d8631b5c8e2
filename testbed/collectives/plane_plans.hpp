// Several switches, with a port of every node on each: one is reconfigured while others carry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "testbed/collectives/policies.hpp"

namespace ocs {

struct PlaneCost {
  std::int64_t cycles = 0, changes = 0;  ///< changes: planes told a new map
  friend auto operator<=>(const PlaneCost&, const PlaneCost&) = default;
};

/// Sender and receiver.
using PortPair = std::pair<std::uint16_t, std::uint16_t>;

/// Steps, one after the other, without streaming or relays.
struct PlaneSteps {
  std::vector<std::vector<LegTransfer>> steps;  ///< Leg::steps, of all legs in turn
  std::uint32_t planes;                         ///< 1 or more
  SwitchTimes times;                            ///< a plane is up as a whole, after `delta`; nodes are alike
  std::vector<std::int64_t> gaps{};             ///< cycles of computing before each step; empty: none
  std::vector<std::vector<PortPair>> start{};   ///< of each plane, the pairs that it has at first; empty: all dark

  std::int64_t gap(std::size_t step) const { return gaps.empty() ? 0 : gaps[step]; }
};

/// A plane that carries words of a step.
struct PlaneCarrier {
  std::uint32_t plane;
  std::int64_t from;  ///< cycles from the step's beginning on which its first word can go
  friend bool operator==(const PlaneCarrier&, const PlaneCarrier&) = default;
};

/// What becomes of the planes in one step.
struct PlaneStep {
  struct Told {
    std::uint32_t plane, step;  ///< the plane is told the pairs of that step
  };
  std::vector<Told> told;              ///< when this one begins, or, without preset, after its gap
  std::vector<PlaneCarrier> carriers;  ///< by `from`, then plane: each takes what it can until the step's end
  std::int64_t cycles;
};

struct PlanePlan {
  PlaneCost cost;
  std::vector<PlaneStep> steps;
};

/// All planes are told each step's pairs, unless they have them, and share its words.
PlanePlan together(const PlaneSteps& steps);
/// Plane s mod P carries step s alone, and is told the pairs of step s + P when s ends.
PlanePlan alternate(const PlaneSteps& steps);
/// The fastest, and of these with the fewest changes, if at the beginning of each step each plane may be told the pairs
/// of it or of one of the P - 1 next, and those that have the step's pairs carry it. @throws Error (input) for more
/// than 65536 states at a step, or more than 2^26 ways to go on from them
PlanePlan overlap(const PlaneSteps& steps);
/// The same with another limit of states.
PlanePlan overlap_within(std::size_t most_states, const PlaneSteps& steps);

struct PlaneRule {
  std::string_view name, summary;
  PlanePlan (*plan)(const PlaneSteps& steps);
};
std::span<const PlaneRule> plane_rules();

/// The pairs of a step, in its order.
std::vector<PortPair> pairs_of(const std::vector<LegTransfer>& step);
/// The pairs that each plane has when the plan is over.
std::vector<std::vector<PortPair>> pairs_after(const PlaneSteps& steps, const PlanePlan& plan);

/// The name by which a run is asked for in which each plane runs the list on its own share of the words.
inline constexpr std::string_view copies_name = "copies";
/// By which each of them plans.
inline constexpr std::string_view policy_of_copies = "optimal";
/// What that costs: cycles of the longest, tunings of all.
/// @param plans one for each plane's share
LegCost copies(std::span<const ReconfigurationPlan> plans);

}  // namespace ocs
