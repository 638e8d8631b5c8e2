// The collectives that can be named, each with its algorithms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "testbed/collectives/collective.hpp"

namespace ocs {

struct CollectiveEntry {
  std::string_view name;  ///< of the algorithm
  CollectiveKind kind;
  std::string_view summary;
  bool power_of_two;  ///< for 2, 4, 8, ... ranks only
  /// @param ranks 2 to 256 that `power_of_two` allows. @param chunks 1 or more: into how many a broadcast in a chain is
  /// cut
  std::function<Collective(std::uint16_t ranks, std::uint32_t chunks)> make;
  bool chunked = false;  ///< it reads `chunks`
};

std::span<const CollectiveEntry> collectives();
std::vector<CollectiveEntry> algorithms_of(CollectiveKind kind);

std::span<const CollectiveKind> collective_kinds();
/// @throws Error (input) that lists the known ones
CollectiveKind collective_kind(std::string_view name);

/// @throws Error (input) that lists the known ones
CollectiveEntry find_algorithm(CollectiveKind kind, std::string_view algorithm);

/// The list of a collective, checked. @throws Error (input): an unknown name, fewer than 2 ranks, or a number of ranks
/// or chunks that it can't do
Collective make_collective(const CollectiveEntry& entry, int ranks, std::uint32_t chunks = 1);
Collective make_collective(CollectiveKind kind, std::string_view algorithm, int ranks, std::uint32_t chunks = 1);

}  // namespace ocs
