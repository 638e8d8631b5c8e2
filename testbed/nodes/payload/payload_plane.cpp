// The payload side of a node.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/payload/payload_plane.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace ocs {

PayloadPlane::PayloadPlane(PayloadTools tools, Node self, Sender& out)
    : tools_(tools),
      self_(self),
      out_(out),
      carrier_(tools.job.word_bytes),
      reassembly_(tools.job.word_bytes, tools.job.chunk, tools.pool) {
  if (tools.job.peers()) {
    peer_.emplace(tools, self);
    for (const Node other : tools.job.workers)
      if (other != self) lanes_.push_back({other, TransferPhase::push, {}});
  }
  if (tools.job.ranks()) rank_.emplace(tools, self);
  if (tools.job.coflows()) coflow_.emplace(tools);
  const bool servers = !peer_ && !rank_ && !coflow_;
  if (servers && tools.job.worker_index(self) >= 0) {
    worker_.emplace(tools, self);
    for (const Served& server : tools.job.servers) lanes_.push_back({server.node, TransferPhase::push, {}});
  }
  if (servers && tools.job.server_at(self)) {
    server_.emplace(tools, self);
    for (Node worker : tools.job.workers) lanes_.push_back({worker, TransferPhase::pull, {}});
    for (const Served& other : tools.job.servers)
      if (tools.job.by_keys() && other.node != self) lanes_.push_back({other.node, TransferPhase::migrate, {}});
  }
  for (Lane& one : lanes_) {
    const auto lanes_to_peer =
        std::count_if(lanes_.begin(), lanes_.end(), [&](const Lane& l) { return l.peer == one.peer; });
    one.credits = credits_of(static_cast<std::size_t>(lanes_to_peer));
  }
}

/// Of each phase, of those in which a node sends to another.
std::uint32_t PayloadPlane::credits_of(std::size_t phases) {
  return std::max<std::uint32_t>(1, window / static_cast<std::uint32_t>(phases));
}

PayloadPlane::Lane& PayloadPlane::lane(Node peer, TransferPhase phase) {
  const auto found =
      std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& l) { return l.peer == peer && l.phase == phase; });
  if (found == lanes_.end())
    throw Error(ErrorKind::run,
                "a node without business with node " + std::to_string(index(peer)) + " was told of a transfer to it");
  return *found;
}

void PayloadPlane::begin(const Offer& offer) {
  if (is_silent(offer.key)) return;
  if (peer_) peer_->begin(offer);
  auto& streams = lane(offer.key.to(), offer.key.phase).streams;
  if (offer.attempt > 0) {
    const auto first =
        std::find_if(streams.begin(), streams.end(), [&](const Stream& s) { return s.key == offer.key; });
    if (first == streams.end() || first->next > offer.runs.front().first)
      throw Error(ErrorKind::internal, "the " + describe(offer.key) + ", is to send words " + describe(offer.runs) +
                                           " again, but their payload has been sent and let go of");
    first->again.push_back({offer.attempt, RunSet(offer.runs)});
    return;
  }
  const auto place = [](const TransferKey& key) { return std::pair(key.iteration, key.slice); };
  const auto behind = std::upper_bound(streams.begin(), streams.end(), offer.key,
                                       [&](const auto& key, const Stream& s) { return place(key) < place(s.key); });
  streams.insert(behind, {offer.key, offer.words, Words{0}});
  if (offer.key.phase == TransferPhase::pull) no_pulls_from_ = std::max(no_pulls_from_, offer.key.iteration + 1);
  if (tools_.job.memory == ServerMemory::sums && offer.key.iteration >= lag)
    may_push_ = std::max(may_push_, offer.key.iteration - lag + 1);
}

/// Lanes are made with their first transfer: a rank sends to few of the others.
void PayloadPlane::open_lane(Node peer) {
  if (std::none_of(lanes_.begin(), lanes_.end(), [peer](const Lane& l) { return l.peer == peer; }))
    lanes_.push_back({.peer = peer, .phase = TransferPhase::push, .streams = {}, .credits = window});
}

void PayloadPlane::step(const StepsFields& leg) {
  if (!rank_) throw Error(ErrorKind::run, "a node that is no rank of a collective was told of its steps");
  for (const auto& [key, words] : rank_->begin(leg)) {
    open_lane(key.to());
    lane(key.to(), TransferPhase::push).streams.push_back({key, words, Words{0}});
  }
}

