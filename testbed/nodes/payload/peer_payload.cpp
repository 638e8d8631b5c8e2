// A peer's payload, order by order.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/payload/peer_payload.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "testbed/nodes/learning/learning_peer.hpp"

namespace ocs {
namespace {

std::span<const std::byte> bytes_of_payload(const Payload& payload) { return {payload.data.get(), payload.size}; }

std::size_t floats_in(const NodeJob& job, Words words) {
  return static_cast<std::size_t>(words.n * job.word_bytes) / sizeof(float);
}

std::unique_ptr<PeerModel> model_of(const PayloadTools& tools, Node self) {
  if (tools.peer_model) return (*tools.peer_model)(self);
  return tools.job.learning ? make_learning_peer(tools.job, self) : make_pattern_peer(tools.job, tools.pattern, self);
}

}  // namespace

PeerPayload::PeerPayload(PayloadTools tools, Node self)
    : tools_(tools),
      self_(self),
      full_(tools.job.payload == PayloadMode::full),
      peer_(model_of(tools, self)),
      words_(tools.job.server_at(self)->words),
      chunks_(static_cast<std::size_t>(divide_up(words_.n, tools.job.chunk.n))),
      next_(chunks_) {}

WordRun PeerPayload::part_of(std::size_t chunk) const {
  const Words first{static_cast<std::int64_t>(chunk) * tools_.job.chunk.n};
  return {first, std::min(tools_.job.chunk, words_ - first)};
}

std::span<float> PeerPayload::floats(std::vector<float>& of, std::size_t chunk) const {
  const WordRun part = part_of(chunk);
  return std::span(of).subspan(floats_in(tools_.job, part.first), floats_in(tools_.job, part.count));
}

/// The CRC of a model that is the pattern; it is made in a buffer that is thrown away.
std::uint32_t PeerPayload::crc_of(const PeerRound& model, std::size_t chunk) const {
  const WordRun part = part_of(chunk);
  const auto scratch = tools_.pool.take();
  const float weight = Pattern::weight(static_cast<std::size_t>(tools_.job.worker_index(model.node)));
  return make_payload({tools_.pattern, model.round, Node{0}, floats_in(tools_.job, part.first)}, weight,
                      {reinterpret_cast<float*>(scratch.get()), floats_in(tools_.job, part.count)});
}

void PeerPayload::start(PayloadTotals& totals) {
  started_ = true;
  if (full_) {
    model_.assign(floats_in(tools_.job, words_), 0.0F);
    peer_->begin(model_);
    say_model();
  }
  step();
  open_average();
  go_on(totals);
}

/// Trains, and cuts what came of it into chunks, if anybody gets it.
void PeerPayload::step() {
  if (full_) peer_->step(round_, model_);
  const auto receivers = to_send_.find(round_);
  if (receivers == to_send_.end() || receivers->second == 0) return;
  std::vector<Chunk> chunks;
  for (std::size_t c = 0; c < chunks_; ++c) {
    if (!full_) {
      chunks.push_back({{}, crc_of({self_, round_}, c)});
      continue;
    }
    const auto numbers = std::as_bytes(floats(model_, c));
    auto buffer = tools_.pool.take();
    std::memcpy(buffer.get(), numbers.data(), numbers.size());
    chunks.push_back({{std::move(buffer), numbers.size()}, crc32c(numbers)});
  }
  models_.emplace(round_, std::move(chunks));
}

void PeerPayload::score(const std::vector<PastEvent>& history) {
  for (const PastEvent& event : history)
    if (event.what == PastEvent::What::scored && event.server == self_)
      scored_.emplace(static_cast<std::uint32_t>(event.weight), event.iteration);
}

/// The model as it is after so many means, as often as it is to be scored; in memory of its own, as
/// it goes on changing.
void PeerPayload::say_model() {
  const auto [first, last] = scored_.equal_range(round_);
  for (auto one = first; one != last; ++one)
    for (std::size_t c = 0; c < chunks_; ++c)
      snapshots_.push_back(snapshot(one->second, part_of(c), std::as_bytes(floats(model_, c))));
}

void PeerPayload::sent(const TransferKey& key) {
  if (--to_send_.at(key.iteration) == 0) models_.erase(key.iteration);
}

void PeerPayload::make(const Outgoing& push, std::vector<Message>& append) const {
  const auto chunk = static_cast<std::size_t>(push.part.first.n / tools_.job.chunk.n);
  const Chunk& made = models_.at(push.key.iteration)[chunk];
  Message message = make_message(index(push.key.to()), Picos{0}, ChunkFields{push.key, push.words, push.part});
  message.header.payload_crc32c = made.crc32c;
  message.payload = made.payload;
  append.push_back(std::move(message));
}

void PeerPayload::average(const AverageFields& order, PayloadTotals& totals) {
  for (const PeerRound& model : order.unused) {
    unused_.insert(model);
    std::erase_if(waiting_, [&](const auto& one) {
      const bool its = std::get<1>(one.first) == model.node && std::get<2>(one.first) == model.round;
      if (its) credits_.push_back(model.node);
      return its;
    });
  }
  if (order.last == 1) return;
  orders_.push_back(order);
  if (!started_ || orders_.size() > 1) return;
  open_average();
  go_on(totals);
}

void PeerPayload::take(WholeChunk push, PayloadTotals& totals) {
  ++totals.chunks;
  const PeerRound model{push.key.worker, push.key.iteration};
  if (unused_.contains(model)) return credits_.push_back(model.node);
  const auto chunk = static_cast<std::size_t>(push.part.first.n / tools_.job.chunk.n);
  waiting_.emplace(Place{chunk, model.node, model.round}, std::move(push));
  if (members_.empty()) return;
  add(chunk, totals);
  go_on(totals);
}

void PeerPayload::open_average() {
  if (orders_.empty()) return;
  const AverageFields& order = orders_.front();
  if (order.round != round_)
    throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " was told to average in round " +
                                    std::to_string(order.round) + ", but it is in round " + std::to_string(round_));
  members_ = order.models;
  members_.push_back({self_, round_});
  std::sort(members_.begin(), members_.end());
  if (full_) sum_.assign(model_.size(), 0.0F);
  std::fill(next_.begin(), next_.end(), std::size_t{0});
  complete_ = 0;
}

