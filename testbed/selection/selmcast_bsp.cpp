// SELMCAST where all send at once.
// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "host/core/error.hpp"
#include "testbed/selection/loads.hpp"
#include "testbed/selection/policies.hpp"

namespace ocs {

Selection SelmcastBsp::select(const SelectionProblem& problem) const {
  check(problem);
  if (problem.sending) throw Error(ErrorKind::input, "receivers: selmcast is for peers that are all ready");
  Loads loads(problem);
  for (const auto& [i, j] : problem.must) loads.add(i, j);
  const PeerPairs all = all_pairs(problem.peers);
  std::vector<std::size_t> senders(problem.peers);
  std::iota(senders.begin(), senders.end(), std::size_t{0});
  std::stable_sort(senders.begin(), senders.end(),
                   [&](std::size_t a, std::size_t b) { return loads.fan_out(a) > loads.fan_out(b); });
  for (const std::size_t i : senders) loads.add_lightest(i, all[i]);

  Selection selection{.basic = loads.pairs()};
  const Ticks bound = loads.longest();
  for (const auto& [i, j] : longest_unsent_first(problem, all, loads))
    if (loads.sender_with(i, j) <= bound && loads.receiver_with(i, j) <= bound) loads.add(i, j);
  selection.selected = loads.pairs();
  add_loads(problem, selection);
  return selection;
}

}  // namespace ocs
