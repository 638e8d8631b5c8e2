// Local search over the order of a list: what ends last moves forward.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "host/scheduler/demand.hpp"

namespace ocs {

/// Where and when an entry of a list was executed. Ports are numbered so that inputs and outputs differ.
struct Played {
  std::uint32_t in, out;
  std::int64_t start, end;
};

/// What became of each pair of `demand` in a plan. @param pair_of the number of the pair that a reservation serves.
template <class PairOf>
void read_played(const Demand& demand, const Plan& plan, const PairOf& pair_of, std::vector<Played>& played) {
  played.assign(demand.pairs.size(), {0, 0, std::numeric_limits<std::int64_t>::max(), 0});
  for (const Reservation& r : plan.list) {
    Played& p = played[pair_of(r)];
    const auto out = static_cast<std::uint32_t>(demand.ports + single_output(r.outs));
    p = {index(r.in), out, std::min(p.start, r.start.n), std::max(p.end, r.end.n)};
  }
}

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