/// All of one chunk that is here, in order.
void PeerPayload::add(std::size_t chunk, PayloadTotals& totals) {
  std::size_t& next = next_[chunk];
  if (next == members_.size()) return;
  for (; next < members_.size(); ++next) {
    const PeerRound& member = members_[next];
    if (member.node == self_) {
      if (full_) add_model(floats(model_, chunk), floats(sum_, chunk));
      continue;
    }
    const auto push = waiting_.find(Place{chunk, member.node, member.round});
    if (push == waiting_.end()) return;
    const std::uint32_t crc =
        full_ ? add_payload(bytes_of_payload(push->second.payload), floats(sum_, chunk).data(), false)
              : crc_of(member, chunk);
    totals.crc_errors += crc != push->second.crc32c;
    credits_.push_back(member.node);
    waiting_.erase(push);
  }
  ++complete_;
}

/// Ends as many rounds as can be ended.
void PeerPayload::go_on(PayloadTotals& totals) {
  while (!members_.empty()) {
    if (complete_ < chunks_)
      for (std::size_t chunk = 0; chunk < chunks_; ++chunk) add(chunk, totals);
    if (complete_ < chunks_) return;
    if (full_) {
      divide_model(sum_, members_.size());
      totals.sum_errors += peer_->averaged(round_, sum_, members_);
      model_.swap(sum_);
    }
    members_.clear();
    orders_.pop_front();
    ++round_;
    say_model();
    if (round_ == tools_.job.iterations) return;
    step();
    open_average();
  }
}

}  // namespace ocs
