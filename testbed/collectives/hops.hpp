// A plan as it is executed: hop after hop, each a burst for every message that moves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "testbed/collectives/plane_plans.hpp"
#include "testbed/collectives/policies.hpp"

namespace ocs {

/// One burst, from a node to the next on a message's way.
struct HopBurst {
  std::uint16_t from, to;
  std::uint16_t sender, receiver;  ///< of the message
  Words words;
};

/// A plane, and the map that it is to have.
struct PlaneMap {
  std::uint32_t plane;
  PortMap map;
};

/// A plane that carries a part of each burst.
struct PlanePart {
  std::uint32_t plane;
  std::int64_t wait;  ///< cycles after which its parts are asked for
  Words most;         ///< of a burst; planes are filled up in their order
};

/// What is asked for at one instant: when the hop before is over, and every rank knows.
struct Hop {
  std::uint32_t leg;             ///< number in the sequence
  std::uint32_t first, last;     ///< steps that it serves
  std::vector<PlaneMap> maps{};  ///< to be set first
  std::int64_t gap = 0;          ///< cycles of computing before it; the map is set at their beginning if `preset`
  std::int64_t wait =
      0;  ///< cycles after which its bursts are asked for: those of a leg of several steps begin together
  std::vector<HopBurst> bursts{};
  std::vector<PlanePart> parts{};  ///< none: all bursts cross the one plane
  /// After the last hop of a leg that tunes: cycles from the map's being set until the next leg may begin.
  std::optional<std::int64_t> least{};
};

/// @pre the moves are those of a plan for this sequence
std::vector<Hop> hops_of(const LegSequence& sequence, std::span<const MapMove> moves);

/// Of a plan for planes: one hop a step. @param numbers of the steps, in their list
std::vector<Hop> hops_of(const PlaneSteps& steps, const PlanePlan& plan, std::span<const std::uint32_t> numbers);

}  // namespace ocs
