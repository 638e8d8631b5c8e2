// Match what is left, play it, repeat.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/slots/edmonds.hpp"

#include <algorithm>
#include <limits>

#include "host/scheduler/slots/heaviest_matching.hpp"

namespace ocs {
namespace {

constexpr std::int64_t set_ups_a_slot = 9;

std::int64_t slot_length(const Square& left, const Matching& matching, std::int64_t set_up) {
  std::int64_t longest = 0;
  for (const Pair& pair : matching) longest = std::max(longest, left.at(pair.in, pair.out));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / set_ups_a_slot;
  return std::min(longest, std::max(smallest(left, matching), std::min(set_up, most) * set_ups_a_slot));
}

}  // namespace

Plan Edmonds::plan(const Problem& problem) const {
  const Demand demand = read_demand(problem, "edmonds", {.all_stop = mode_ == SlotMode::all_stop});
  SlotRun run(demand, mode_);
  const std::int64_t set_up = demand.longest_set_up();
  while (!run.done()) {
    Matching matching = heaviest_matching(run.left());
    const std::int64_t length = slot_length(run.left(), matching, set_up);
    const bool up = mode_ == SlotMode::hold && std::all_of(matching.begin(), matching.end(), [&](const Pair& pair) {
                      return std::find(run.before().begin(), run.before().end(), pair) != run.before().end();
                    });
    if (up)
      run.go_on(length);
    else
      run.play({length, std::move(matching)});
  }
  return run.finish();
}

}  // namespace ocs
