// Match, subtract, repeat.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/slots/bvn.hpp"

namespace ocs {

std::vector<Slot> bvn_slots(const Square& stuffed) {
  Square left = stuffed;
  Edges edges = edges_above(left, 0);
  std::vector<Slot> slots;
  for (;;) {
    Matching matching = largest_matching(edges);
    if (matching.empty()) return slots;
    const std::int64_t length = smallest(left, matching);
    subtract(left, matching, length);
    for (const Pair& pair : matching)
      if (left.at(pair.in, pair.out) == 0) edges[pair.in].erase(pair.out);
    slots.push_back({length, std::move(matching)});
  }
}

std::vector<Slot> bvn(const Demand& demand) { return bvn_slots(quick_stuff(demand).square); }

}  // namespace ocs
