// When to reconfigure within a collective: plans on paper, by policy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/collectives/leg_cost.hpp"

namespace ocs {

/// What becomes of the map at a leg: it stays, the leg's own pairs are laid over it, or it becomes candidate `c`.
struct MapMove {
  static constexpr std::int32_t stay = -2, own = -1;
  std::int32_t what = stay;  ///< or the number of a candidate
  friend bool operator==(MapMove, MapMove) = default;
};

/// "stay", "own", "c0", "c1", ...
std::string to_text(MapMove move);

/// Legs, one after the other, on one switch. No leg has the pairs of two phases.
struct LegSequence {
  std::uint32_t nodes;
  std::vector<Leg> legs;
  SwitchTimes times;
  PortMap start;
  std::vector<PortMap> candidates;
};

/// @throws Error (input) unless 1 <= alpha <= delta, maps and the pairs of each leg are partial permutations of the
/// nodes, and no plan can last longer than 2^62 cycles
void check(const LegSequence& sequence);

struct ReconfigurationPlan {
  LegCost cost;
  std::vector<MapMove> moves;  ///< at each leg
};

/// The map after each leg. @pre the moves are those of a plan for this sequence
std::vector<PortMap> maps_of(const LegSequence& sequence, std::span<const MapMove> moves);

struct ReconfigurationPolicy {
  std::string_view name, summary;
  /// Nothing where the policy has no way to reach every receiver. @throws Error (input) if there are too many states
  std::optional<ReconfigurationPlan> (*plan)(const LegSequence& sequence);
};

std::span<const ReconfigurationPolicy> reconfiguration_policies();

/// The fastest sequence of moves; of equally fast ones with the fewest tunings the first in the order of moves.
/// @throws Error (input) if more than 65536 maps can be reached at a leg
ReconfigurationPlan optimal_plan(const LegSequence& sequence);

}  // namespace ocs
