// The collectives that an experiment can name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "testbed/collectives/collective.hpp"

namespace ocs {

/// S words among N ranks in steps of S/N words: N - 1 in which blocks are added, N - 1 in which they are passed on.
Collective ring(std::uint16_t ranks);
/// N = 2^q: q steps with S/2, S/4, ... words that are added, then q with ..., S/4, S/2 that are taken.
Collective halving_doubling(std::uint16_t ranks);
/// N = 2^q: q steps with all S words.
Collective recursive_doubling(std::uint16_t ranks);

/// @returns ranks. @throws Error (input) unless it is 2, 4, 8, ...
std::uint32_t power_of_two(std::uint16_t ranks, std::string_view collective);

struct CollectiveEntry {
  std::string_view name, summary;
  Collective (*make)(std::uint16_t ranks);  ///< 2 to 256; throws Error (input) for a number that it can't do
};

std::span<const CollectiveEntry> collectives();

/// The list of a collective, checked. @throws Error (input): unknown name, fewer than 2 ranks, or a number that it
/// can't do
Collective make_collective(std::string_view name, int ranks);

}  // namespace ocs
