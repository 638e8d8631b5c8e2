// A collective as data: who sends which blocks to whom in which step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

enum class CollectiveKind : std::uint8_t { reduce_scatter, all_gather, all_reduce, all_to_all, broadcast };

std::string_view name_of(CollectiveKind kind);

/// `sender` sends `blocks`, in this order, to `receiver`, which adds them to its own, or takes them instead of its own.
struct CollectiveTransfer {
  std::uint16_t sender, receiver;
  std::vector<std::uint32_t> blocks;
  bool adds;
  friend bool operator==(const CollectiveTransfer&, const CollectiveTransfer&) = default;
};

/// What happens at once, by ascending sender; what is sent is what was there before the step.
using CollectiveStep = std::vector<CollectiveTransfer>;

/// What the ranks begin with, and end with, is a matter of the kind:
/// reduce_scatter and all_reduce: each its own numbers in all blocks; all_gather: rank r block r; all_to_all: rank s
/// the blocks s * ranks + t, for rank t; broadcast: rank 0 all blocks.
struct Collective {
  CollectiveKind kind;
  std::uint32_t ranks, blocks;
  std::vector<CollectiveStep> steps;
  std::vector<std::uint16_t> homes{};  ///< reduce_scatter: of each block, the rank that has its sum in the end
  bool at_once = false;  ///< no step waits for another one: ranks send what they begin with to all others at once
};

/// Checks the list by what it does on sets of contributions: in each step a rank sends to at most one other and
/// receives from at most one, nobody sends what it doesn't have, adding joins disjoint sets, and in the end everything
/// is where the kind of collective wants it. Where all is sent at once, nobody sends what it has received.
/// @throws Error (internal) that names the step
void check(const Collective& collective);

/// Words of each block when `words` are cut into `blocks`: floor(words / blocks), the first words mod blocks of them
/// one more.
std::vector<Words> block_words(Words words, std::uint32_t blocks);

/// Words of each block of a collective of `words`: of the whole vector, or, in an all_to_all, of each rank's buffer.
std::vector<Words> sizes_of(const Collective& collective, Words words);

/// demand[s][t] words go from rank s to rank t; the diagonal is ignored.
using DemandMatrix = std::vector<std::vector<std::int64_t>>;
/// @throws Error (input) unless it is an all_to_all and the matrix has a row and a column for each rank
std::vector<Words> sizes_of(const Collective& collective, const DemandMatrix& demand);

/// What crosses from one rank to another while circuits stay as they are.
struct LegTransfer {
  std::uint16_t sender, receiver;
  Words words;
  friend bool operator==(const LegTransfer&, const LegTransfer&) = default;
};

/// Consecutive steps in which every rank sends to, and receives from, the same ones: one burst of each. Of a list that
/// sends all at once, all steps: a burst of each pair.
struct Leg {
  std::uint32_t first, last;                      ///< steps
  std::vector<LegTransfer> transfers;             ///< of the leg, by sender, then receiver
  std::vector<std::vector<LegTransfer>> steps{};  ///< of each of its steps that has words, by sender
  std::int64_t gap = 0;                           ///< cycles of computing before it
  std::vector<std::uint32_t> numbers{};           ///< of `steps`
};

/// Words that lie between the arrival of a word and its being sent on: so many that nothing streams.
inline constexpr std::int64_t no_streaming = std::int64_t{1} << 60;

/// Groups steps to legs, greedily from the first: all transfers of a leg begin at once and stream, word after word, and
/// a word that is passed on arrives at least `lag` words' time before it is sent again. Blocks without words are left
/// out, then transfers and steps without any; steps keep their numbers.
/// @param sizes words of each block. @param lag 1 + the time that light needs between two ranks, in words
std::vector<Leg> legs_of(const Collective& collective, const std::vector<Words>& sizes, std::int64_t lag);

/// Whether a map of the switch has circuits for all pairs of the leg: nobody sends to two, or receives from two.
bool fits_one_map(const Leg& leg);

}  // namespace ocs
