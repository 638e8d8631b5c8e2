// Models on their way from peer to peer: offered, cut off, delivered.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "testbed/coordinator/resend.hpp"
#include "testbed/peers/peer_rounds.hpp"

namespace ocs {
namespace {

Words count_of(const std::vector<WordRun>& runs) {
  Words all{};
  for (const WordRun& run : runs) all += run.count;
  return all;
}

std::vector<WordRun> missing_of(const std::vector<WordRun>& words, const RunSet& came) {
  std::vector<WordRun> missing;
  for (const WordRun& run : words)
    for (const WordRun& gap : came.missing(run)) missing.push_back(gap);
  return missing;
}

}  // namespace

void PeerRounds::offered(std::size_t i, const OffersFields& offers) {
  const bool together = spec_.rules.settings.layer == Layer::network;
  ModelTransfer sent{.sender = i, .round = peers_[i].round, .words = {{Words{0}, words_}}};
  for (const Offer& one : offers.list) {
    const TransferKey& key = one.key;
    if (key.worker != job_.workers[i] || key.phase != TransferPhase::push || key.iteration != peers_[i].round ||
        one.words != words_ || one.attempt != 0)
      throw Error(ErrorKind::run,
                  participant_name(index(job_.workers[i])) + " offered what it wasn't told to: the " + describe(key));
    const std::size_t j = number_of(key.server);
    if (!peers_[i].wanted.test(j)) continue;  // it was aborted before it was heard
    sent.to.push_back(j);
    if (together) continue;
    offer(sent, actions_.now());
    sent.to.clear();
  }
  if (!sent.to.empty()) offer(std::move(sent), actions_.now());
}

void PeerRounds::offer(ModelTransfer sent, Picos ready) {
  const Id id = actions_.new_transfer();
  const auto n = static_cast<std::uint32_t>(peers_.size()), i = static_cast<std::uint32_t>(sent.sender);
  Transfer transfer{.id = id,
                    .coflow = Id{spec_.rules.selection->while_sending ? sent.round * n + i : sent.round},
                    .from = job_.workers[sent.sender],
                    .to = {},
                    .size = Bytes{count_of(sent.words).n * job_.word_bytes},
                    .ready = ready,
                    .priority = peers_[sent.sender].priority,
                    .sent_before = sent.lost};
  for (const std::size_t j : sent.to) transfer.to.push_back(job_.workers[j]);
  sent.open = sent.to.size();
  model_transfers_.emplace(id, std::move(sent));
  actions_.offer(std::move(transfer));
}

/// How many words of its model the sender has still to send to j.
Words PeerRounds::left_of(std::size_t i, std::size_t j) {
  for (const auto& [id, sent] : model_transfers_)
    if (sent.sender == i && std::find(sent.to.begin(), sent.to.end(), j) != sent.to.end()) {
      const Words all = count_of(sent.words);
      return all - std::min(actions_.sent(id), all);
    }
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
  for (auto& [id, model] : model_transfers_) {
    if (model.sender != i || model.cut || std::find(model.to.begin(), model.to.end(), j) == model.to.end()) continue;
    model.cut = true;
    actions_.abort(id);
  }
  one_less(i);
}

void PeerRounds::on(Delivery delivery) {
  const auto found = model_transfers_.find(delivery.transfer);
  if (found == model_transfers_.end())
    throw Error(ErrorKind::internal, "the network delivered transfer " + std::to_string(index(delivery.transfer)) +
                                         ", which no peer waits for");
  ModelTransfer& sent = found->second;
  const std::size_t j = number_of(delivery.to);
  RunSet& came = sent.came[j];
  for (const WordRun& run : words_of(sent.words, delivery.arrived)) {
    if (!came.within(run).empty())
      throw Error(ErrorKind::run, "words of node " + std::to_string(index(job_.workers[sent.sender])) +
                                      "'s model came twice to node " + std::to_string(index(delivery.to)) + ": " +
                                      describe(came.within(run)));
    came.add(run);
    result_.job.words_delivered += run.count.n;
    result_.job.bytes_delivered += Bytes{run.count.n * job_.word_bytes};
  }
  if (!delivery.final) return;
  if (missing_of(sent.words, came).empty() && peers_[sent.sender].wanted.test(j)) complete(sent.sender, sent.round, j);
  if (--sent.open == 0) end_of(found);
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

/// What is left of a transfer that was stopped goes on at once; what was lost is sent again. Receivers that miss the
/// same words share a transfer.
void PeerRounds::end_of(std::map<Id, ModelTransfer>::iterator ended) {
  const ModelTransfer sent = std::move(ended->second);
  model_transfers_.erase(ended);
  const Peer& sender = peers_[sent.sender];
  std::vector<ModelTransfer> rests;
  for (const std::size_t j : sent.to) {
    if (sent.round != sender.round || !sender.wanted.test(j)) continue;
    const auto came = sent.came.find(j);
    std::vector<WordRun> words = missing_of(sent.words, came == sent.came.end() ? RunSet() : came->second);
    auto rest =
        std::find_if(rests.begin(), rests.end(), [&](const ModelTransfer& other) { return other.words == words; });
    if (rest == rests.end())
      rest = rests.insert(rests.end(), {.sender = sent.sender, .round = sent.round, .words = words, .lost = sent.lost});
    rest->to.push_back(j);
  }
  for (ModelTransfer& rest : rests) sent.cut ? offer(std::move(rest), actions_.now()) : offer_lost(std::move(rest));
}

/// A receiver reports what it misses, and the sender offers it: each is heard a control latency later.
void PeerRounds::offer_lost(ModelTransfer rest) {
  const Words words = count_of(rest.words);
  if (++rest.lost >= spec_.attempts)
    throw Error(ErrorKind::run,
                "node " + std::to_string(index(job_.workers[rest.sender])) + "'s model ended at node " +
                    std::to_string(index(job_.workers[rest.to.front()])) + " at " + std::to_string(actions_.now().n) +
                    " ps with " + std::to_string(words.n) + " words too few; " +
                    (spec_.attempts == 1 ? "nothing sends them again"
                                         : "so they were in each of " + std::to_string(spec_.attempts) + " attempts"));
  count_again(result_.job, words);
  offer(std::move(rest), actions_.now() + spec_.control_latency + spec_.control_latency);
}

}  // namespace ocs