void PayloadPlane::release(const SendsFields& coflow) {
  if (!coflow_) throw Error(ErrorKind::run, "a node that has no part in coflows was told of one");
  for (const CoflowSend& share : coflow.list) {
    if (share.to == self_ || tools_.job.worker_index(share.to) < 0)
      throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " was told to send words of coflow " +
                                      std::to_string(coflow.coflow) + " to node " + std::to_string(index(share.to)) +
                                      ", which has no part in the coflows, or is itself");
    open_lane(share.to);
    begin({.key = {coflow.coflow, TransferPhase::push, self_, share.to, payload_slice}, .words = share.words});
  }
}

void PayloadPlane::finish() {
  may_push_ = tools_.job.iterations;
  finishing_ = true;
  if (server_) server_->no_pulls_from(no_pulls_from_), order_pulls();
  if (peer_) peer_->start(totals_), give_credits();
  if (rank_) rank_->start(totals_);
}

void PayloadPlane::order_pulls() {
  const auto places = server_->places_of_pulls();
  if (places.empty()) return;
  const auto place = [&](const Stream& stream) {
    const auto found = places.find({stream.key.worker, stream.key.iteration, stream.key.slice});
    return found == places.end() ? std::numeric_limits<std::size_t>::max() : found->second;
  };
  for (Lane& lane : lanes_)
    if (lane.phase == TransferPhase::pull) std::ranges::stable_sort(lane.streams, {}, place);
}

void PayloadPlane::average(const AverageFields& order) {
  if (peer_) peer_->average(order, totals_), give_credits();
}

void PayloadPlane::drop(const TransferKey& key) {
  if (!peer_ || key.from() != self_) return;
  if (finishing_)
    throw Error(ErrorKind::run, "the " + describe(key) + ", was aborted when its payload was on its way already");
  if (std::erase_if(lane(key.to(), key.phase).streams, [&](const Stream& s) { return s.key == key; }) > 0)
    peer_->drop(key);
}

void PayloadPlane::ask(const MissingFields& missing) {
  if (!is_silent(missing.key)) carrier_.ask(missing);
}

/// Whether the transfer belongs to a work without payload.
bool PayloadPlane::is_silent(const TransferKey& key) const { return coflow_ && key.slice == silent_slice; }

void PayloadPlane::deliver(const DeliveredFields& delivered) {
  if (is_silent(delivered.key)) return;
  const Words words = carrier_.deliver(delivered);
  if (words.n > 0) expected_[delivered.key.from()] += words.n;
}

void PayloadPlane::receive(Message message) {
  if (kind_of(message) == MessageKind::chunk) {
    const auto fields = decode_fields<ChunkFields>(message);
    const TransferKey& key = fields.key;
    const LaneKey from{Node{message.header.from}, key.phase};
    if (key.from() != from.first || key.to() != self_)
      throw Error(ErrorKind::run, participant_name(message.header.from) + " sent " + participant_name(index(self_)) +
                                      " a chunk of the " + describe(key));
    // What is sent again has no credit of its own, and the carrier takes only what was asked for.
    if (fields.attempt == 0 && ++held_[from] > allowance(from))
      throw Error(ErrorKind::run, participant_name(message.header.from) + " sent " + participant_name(index(self_)) +
                                      " more chunks than it had credits for, which are " +
                                      std::to_string(allowance(from)));
    if (fields.attempt == 0) check_turn(from, fields);
    return carrier_.hold(std::move(message));
  }
  const auto credit = decode_fields<CreditFields>(message);
  lane(Node{message.header.from}, credit.phase).credits += credit.chunks;
}

void PayloadPlane::check_turn(LaneKey from, const ChunkFields& chunk) {
  const TransferKey& key = chunk.key;
  const bool any_slice = key.phase == TransferPhase::pull && tools_.job.memory == ServerMemory::model;
  auto& next = next_[{from, any_slice ? key.slice : 0}];
  if (std::tuple(key.iteration, key.slice, chunk.part.first) < next)
    throw Error(ErrorKind::run, participant_name(index(from.first)) + " sent " + participant_name(index(self_)) +
                                    " words " + describe(std::vector{chunk.part}) + " of the " + describe(key) +
                                    ", again or out of turn");
  next = {key.iteration, key.slice, chunk.part.first + chunk.part.count};
}

