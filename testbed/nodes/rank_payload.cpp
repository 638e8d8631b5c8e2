// A rank's payload, operation by operation.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/rank_payload.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace ocs {

RankPayload::RankPayload(PayloadTools tools, Node self)
    : tools_(tools), self_(self), full_(tools.job.payload == PayloadMode::full) {}

std::size_t RankPayload::floats_in(Words words) const {
  return static_cast<std::size_t>(words.n * tools_.job.word_bytes) / sizeof(float);
}

std::vector<std::pair<TransferKey, Words>> RankPayload::begin(const StepsFields& leg) {
  if (!legs_.empty() && std::pair(leg.iteration, leg.leg) <= std::pair(legs_.back().iteration, legs_.back().leg))
    throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " was told of leg " + std::to_string(leg.leg) +
                                    " of iteration " + std::to_string(leg.iteration) + " again, or out of turn");
  std::map<Node, Words> sent;
  for (const RankStep& step : leg.list) {
    if (step.peer == self_ || tools_.job.worker_index(step.peer) < 0 || step.first + step.blocks > 2 * blocks().size())
      throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " was told of blocks " +
                                      std::to_string(step.first) + " and on, and of node " +
                                      std::to_string(index(step.peer)) + ", which the collective doesn't have");
    if (step.what != RankStep::What::sends) continue;
    for (std::uint32_t b = step.first; b < step.first + step.blocks; ++b) sent[step.peer] += words_of(b);
  }
  legs_.push_back(leg);
  std::vector<std::pair<TransferKey, Words>> transfers;
  transfers.reserve(sent.size());
  for (const auto& [peer, words] : sent)
    transfers.push_back({{leg.iteration, TransferPhase::push, self_, peer, leg.leg}, words});
  return transfers;
}

void RankPayload::open_iteration(PayloadTotals& totals) {
  if (legs_.empty()) return;
  iteration_ = legs_.front().iteration;
  operations_.clear(), places_.clear();
  last_.assign(2 * blocks().size(), {});
  crcs_ = {};
  const auto rank = static_cast<std::size_t>(tools_.job.worker_index(self_));
  weights_.assign(2 * blocks().size(), static_cast<std::int64_t>(rank) + 1);
  if (full_) {
    numbers_.resize(floats_in(tools_.job.servers.front().words));
    make_payload({tools_.pattern, iteration_, Node{0}, 0}, Pattern::weight(rank), numbers_);
  }
  for (; !legs_.empty() && legs_.front().iteration == iteration_; legs_.pop_front()) add_leg(legs_.front());
  left_ = operations_.size();
  if (left_ == 0) check_sums(totals), open_iteration(totals);
}

void RankPayload::add_leg(const StepsFields& leg) {
  for (const RankStep& step : leg.list) {
    const bool sends = step.what == RankStep::What::sends;
    const TransferKey key{leg.iteration, TransferPhase::push, sends ? self_ : step.peer, sends ? step.peer : self_,
                          leg.leg};
    for (std::uint32_t b = step.first; b < step.first + step.blocks; ++b) add_operation(key, step, b);
  }
}

/// What is sent follows the last receipt of its block; what is received follows that, too, and all that was sent since.
void RankPayload::add_operation(const TransferKey& key, const RankStep& step, std::uint32_t block) {
  auto& places = places_[key];
  const Words at =
      places.empty() ? Words{0} : operations_[places.back()].at + blocks()[operations_[places.back()].block].words;
  const std::size_t place = operations_.size();
  std::vector<std::size_t>& last = last_[block];  // the receipt is the first one, if there was any
  const auto is_receipt = [&](std::size_t one) { return operations_[one].what != RankStep::What::sends; };
  std::vector<std::size_t> after = last;
  if (step.what == RankStep::What::sends) {
    std::erase_if(after, [&](std::size_t one) { return !is_receipt(one); });
    last.push_back(place);
  } else {
    last = {place};
  }
  places.push_back(place);
  std::int64_t& weight = weights_[block];
  if (step.what == RankStep::What::adds) weight += step.weight;
  if (step.what == RankStep::What::takes) weight = step.weight;
  const auto own = static_cast<std::uint32_t>(blocks().size());
  const bool relays = block >= own;
  if (full_ && relays && relayed_.empty()) relayed_.resize(numbers_.size());
  operations_.push_back({step.what, block % own, relays, step.what == RankStep::What::sends ? weight : step.weight, at,
                         Words{0}, std::move(after)});
}

/// Where the operation is that has this word of its transfer.
std::size_t RankPayload::place_of(const TransferKey& key, Words word) const {
  const auto places = places_.find(key);
  if (places == places_.end())
    throw Error(ErrorKind::run, "the " + describe(key) + ", is none of the collective's, or is over");
  const auto behind = std::upper_bound(places->second.begin(), places->second.end(), word,
                                       [&](Words wanted, std::size_t place) { return wanted < operations_[place].at; });
  return *(behind - 1);
}

