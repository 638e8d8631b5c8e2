// Local search over the order of a list: what ends last moves forward.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace ocs {

/// Where and when an entry of a list was carried out. Ports are numbered so that inputs and outputs differ.
struct Played {
  std::uint32_t in, out;
  std::int64_t start, end;
};

struct ListSearch {
  /// Plays a list; sets what became of each entry, by its number.
  std::function<void(const std::vector<std::uint32_t>& order, std::vector<Played>& played)> play;
  std::int64_t goal;   ///< stop at a list that ends by then
  std::int64_t lists;  ///< to be played at most
  std::uint64_t seed;
};

/// @param order where to begin. @returns the order of those played that ends first; `order` itself if none is better.
std::vector<std::uint32_t> search_list(const ListSearch& search, std::vector<std::uint32_t> order);

}  // namespace ocs