bool PayloadPlane::work() {
  if (peer_ || rank_ || coflow_) {
    if (finishing_ && (consume_pushed() || send(TransferPhase::push))) return true;
    flush();
    return false;
  }
  if (send(TransferPhase::pull) || send(TransferPhase::migrate) || consume(TransferPhase::pull) ||
      consume(TransferPhase::migrate) || consume(TransferPhase::push) || send(TransferPhase::push) ||
      (worker_ && worker_->work()))
    return true;
  flush();
  return false;
}

bool PayloadPlane::idle() const {
  return expected_.empty() && reassembly_.empty() && outbox_.empty() && (!server_ || server_->idle()) &&
         (!peer_ || peer_->idle()) && (!rank_ || rank_->idle()) &&
         std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& l) { return l.streams.empty(); });
}

WordRun PayloadPlane::part_of(const Stream& stream) const {
  if (rank_) return rank_->part(stream.key, stream.next);
  return {stream.next, std::min(tools_.job.chunk, stream.words - stream.next)};
}

bool PayloadPlane::may_send(const Lane& lane) const {
  if (lane.streams.empty() || lane.credits == 0) return false;
  const Stream& stream = lane.streams.front();
  if (peer_) return peer_->ready(stream.key);
  const WordRun part = part_of(stream);
  if (rank_) return part.count.n > 0 && rank_->ready(stream.key, part);
  if (coflow_) return true;
  if (lane.phase != TransferPhase::push) return server_->ready(stream.key, part);
  if (stream.key.iteration >= may_push_ || !worker_->can_make(stream.key)) return false;
  const std::int64_t before =
      (stream.key.iteration - std::int64_t{1}) * tools_.job.server_at(stream.key.server)->words.n +
      (tools_.job.slice_of(stream.key)->first + part.first + part.count).n;
  return stream.key.iteration == 0 || tools_.job.by_keys() || pulled_[index(lane.peer)].n >= before;
}

bool PayloadPlane::consume(TransferPhase phase) {
  const Arrival* next = carrier_.next(phase);
  if (!next || !(phase == TransferPhase::pull ? worker_->knows(next->key) : server_->has_room(*next))) return false;
  auto chunk = take_next(phase);
  if (!chunk) return true;
  if (phase != TransferPhase::pull) {
    server_->take(std::move(*chunk), totals_);
    give_credits();
  } else {
    worker_->take(*chunk, totals_);
    pulled_[index(chunk->key.server)] += chunk->part.count;
    ++owed_[{chunk->key.from(), phase}];
  }
  return true;
}

/// Where all transfers are pushes: those of peers, ranks and coflows.
bool PayloadPlane::consume_pushed() {
  const Arrival* next = carrier_.next(TransferPhase::push);
  if (!next || (rank_ && !rank_->takes(*next))) return false;
  auto chunk = take_next(TransferPhase::push);
  if (peer_) {
    if (chunk) peer_->take(std::move(*chunk), totals_);
    give_credits();
  } else if (chunk) {
    rank_ ? rank_->take(*chunk, totals_) : coflow_->take(*chunk, totals_);
    ++owed_[{chunk->key.from(), TransferPhase::push}];
  }
  return true;
}

/// Takes what the carrier has next. @returns the chunk that is whole with it
std::optional<WholeChunk> PayloadPlane::take_next(TransferPhase phase) {
  Arrival arrival = carrier_.take(phase);
  std::int64_t& expected = expected_[arrival.key.from()];
  for (const auto& part : arrival.parts) expected -= part.words.count.n;
  if (expected == 0) expected_.erase(arrival.key.from());
  if (!rank_) return reassembly_.add(std::move(arrival));
  const WordRun chunk = rank_->chunk_of(arrival.key, arrival.chunk.first);
  return reassembly_.add(std::move(arrival), chunk);
}

bool PayloadPlane::send(TransferPhase phase) {
  const auto place = [](const Lane& l) {
    const Stream& s = l.streams.front();
    return std::tuple(s.key.iteration, s.key.slice, s.next, l.peer);
  };
  Lane* best = nullptr;
  for (Lane& lane : lanes_)
    if (lane.phase == phase && !lane.streams.empty() && (!best || place(lane) < place(*best)) && may_send(lane))
      best = &lane;
  if (!best) return false;
  Stream& stream = best->streams.front();
  const WordRun part = part_of(stream);
  const Outgoing chunk{stream.key, stream.words, part, stream.again};
  if (peer_)
    peer_->make(chunk, outbox_);
  else if (rank_)
    rank_->make(chunk, outbox_, totals_);
  else if (coflow_)
    coflow_->make(chunk, outbox_);
  else if (phase == TransferPhase::push)
    worker_->make(chunk, outbox_);
  else
    server_->make(chunk, outbox_, totals_), give_credits();
  --best->credits;
  stream.next += part.count;
  if (stream.next < stream.words) return true;
  if (peer_) peer_->sent(stream.key);
  best->streams.pop_front();
  return true;
}

