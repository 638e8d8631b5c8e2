// Edges are found anew only when the threshold falls.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/slots/solstice.hpp"

#include <algorithm>
#include <bit>

namespace ocs {

std::vector<Slot> solstice_slots(const Square& stuffed) {
  Square left = stuffed;
  const std::size_t perfect = largest_matching(edges_above(left, 0)).size();
  std::int64_t largest = 0;
  for (const Square::Entry& entry : left.entries()) largest = std::max(largest, entry.length);
  auto threshold = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(largest)));
  Edges edges = edges_above(left, threshold);
  std::size_t entries = left.entries().size();
  std::vector<Slot> slots;
  while (entries > 0) {
    Matching matching = largest_matching(edges);
    while (matching.size() < perfect) {
      threshold /= 2;
      edges = edges_above(left, threshold);
      matching = largest_matching(edges);
    }
    const std::int64_t length = smallest(left, matching);
    subtract(left, matching, length);
    for (const Pair& pair : matching) {
      const std::int64_t rest = left.at(pair.in, pair.out);
      if (rest <= threshold) edges[pair.in].erase(pair.out);
      if (rest == 0) --entries;
    }
    slots.push_back({length, std::move(matching)});
  }
  return slots;
}

std::vector<Slot> solstice(const Demand& demand) { return solstice_slots(quick_stuff(demand).square); }

}  // namespace ocs
