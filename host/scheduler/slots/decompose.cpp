// Stuffing, and the scheduler that all decompositions share.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/slots/decompose.hpp"

#include <algorithm>

#include "host/scheduler/slots/slot_run.hpp"

namespace ocs {
namespace {

/// Marks the lowest-numbered ports that aren't used until `count` are.
void widen(std::vector<bool>& used, std::ptrdiff_t count) {
  count -= std::count(used.begin(), used.end(), true);
  for (std::size_t port = 0; count > 0; ++port)
    if (!used[port]) {
      used[port] = true;
      --count;
    }
}

}  // namespace

Stuffed quick_stuff(const Demand& demand) {
  Stuffed stuffed{0, Square(demand.ports)};
  const auto ports = static_cast<std::size_t>(demand.ports);
  std::vector<bool> rows(ports, false), columns(ports, false);
  std::vector<std::int64_t> row_slack(ports, 0), column_slack(ports, 0);  // sums, at first
  for (const PairDemand& pair : demand.pairs) {
    stuffed.square.at(pair.in, pair.out) = pair.length;
    rows[pair.in] = columns[pair.out] = true;
    stuffed.budget =
        std::max({stuffed.budget, row_slack[pair.in] += pair.length, column_slack[pair.out] += pair.length});
  }
  const auto side =
      std::max(std::count(rows.begin(), rows.end(), true), std::count(columns.begin(), columns.end(), true));
  widen(rows, side);
  widen(columns, side);
  for (auto* slack : {&row_slack, &column_slack})
    for (std::int64_t& s : *slack) s = stuffed.budget - s;
  for (const bool with_demand : {true, false}) {
    const Square before = stuffed.square;
    for (std::size_t in = 0; in < ports; ++in)
      for (std::size_t out = 0; out < ports; ++out) {
        if (!rows[in] || !columns[out] || (before.at(in, out) > 0) != with_demand) continue;
        const std::int64_t more = std::min(row_slack[in], column_slack[out]);
        stuffed.square.at(in, out) += more;
        row_slack[in] -= more;
        column_slack[out] -= more;
      }
  }
  return stuffed;
}

Plan Decomposition::plan(const Problem& problem) const {
  const Demand demand = read_demand(problem, name_, {.all_stop = mode_ == SlotMode::all_stop});
  SlotRun run(demand, mode_);
  for (const Slot& slot : decompose_(demand)) run.play(slot);
  return run.finish();
}

}  // namespace ocs
