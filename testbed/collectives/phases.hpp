// Phases of training: collectives of groups of ranks, and single transfers, with computing between them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "testbed/collectives/collective.hpp"

namespace ocs {

/// All groups run the list at once, step by step, each on blocks of its own.
struct GroupPhase {
  Collective list;
  std::vector<Words> sizes;                          ///< of its blocks; or of those of group 0, 1, ...
  std::vector<std::vector<std::uint16_t>> groups{};  ///< rank j of group k is node groups[k][j]
};

/// One step.
struct PairPhase {
  std::vector<LegTransfer> pairs;
};

struct TrafficPhase {
  std::variant<GroupPhase, PairPhase> what;
  std::int64_t gap = 0;  ///< cycles of computing before it
};

/// The legs of all phases, `repeat` times. Steps are numbered on over phases, and anew with each repetition.
/// @throws Error (input) if groups aren't disjoint or of the list's size, pairs aren't a partial permutation, or a
/// phase has no words
std::vector<Leg> legs_of(std::span<const TrafficPhase> phases, std::uint32_t nodes, std::int64_t lag,
                         std::uint32_t repeat = 1);

}  // namespace ocs