void PayloadPlane::give_credits() {
  if (peer_) {
    for (const Node sender : peer_->take_credits()) ++owed_[{sender, TransferPhase::push}];
    for (Message& snapshot : peer_->take_snapshots()) out_.send(std::move(snapshot));
    return;
  }
  for (const LaneKey& sender : server_->take_credits()) ++owed_[sender];
  for (Message& snapshot : server_->take_snapshots()) out_.send(std::move(snapshot));
}

void PayloadPlane::learn(const HistoryFields& history) {
  if (peer_) return peer_->score(history.list);
  if (rank_) return rank_->score(history.list);
  if (worker_) worker_->learn(history.list);
  if (server_) server_->learn(history.list, totals_);
  for (const PastEvent& event : history.list)
    if (event.what == PastEvent::What::left) part_with(event);
  if (server_) give_credits();
}

/// A worker died: what of it is never carried is neither sent nor waited for. Payload starts with finish(), so that
/// nothing of it has come.
void PayloadPlane::part_with(const PastEvent& left) {
  const auto is_late = [&](const TransferKey& key) {
    return key.worker == left.worker && key.phase == TransferPhase::push && key.iteration >= left.iteration;
  };
  const auto is_pull = [&](const TransferKey& key) {
    return key.worker == left.worker && key.phase == TransferPhase::pull;
  };
  for (Lane& lane : lanes_)
    std::erase_if(lane.streams, [&](const Stream& stream) {
      return is_late(stream.key) || (is_pull(stream.key) && server_ && !server_->gives(stream.key));
    });
  const auto never_comes = [&](const TransferKey& key) {
    return is_late(key) || (is_pull(key) && worker_ && !worker_->knows(key));
  };
  for (const auto& [from, words] : carrier_.forget(never_comes))
    if ((expected_[from] -= words) == 0) expected_.erase(from);
}

void PayloadPlane::hand_on() {
  constexpr std::int64_t together = std::int64_t{256} * 1024;  // bytes: fewer messages, and all of them in the cache
  if (std::ssize(outbox_) * tools_.job.chunk.n * tools_.job.word_bytes >= together) empty_outbox();
}

void PayloadPlane::empty_outbox() {
  for (Message& message : outbox_) out_.send(std::move(message));
  outbox_.clear();
}

void PayloadPlane::flush() {
  if (rank_)
    for (Message& snapshot : rank_->take_snapshots()) out_.send(std::move(snapshot));
  empty_outbox();
  for (const auto& [from, chunks] : std::exchange(owed_, {})) {
    held_[from] -= chunks;
    out_.send(make_message(index(from.first), Picos{0}, CreditFields{from.second, chunks}));
  }
}

std::uint32_t PayloadPlane::allowance(LaneKey from) const {
  const NodeJob& job = tools_.job;
  if (peer_ || rank_ || coflow_)
    return from.second == TransferPhase::push && job.worker_index(from.first) >= 0 ? window : 0;
  const bool is_server = job.server_at(from.first) != nullptr;
  std::vector<TransferPhase> sends;  // to this node
  if (job.worker_index(from.first) >= 0 && server_) sends.push_back(TransferPhase::push);
  if (is_server && worker_) sends.push_back(TransferPhase::pull);
  if (is_server && server_ && job.by_keys() && from.first != self_) sends.push_back(TransferPhase::migrate);
  return std::count(sends.begin(), sends.end(), from.second) > 0 ? credits_of(sends.size()) : 0;
}

std::string PayloadPlane::waits_for() const {
  std::string text;
  const auto has_come = [&](Node node) {
    return std::any_of(held_.begin(), held_.end(),
                       [&](const auto& held) { return held.first.first == node && held.second > 0; });
  };
  for (const auto& [node, words] : expected_)
    if (!has_come(node)) text += (text.empty() ? "payload of node " : ", node ") + std::to_string(index(node));
  for (const Lane& one : lanes_)
    if (!one.streams.empty() && one.credits == 0)
      text += (text.empty() ? "" : ", ") + std::string("room at node ") + std::to_string(index(one.peer));
  return text;
}

}  // namespace ocs
