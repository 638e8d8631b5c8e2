// A matching that stays is played on without a set-up.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/slots/adaptive_maxweight.hpp"

#include <algorithm>

#include "host/core/wide.hpp"
#include "host/scheduler/slots/heaviest_matching.hpp"

namespace ocs {
namespace {

constexpr std::int64_t hysteresis = 8;  // W / 8

Wide weight(const Square& left, const Matching& matching) {
  Wide sum = 0;
  for (const Pair& pair : matching) sum += left.at(pair.in, pair.out);
  return sum;
}

/// Without the pairs that have nothing left.
Matching alive(const Square& left, const Matching& matching) {
  Matching list;
  for (const Pair& pair : matching)
    if (left.at(pair.in, pair.out) > 0) list.push_back(pair);
  return list;
}

}  // namespace

Plan AdaptiveMaxweight::plan(const Problem& problem) const {
  const Demand demand = read_demand(problem, "adaptive_maxweight");
  SlotRun run(demand, SlotMode::hold);
  const Wide set_up = demand.longest_set_up();
  while (!run.done()) {
    const Matching heaviest = heaviest_matching(run.left()), present = alive(run.left(), run.before());
    const Wide most = weight(run.left(), heaviest), up = weight(run.left(), present);
    const Wide margin = std::max(most / hysteresis, set_up * static_cast<Wide>(heaviest.size()));
    const bool stay = most - up <= margin && !present.empty();
    const Matching& next = stay ? present : heaviest;
    // W never grows and w falls by one a tick and circuit, so little changes before this is used up.
    const Wide slack = margin - (stay ? most - up : 0);
    const Wide look = std::max<Wide>(slack / static_cast<Wide>(next.size()) + 1, set_up);
    const auto length = static_cast<std::int64_t>(std::min<Wide>(look, smallest(run.left(), next)));
    if (stay)
      run.go_on(length);
    else
      run.play({length, heaviest});
  }
  return run.finish();
}

}  // namespace ocs
