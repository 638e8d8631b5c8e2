// A collective as data: who sends which blocks to whom in which step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// In `step`, `sender` sends blocks [first, first + blocks) to `receiver`, which adds them to its own, or takes them
/// instead of its own.
struct CollectiveStep {
  std::uint32_t step;
  std::uint16_t sender, receiver;
  std::uint32_t first, blocks;
  bool adds;
  friend bool operator==(const CollectiveStep&, const CollectiveStep&) = default;
};

/// An all-reduce among `ranks`: each begins with its own numbers in all blocks, and ends with the sums of all. What is
/// sent in a step is what was there before it.
struct Collective {
  std::uint32_t ranks, blocks;
  std::vector<CollectiveStep> steps;  ///< ascending by step, from 0 without gaps
};

/// Checks the list by what it does: in each step a rank sends to at most one other and receives from at most one, and
/// in the end every rank has, in every block, what each rank began with exactly once.
/// @throws Error (internal) that names the step
void check(const Collective& collective);

/// Words of each block when `words` are cut into `blocks`: floor(words / blocks), the first words mod blocks of them
/// one more. @throws Error (input) if there are fewer words than blocks
std::vector<Words> block_words(Words words, std::uint32_t blocks);

/// What crosses from one rank to another while circuits stay as they are.
struct LegTransfer {
  std::uint16_t sender, receiver;
  Words words;
};

/// Consecutive steps in which every rank sends to, and receives from, the same ones: one burst of each.
struct Leg {
  std::uint32_t first, last;  ///< steps
  std::vector<LegTransfer> transfers;
};

/// Groups steps to legs, as many as can be: all transfers of a leg begin at once and stream, word after word, and a
/// word that is passed on arrives at least `lag` words' time before it is sent again.
/// @param sizes words of each block. @param lag 1 + the time that light needs between two ranks, in words
std::vector<Leg> legs_of(const Collective& collective, const std::vector<Words>& sizes, std::int64_t lag);

}  // namespace ocs
