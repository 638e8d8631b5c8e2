// The payload side of a node.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/payload_plane.hpp"

#include <algorithm>
#include <utility>

namespace ocs {

PayloadPlane::PayloadPlane(PayloadTools tools, Node self, Transport& transport)
    : tools_(tools), transport_(transport), carrier_(tools.job.word_bytes) {
  if (tools.job.worker_index(self) >= 0) worker_.emplace(tools, self);
  if (tools.job.server_at(self)) server_.emplace(tools, self);
  credits_.fill(window);
}

void PayloadPlane::begin(const Offer& offer) {
  lanes_[{offer.key.to(), offer.key.phase}].streams.push_back({offer.key, offer.words, Words{0}});
}

void PayloadPlane::deliver(const DeliveredFields& delivered) {
  for (const WordRun& run : delivered.runs) expected_ += run.count.n;
  carrier_.deliver(delivered);
}

void PayloadPlane::receive(Message message) {
  if (kind_of(message) == MessageKind::chunk)
    carrier_.hold(std::move(message));
  else
    credits_.at(message.header.from) += decode_fields<CreditFields>(message).chunks;
}

bool PayloadPlane::work() { return send(TransferPhase::pull) || consume() || send(TransferPhase::push); }

bool PayloadPlane::idle() const { return lanes_.empty() && expected_ == 0; }

WordRun PayloadPlane::part_of(const Stream& stream) const {
  return {stream.next, std::min(tools_.job.chunk, stream.words - stream.next)};
}

bool PayloadPlane::may_send(const Stream& stream) const {
  if (credits_[index(stream.key.to())] == 0) return false;
  const WordRun part = part_of(stream);
  if (stream.key.phase == TransferPhase::pull) return server_->ready(stream.key.iteration, part);
  const std::int64_t before = (stream.key.iteration - std::int64_t{1}) * stream.words.n + (part.first + part.count).n;
  return stream.key.iteration == 0 || pulled_[index(stream.key.server)].n >= before;
}

bool PayloadPlane::consume() {
  const auto arrival = carrier_.take();
  if (!arrival) return false;
  if (arrival->key.phase == TransferPhase::push) {
    server_->take(*arrival, totals_);
  } else {
    worker_->take(*arrival, totals_);
    pulled_[index(arrival->key.server)] += arrival->chunk.count;
  }
  for (const auto& part : arrival->parts) expected_ -= part.words.count.n;
  transport_.send(make_message(index(arrival->key.from()), Picos{0}, CreditFields{1}));
  return true;
}

bool PayloadPlane::send(TransferPhase phase) {
  auto best = lanes_.end();
  const auto place = [](const Stream& s) { return std::tuple(s.key.iteration, s.next, s.key); };
  for (auto lane = lanes_.begin(); lane != lanes_.end(); ++lane) {
    if (lane->first.second != phase || !may_send(lane->second.streams.front())) continue;
    if (best == lanes_.end() || place(lane->second.streams.front()) < place(best->second.streams.front())) best = lane;
  }
  if (best == lanes_.end()) return false;
  auto& streams = best->second.streams;
  Stream& stream = streams.front();
  const WordRun part = part_of(stream);
  --credits_[index(stream.key.to())];
  transport_.send(phase == TransferPhase::push ? worker_->make(stream.key, stream.words, part)
                                               : server_->make(stream.key, stream.words, part));
  stream.next += part.count;
  if (stream.next == stream.words) streams.pop_front();
  if (streams.empty()) lanes_.erase(best);
  return true;
}

}  // namespace ocs