WordRun RankPayload::part(const TransferKey& key, Words next) const {
  if (key.iteration != iteration_ || operations_.empty()) return {next, Words{0}};
  const Operation& one = operations_[place_of(key, next)];
  return {next, std::min(tools_.job.chunk, one.at + blocks()[one.block].words - next)};
}

WordRun RankPayload::chunk_of(const TransferKey& key, Words word) const {
  const Operation& one = operations_[place_of(key, word)];
  const Words chunk = tools_.job.chunk, first = one.at + Words{(word - one.at).n / chunk.n * chunk.n};
  return {first, std::min(chunk, one.at + blocks()[one.block].words - first)};
}

bool RankPayload::ready(const TransferKey& key, WordRun part) const {
  if (key.iteration != iteration_ || operations_.empty()) return false;
  const Operation& one = operations_[place_of(key, part.first)];
  const Words end = part.first + part.count - one.at;
  return std::all_of(one.after.begin(), one.after.end(),
                     [&](std::size_t place) { return operations_[place].done >= end; });
}

PatternSlice RankPayload::slice(const Operation& operation, WordRun part) const {
  return {tools_.pattern, iteration_, Node{0}, floats_in(blocks()[operation.block].first + part.first - operation.at)};
}

std::span<float> RankPayload::numbers(const Operation& operation, WordRun part) {
  return std::span(operation.relays ? relayed_ : numbers_)
      .subspan(floats_in(blocks()[operation.block].first + part.first - operation.at), floats_in(part.count));
}

/// The CRC of the pattern times the operation's weight; it is made in a buffer that is thrown away.
std::uint32_t RankPayload::crc_of(const Operation& operation, WordRun part) {
  const WordRun place{blocks()[operation.block].first + part.first - operation.at, part.count};
  return crcs_.of(Node{0}, place, static_cast<std::int32_t>(operation.weight), [&] {
    const auto scratch = tools_.pool.take();
    return make_payload(slice(operation, part), static_cast<float>(operation.weight),
                        {reinterpret_cast<float*>(scratch.get()), floats_in(part.count)});
  });
}

void RankPayload::make(const Outgoing& chunk, std::vector<Message>& append, PayloadTotals& totals) {
  Operation& one = operations_[place_of(chunk.key, chunk.part.first)];
  Payload payload;
  if (full_) {
    const auto bytes = std::as_bytes(numbers(one, chunk.part));
    auto buffer = tools_.pool.take();
    std::memcpy(buffer.get(), bytes.data(), bytes.size());
    payload = {std::move(buffer), bytes.size()};
  }
  const std::uint32_t crc = full_ ? crc32c({payload.data.get(), payload.size}) : crc_of(one, chunk.part);
  append_chunk(
      chunk, crc, payload, tools_.job.word_bytes, [&](WordRun run) { return crc_of(one, run); }, append);
  done(one, chunk.part.count, totals);
}

void RankPayload::take(const WholeChunk& chunk, PayloadTotals& totals) {
  ++totals.chunks;
  Operation& one = operations_[place_of(chunk.key, chunk.part.first)];
  const bool takes = one.what == RankStep::What::takes;
  if (one.what == RankStep::What::sends || chunk.part.first != one.at + one.done ||
      chunk.part.first + chunk.part.count > one.at + blocks()[one.block].words)
    throw Error(ErrorKind::run,
                "words " + describe(std::vector{chunk.part}) + " of the " + describe(chunk.key) + ", came out of turn");
  if (full_) {
    const std::span<const std::byte> bytes{chunk.payload.data.get(), chunk.payload.size};
    totals.crc_errors += add_payload(bytes, numbers(one, chunk.part).data(), takes) != chunk.crc32c;
  } else {
    totals.crc_errors += crc_of(one, chunk.part) != chunk.crc32c;
  }
  done(one, chunk.part.count, totals);
}

/// The iteration is over with its last operation.
void RankPayload::done(Operation& operation, Words words, PayloadTotals& totals) {
  operation.done += words;
  if (operation.done < blocks()[operation.block].words || --left_ > 0) return;
  check_sums(totals);
  operations_.clear();
  open_iteration(totals);
}

void RankPayload::check_sums(PayloadTotals& totals) const {
  const float all = Pattern::weight_of_all(tools_.job.workers.size());
  if (full_)
    totals.sum_errors +=
        check_payload({tools_.pattern, iteration_, Node{0}, 0}, all, std::as_bytes(std::span(numbers_))).differences;
  else
    for (std::size_t block = 0; block < blocks().size(); ++block)
      totals.sum_errors += static_cast<float>(weights_[block]) != all;
}

}  // namespace ocs
