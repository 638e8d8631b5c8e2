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

/// What a node must have of a block when its phase is over, where node w begins with the weight w + 1 in all blocks.
struct HeldBlock {
  std::uint16_t node;
  std::uint32_t block;
  std::int64_t weight;
  friend auto operator<=>(const HeldBlock&, const HeldBlock&) = default;
};

/// A phase as one list of all nodes, which is what payload goes by.
struct PhaseList {
  Collective list;              ///< blocks of group 0, of group 1, ...; of single pairs one each
  std::vector<Words> sizes;     ///< of these blocks
  std::vector<HeldBlock> held;  ///< ascending
};

/// @pre legs_of() takes these phases
std::vector<PhaseList> lists_of(std::span<const TrafficPhase> phases, std::uint32_t nodes);
/// A collective of all nodes as the one phase of a job. @param sizes words of its blocks
PhaseList list_of(const Collective& collective, const std::vector<Words>& sizes);

/// Words of the blocks that nodes add to, or pass on after they have received them: payload keeps these, of all nodes.
std::int64_t kept_words(const PhaseList& phase);

/// The legs of all phases, `repeat` times. Steps are numbered on over phases, and anew with each repetition.
/// @throws Error (input) if groups aren't disjoint or of the list's size, pairs aren't a partial permutation, or a
/// phase has no words
std::vector<Leg> legs_of(std::span<const TrafficPhase> phases, std::uint32_t nodes, std::int64_t lag,
                         std::uint32_t repeat = 1);

}  // namespace ocs
