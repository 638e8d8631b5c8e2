// A plan as it is executed: hop after hop, each a burst for every message that moves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "testbed/collectives/policies.hpp"

namespace ocs {

/// One burst, from a node to the next on a message's way.
struct HopBurst {
  std::uint16_t from, to;
  std::uint16_t sender, receiver;  ///< of the message
  Words words;
};

/// What is asked for at one instant: when the hop before is over, and every rank knows.
struct Hop {
  std::uint32_t leg;           ///< number in the sequence
  std::uint32_t first, last;   ///< steps that it serves
  std::optional<PortMap> map;  ///< to be set first
  std::int64_t gap = 0;        ///< cycles of computing before it; the map is set at their beginning if `preset`
  std::int64_t wait =
      0;  ///< cycles after which its bursts are asked for: those of a leg of several steps begin together
  std::vector<HopBurst> bursts;
  /// After the last hop of a leg that tunes: cycles from the map's being set until the next leg may begin.
  std::optional<std::int64_t> least;
};

/// @pre the moves are those of a plan for this sequence
std::vector<Hop> hops_of(const LegSequence& sequence, std::span<const MapMove> moves);

}  // namespace ocs
