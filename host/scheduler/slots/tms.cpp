// Bisection over the distinct entries.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/slots/tms.hpp"

#include <algorithm>

namespace ocs {

std::vector<Slot> tms(const Demand& demand) {
  Square left = quick_stuff(demand).square;
  const std::size_t perfect = largest_matching(edges_above(left, 0)).size();
  std::vector<Slot> slots;
  for (;;) {
    std::vector<std::int64_t> lengths;
    for (const Square::Entry& entry : left.entries()) lengths.push_back(entry.length);
    if (lengths.empty()) return slots;
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    // The bottleneck only falls, and a slot before this one had no larger entry to offer.
    if (!slots.empty())
      lengths.erase(std::upper_bound(lengths.begin(), lengths.end(), slots.back().length), lengths.end());
    const auto match = [&](std::int64_t shortest) { return largest_matching(edges_above(left, shortest - 1)); };
    const auto beyond = std::partition_point(lengths.begin() + 1, lengths.end(),
                                             [&](std::int64_t shortest) { return match(shortest).size() == perfect; });
    Matching matching = match(*(beyond - 1));
    const std::int64_t length = smallest(left, matching);
    subtract(left, matching, length);
    slots.push_back({length, std::move(matching)});
  }
}

}  // namespace ocs
