// The order in which several schedulers try flows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "host/scheduler/demand.hpp"

namespace ocs {

/// Numbers of all pairs by descending length, ties by (input, output). What is compared lies in the list that is sorted.
inline std::vector<std::uint32_t> longest_first(const Demand& demand) {
  struct Key {
    std::int64_t length;
    std::uint32_t ports, pair;
    bool operator<(const Key& other) const {
      return length != other.length ? length > other.length : ports < other.ports;
    }
  };
  std::vector<Key> keys;
  keys.reserve(demand.pairs.size());
  for (const PairDemand& pair : demand.pairs)
    keys.push_back({pair.length, std::uint32_t{pair.in} << 16 | pair.out, static_cast<std::uint32_t>(keys.size())});
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key.pair);
  return order;
}

}  // namespace ocs
