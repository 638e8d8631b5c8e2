// Checks of problems, and what all policies share.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/selection/selection.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "host/core/error.hpp"
#include "testbed/selection/loads.hpp"

namespace ocs {
namespace {

using std::to_string;

[[noreturn]] void refuse_receivers(const std::string& sentence) {
  throw Error(ErrorKind::input, "receivers: " + sentence);
}

void check_size(const char* what, std::size_t size, std::size_t right) {
  if (size != right) refuse_receivers(to_string(size) + " " + what + "; there must be " + to_string(right));
}

/// Whole sums of costs stay within 64 bits.
void check_costs(const std::vector<Ticks>& costs) {
  constexpr std::int64_t most = std::int64_t{1} << 46;  // 2^16 of them are 2^62
  for (const Ticks cost : costs)
    if (cost.n < 0 || cost.n > most)
      refuse_receivers("a block costs " + to_string(cost.n) + " ticks; it must be 0 to 2^46; use a coarser tick");
}

void check_pairs(const char* what, const PeerPairs& pairs, std::size_t peers) {
  check_size(what, pairs.size(), peers);
  for (std::size_t i = 0; i < peers; ++i)
    if (pairs[i].test(i) || (pairs[i] >> peers).any())
      refuse_receivers("sender " + to_string(i) + " in the " + what + " sends to itself, or beyond the " +
                       to_string(peers) + " peers");
}

void check_sending(const SelectionProblem& problem, const Sending& sending) {
  if (sending.ready >= problem.peers)
    refuse_receivers("worker " + to_string(sending.ready) + ", which is ready, isn't a peer");
  check_pairs("plan's pairs", sending.plan, problem.peers);
  check_pairs("pairs that are mostly sent", sending.mostly_sent, problem.peers);
  check_size("slacks", sending.slack.size(), problem.peers);
  Outputs senders;
  for (const std::uint16_t i : sending.senders) {
    if (i >= problem.peers || i == sending.ready || senders.test(i))
      refuse_receivers("sender " + to_string(i) + " must be a peer, named once, and not the one that is ready");
    senders.set(i);
  }
  for (std::size_t i = 0; i < problem.peers; ++i)
    if (sending.plan[i].any() && !senders.test(i))
      refuse_receivers("peer " + to_string(i) + " has pairs in the plan, but isn't among the senders");
}

}  // namespace

void check(const SelectionProblem& problem) {
  const std::size_t n = problem.peers;
  if (n < 1 || n > max_ports) refuse_receivers(to_string(n) + " peers; there must be 1 to " + to_string(max_ports));
  check_size("costs of senders", problem.at_sender.size(), n * n);
  check_size("costs of receivers", problem.at_receiver.size(), n * n);
  check_size("rounds without sending", problem.unsent.size(), n * n);
  check_size("least numbers of receivers", problem.least.size(), n);
  check_costs(problem.at_sender);
  check_costs(problem.at_receiver);
  for (const std::uint32_t least : problem.least)
    if (least >= n)
      refuse_receivers("a sender needs " + to_string(least) + " receivers; there are " + to_string(n - 1) + " others");
  for (const auto& [i, j] : problem.must)
    if (i >= n || j >= n || i == j)
      refuse_receivers("the pair " + to_string(i) + " to " + to_string(j) +
                       " that must be served isn't one of two peers");
  if (problem.sending) check_sending(problem, *problem.sending);
}

void add_loads(const SelectionProblem& problem, Selection& selection) {
  Loads loads(problem);
  for (std::size_t i = 0; i < problem.peers; ++i)
    for (std::size_t j = 0; j < problem.peers; ++j)
      if (selection.selected[i].test(j)) loads.add(i, j);
  selection.sender.clear();
  selection.receiver.clear();
  for (std::size_t i = 0; i < problem.peers; ++i) {
    selection.sender.push_back(loads.sender(i));
    selection.receiver.push_back(loads.receiver(i));
  }
  selection.bound = loads.longest();
}

std::vector<PeerPair> longest_unsent_first(const SelectionProblem& problem, const PeerPairs& from, const Loads& loads) {
  std::vector<PeerPair> pairs;
  for (std::uint16_t i = 0; i < problem.peers; ++i)
    for (std::uint16_t j = 0; j < problem.peers; ++j)
      if (from[i].test(j) && !loads.has(i, j)) pairs.emplace_back(i, j);
  const auto rounds = [&](const PeerPair& pair) { return problem.unsent[pair.first * problem.peers + pair.second]; };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const PeerPair& a, const PeerPair& b) { return rounds(a) > rounds(b); });
  return pairs;
}

PeerPairs all_pairs(std::size_t peers) {
  Outputs all;
  for (std::size_t j = 0; j < peers; ++j) all.set(j);
  PeerPairs pairs(peers, all);
  for (std::size_t i = 0; i < peers; ++i) pairs[i].reset(i);
  return pairs;
}

}  // namespace ocs
