// SELMCAST where a worker becomes ready while others are sending.
// SPDX-License-Identifier: Apache-2.0
#include "host/core/error.hpp"
#include "testbed/selection/loads.hpp"
#include "testbed/selection/policies.hpp"

namespace ocs {
namespace {

/// Sender i has until then: it would wait so long anyhow, or needs it for what is selected already.
Ticks deadline_of(std::size_t i, const SelectionProblem& problem, const Loads& loads) {
  Ticks deadline = std::max(problem.sending->slack[i], loads.sender(i));
  for (std::size_t j = 0; j < problem.peers; ++j)
    if (loads.has(i, j)) deadline = std::max(deadline, loads.receiver(j));
  return deadline;
}

}  // namespace

Selection SelmcastSsp::select(const SelectionProblem& problem) const {
  check(problem);
  if (!problem.sending)
    throw Error(ErrorKind::input,
                "receivers: selmcast_ssp is for a worker that becomes ready while others are sending");
  const Sending& sending = *problem.sending;
  PeerPairs candidates = sending.plan;
  candidates[sending.ready] = all_pairs(problem.peers)[sending.ready];
  std::vector<std::uint16_t> senders = sending.senders;
  senders.push_back(sending.ready);
  std::sort(senders.begin(), senders.end());

  Loads loads(problem);
  for (const auto& [i, j] : problem.must)
    if (candidates[i].test(j)) loads.add(i, j);
  for (const std::uint16_t i : senders)
    for (std::size_t j = 0; j < problem.peers; ++j)
      if (candidates[i].test(j) && sending.mostly_sent[i].test(j)) loads.add(i, j);
  std::vector<std::uint16_t> hurried = senders;
  std::stable_sort(hurried.begin(), hurried.end(),
                   [&](std::uint16_t a, std::uint16_t b) { return sending.slack[a] < sending.slack[b]; });
  for (const std::uint16_t i : hurried) loads.add_lightest(i, candidates[i]);

  Selection selection{.basic = loads.pairs()};
  std::vector<Ticks> deadlines(problem.peers);
  for (const std::uint16_t i : senders) {
    deadlines[i] = deadline_of(i, problem, loads);
    selection.deadlines.emplace_back(i, deadlines[i]);
  }
  for (const auto& [i, j] : longest_unsent_first(problem, candidates, loads))
    if (loads.sender_with(i, j) <= deadlines[i] && loads.receiver_with(i, j) <= deadlines[i]) loads.add(i, j);
  selection.selected = loads.pairs();
  for (std::uint16_t i = 0; i < problem.peers; ++i)
    for (std::uint16_t j = 0; j < problem.peers; ++j)
      if (sending.plan[i].test(j) && !loads.has(i, j)) selection.aborted.emplace_back(i, j);
  add_loads(problem, selection);
  return selection;
}

}  // namespace ocs
