// Peers choose receivers: at the end of a round all at once, or each whenever it has computed.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "testbed/peers/peer_rounds.hpp"
#include "testbed/selection/check_selection.hpp"

namespace ocs {

void PeerRounds::computed(std::size_t i) {
  peers_[i].state = Peer::State::ready;
  if (spec_.rules.selection->while_sending) return choose_for(i);
  if (std::all_of(peers_.begin(), peers_.end(), [](const Peer& p) { return p.state == Peer::State::ready; }))
    choose_for_all();
}

Ticks PeerRounds::ticks(std::size_t i, Words words) const {
  const PeerRules& rules = spec_.rules;
  const std::int64_t word = rules.word_cycles.empty() ? 1 : rules.word_cycles[index(job_.workers[i])].n;
  return {words.n * word + (rules.settings.delta ? to_cycles(rules.set_up, rules.cycle).n : 0)};
}

/// The problem as if all of every model were to be sent.
SelectionProblem PeerRounds::problem() const {
  const std::size_t n = peers_.size();
  SelectionProblem problem;
  problem.peers = n;
  problem.least.assign(n, std::min(spec_.rules.settings.p, static_cast<std::uint32_t>(n) - 1));
  problem.unsent = history_.unsent();
  problem.must = history_.must();
  problem.layer = spec_.rules.settings.layer;
  problem.seed = spec_.seed + plans_;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      problem.at_sender.push_back(ticks(i, words_));
      problem.at_receiver.push_back(ticks(j, words_));
    }
  return problem;
}

Selection PeerRounds::ask(const SelectionProblem& problem) {
  Selection selection = policy_->select(problem);
  check_selection(problem, selection, ErrorKind::internal);
  ++plans_;
  ++result_.plans;
  if (hooks_.plan) hooks_.plan({actions_.now(), plans_, selection});
  return selection;
}

void PeerRounds::choose_for_all() {
  const Selection selection = ask(problem());
  for (std::size_t i = 0; i < peers_.size(); ++i) send_to(i, selection.selected[i], plans_);
  for (std::size_t i = 0; i < peers_.size(); ++i)
    if (peers_[i].left == 0) one_less(i);
}

/// How long it would wait if it had sent everything now: until the slowest has computed, as far as that is known.
Ticks PeerRounds::slack_of(std::size_t i) const {
  const std::uint32_t least = slowest();
  if (peers_[i].round + 1 <= least + spec_.rules.settings.s) return {};
  Picos until = actions_.now();
  for (const Peer& peer : peers_)
    if (peer.state == Peer::State::computing && peer.round == least) until = std::max(until, peer.until);
  return {to_cycles(until - actions_.now(), spec_.rules.cycle).n};
}

void PeerRounds::choose_for(std::size_t i) {
  SelectionProblem now = problem();
  const std::size_t n = peers_.size();
  Sending sending;
  sending.ready = static_cast<std::uint16_t>(i);
  sending.plan.resize(n);
  sending.mostly_sent.resize(n);
  for (std::size_t s = 0; s < n; ++s) {
    sending.slack.push_back(slack_of(s));
    if (peers_[s].state != Peer::State::sending || peers_[s].wanted.none()) continue;
    sending.senders.push_back(static_cast<std::uint16_t>(s));
    sending.plan[s] = peers_[s].wanted;
    for (std::size_t j = 0; j < n; ++j) {
      if (!peers_[s].wanted.test(j)) continue;
      const Words left = left_of(s, j);
      now.at_sender[s * n + j] = ticks(s, left);
      now.at_receiver[s * n + j] = ticks(j, left);
      sending.mostly_sent[s].set(j, left.n * spec_.rules.settings.eta_den < words_.n * spec_.rules.settings.eta_num);
    }
  }
  now.sending = std::move(sending);
  const Selection selection = ask(now);
  for (const PeerPair& pair : selection.aborted) abort(pair);
  hurry(selection);
  send_to(i, selection.selected[i], plans_);
  if (peers_[i].left == 0) one_less(i);
}

/// The earlier a sender's deadline, the more urgent what it sends: a further pair was selected because all of its
/// ports' loads end by its own sender's deadline, which may be after those of others that load them.
void PeerRounds::hurry(const Selection& selection) {
  for (const auto& [i, deadline] : selection.deadlines)
    peers_[i].priority = static_cast<std::int32_t>(
        std::count_if(selection.deadlines.begin(), selection.deadlines.end(),
                      [limit = deadline](const auto& other) { return other.second < limit; }));
  for (const auto& [id, sent] : model_transfers_)
    if (!sent.cut) actions_.prioritise(id, peers_[sent.sender].priority);
}

void PeerRounds::send_to(std::size_t i, const Outputs& receivers, std::uint32_t plan) {
  Peer& peer = peers_[i];
  peer.state = Peer::State::sending;
  peer.wanted = receivers;
  peer.served.reset();
  peer.left = receivers.count();
  result_.pairs += static_cast<std::int64_t>(peer.left);
  if (peer.left == 0) return;
  ReceiversFields fields;
  fields.round = peer.round;
  fields.plan = plan;
  for (std::size_t j = 0; j < peers_.size(); ++j)
    if (receivers.test(j)) fields.nodes.push_back(job_.workers[j]);
  const Node node = job_.workers[i];
  talk_.post(node, make_message(index(node), actions_.now(), fields));
}

}  // namespace ocs
