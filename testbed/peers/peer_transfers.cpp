// Models on their way from peer to peer: offered, cut off, delivered.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "testbed/peers/peer_rounds.hpp"

namespace ocs {

void PeerRounds::offered(std::size_t i, const OffersFields& offers) {
  const bool together = spec_.rules.settings.layer == Layer::network;
  Cast cast{.sender = i, .round = peers_[i].round, .first = {}, .to = {}, .came = {}};
  for (const Offer& one : offers.list) {
    const TransferKey& key = one.key;
    if (key.worker != job_.workers[i] || key.phase != TransferPhase::push || key.iteration != peers_[i].round ||
        one.words != words_ || one.attempt != 0)
      throw Error(ErrorKind::run,
                  participant_name(index(job_.workers[i])) + " offered what it wasn't told to: the " + describe(key));
    const std::size_t j = number_of(key.server);
    if (!peers_[i].wanted.test(j)) continue;  // it was aborted before it was heard
    cast.to.push_back(j);
    if (together) continue;
    offer(cast);
    cast.to.clear();
  }
  if (!cast.to.empty()) offer(std::move(cast));
}

void PeerRounds::offer(Cast cast) {
  const Id id = actions_.new_transfer();
  const auto n = static_cast<std::uint32_t>(peers_.size()), i = static_cast<std::uint32_t>(cast.sender);
  Transfer transfer{.id = id,
                    .coflow = Id{spec_.rules.selection->while_sending ? cast.round * n + i : cast.round},
                    .from = job_.workers[cast.sender],
                    .to = {},
                    .size = Bytes{(words_ - cast.first).n * job_.word_bytes},
                    .ready = actions_.now(),
                    .priority = peers_[cast.sender].priority};
  for (const std::size_t j : cast.to) transfer.to.push_back(job_.workers[j]);
  cast.open = cast.to.size();
  casts_.emplace(id, std::move(cast));
  actions_.offer(std::move(transfer));
}

/// How many words of its model the sender has still to send to j.
Words PeerRounds::left_of(std::size_t i, std::size_t j) {
  for (const auto& [id, cast] : casts_)
    if (cast.sender == i && std::find(cast.to.begin(), cast.to.end(), j) != cast.to.end())
      return words_ - cast.first - std::min(actions_.sent(id), words_ - cast.first);
  return words_;
}

/// The whole transfer is stopped; who is still to have the model gets the rest in another one.
void PeerRounds::abort(const PeerPair& pair) {
  const auto [i, j] = std::pair(std::size_t{pair.first}, std::size_t{pair.second});
  const Words sent = words_ - left_of(i, j);
  peers_[i].wanted.reset(j);
  ++result_.aborted;
  const Node node = job_.workers[i];
  talk_.post(node, make_message(index(node), actions_.now(),
                                AbortedFields{{peers_[i].round, TransferPhase::push, node, job_.workers[j], 0}, sent}));
  for (auto& [id, cast] : casts_) {
    if (cast.sender != i || cast.cut || std::find(cast.to.begin(), cast.to.end(), j) == cast.to.end()) continue;
    cast.cut = true;
    actions_.abort(id);
  }
  one_less(i);
}

void PeerRounds::on(Delivery delivery) {
  const auto found = casts_.find(delivery.transfer);
  if (found == casts_.end())
    throw Error(ErrorKind::internal, "the network delivered transfer " + std::to_string(index(delivery.transfer)) +
                                         ", which no peer waits for");
  Cast& cast = found->second;
  const std::size_t j = number_of(delivery.to);
  Words& came = cast.came[j];
  for (const WordRun& run : delivery.arrived) {
    if (run.first != came)
      throw Error(ErrorKind::run, "words of node " + std::to_string(index(job_.workers[cast.sender])) +
                                      "'s model came to node " + std::to_string(index(delivery.to)) +
                                      " out of order, twice, or not at all: from word " + std::to_string(run.first.n) +
                                      " on, after " + std::to_string(came.n));
    came += run.count;
    result_.job.words_delivered += run.count.n;
    result_.job.bytes_delivered += Bytes{run.count.n * job_.word_bytes};
  }
  if (!delivery.final) return;
  const bool whole = cast.first + came == words_;
  if (!whole && !cast.cut)
    throw Error(ErrorKind::run, "node " + std::to_string(index(job_.workers[cast.sender])) + "'s model ended at node " +
                                    std::to_string(index(delivery.to)) + " with " +
                                    std::to_string((words_ - cast.first - came).n) + " words too few");
  if (whole && peers_[cast.sender].wanted.test(j)) complete(cast.sender, cast.round, j);
  if (--cast.open == 0) end_of(found);
}

/// All of the model has passed to j.
void PeerRounds::complete(std::size_t i, std::uint32_t round, std::size_t j) {
  peers_[i].wanted.reset(j);
  peers_[i].served.set(j);
  const Node to = job_.workers[j];
  const TransferKey key{round, TransferPhase::push, job_.workers[i], to, 0};
  talk_.post(to,
             make_message(index(to), actions_.now(), DeliveredFields{key, words_, true, {{Words{0}, words_}}, 0, 0}));
}

void PeerRounds::end_of(std::map<Id, Cast>::iterator ended) {
  const Cast cast = std::move(ended->second);
  casts_.erase(ended);
  Cast rest{.sender = cast.sender, .round = cast.round, .first = cast.first, .to = {}, .came = {}};
  for (const auto& [j, came] : cast.came) rest.first = std::max(rest.first, cast.first + came);
  for (const std::size_t j : cast.to)
    if (cast.round == peers_[cast.sender].round && peers_[cast.sender].wanted.test(j)) rest.to.push_back(j);
  if (rest.to.empty()) return;
  for (const std::size_t j : rest.to) {
    const auto came = cast.came.find(j);
    if ((came == cast.came.end() ? cast.first : cast.first + came->second) != rest.first)
      throw Error(ErrorKind::run, "a multicast of node " + std::to_string(index(job_.workers[cast.sender])) +
                                      " came to its receivers with different numbers of words");
  }
  offer(std::move(rest));
}

}  // namespace ocs
