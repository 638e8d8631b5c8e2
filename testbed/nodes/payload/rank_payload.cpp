// A rank's payload, operation by operation.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/payload/rank_payload.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace ocs {

RankPayload::RankPayload(PayloadTools tools, Node self)
    : tools_(tools),
      self_(self),
      full_(tools.job.payload == PayloadMode::full),
      own_weight_(std::int64_t{tools.job.worker_index(self)} + 1) {
  if (!tools.job.learning) return;
  learning_.emplace(tools.job, self);
  gradient_.resize(floats_in(tools.job.servers.front().words));
}

std::size_t RankPayload::floats_in(Words words) const {
  return static_cast<std::size_t>(words.n * tools_.job.word_bytes) / sizeof(float);
}

std::vector<std::pair<TransferKey, Words>> RankPayload::begin(const StepsFields& leg) {
  if (!legs_.empty() && std::pair(leg.iteration, leg.leg) <= std::pair(legs_.back().iteration, legs_.back().leg))
    throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " was told of leg " + std::to_string(leg.leg) +
                                    " of iteration " + std::to_string(leg.iteration) + " again, or out of turn");
  std::map<Node, Words> sent;
  for (const RankStep& step : leg.list) {
    const bool holds = step.what == RankStep::What::holds;
    const std::uint32_t known = (holds ? 1 : 2) * blocks();
    const bool is_peer = step.peer != self_ && tools_.job.worker_index(step.peer) >= 0;
    if ((!holds && !is_peer) || step.first + step.blocks > known)
      throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " was told of blocks " +
                                      std::to_string(step.first) + " and on, and of node " +
                                      std::to_string(index(step.peer)) + ", which the collective doesn't have");
    for (std::uint32_t b = step.first; !holds && b < step.first + step.blocks; ++b) {
      if (words_of(b) == Words{0})
        throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " was told of block " + std::to_string(b) +
                                        ", which has no words");
      if (step.what == RankStep::What::sends) sent[step.peer] += words_of(b);
    }
  }
  legs_.push_back(leg);
  std::vector<std::pair<TransferKey, Words>> transfers;
  transfers.reserve(sent.size());
  for (const auto& [peer, words] : sent)
    transfers.push_back({{leg.iteration, TransferPhase::push, self_, peer, leg.leg}, words});
  return transfers;
}

void RankPayload::score(const std::vector<PastEvent>& history) {
  for (const PastEvent& event : history)
    if (event.what == PastEvent::What::scored && event.server == self_)
      scored_.emplace(static_cast<std::uint32_t>(event.weight), event.iteration);
}

void RankPayload::start(PayloadTotals& totals) {
  if (learning_) say_model();
  open_iteration(totals);
}

void RankPayload::open_iteration(PayloadTotals& totals) {
  while (!legs_.empty()) {
    iteration_ = legs_.front().iteration;
    operations_.clear(), places_.clear(), blocks_.clear();
    crcs_ = {};
    for (; !legs_.empty() && legs_.front().iteration == iteration_; legs_.pop_front()) add_leg(legs_.front());
    check_weights(totals);
    left_ = operations_.size();
    if (learning_) learning_->step(gradient_);
    if (left_ > 0) return;
    end_iteration();
  }
}

void RankPayload::end_iteration() {
  if (!learning_) return;
  learning_->apply(gradient_);
  ++summed_;
  say_model();
}

/// The model as it is now, as often as it is to be scored.
void RankPayload::say_model() {
  const Words all = tools_.job.servers.front().words;
  const auto [first, last] = scored_.equal_range(summed_);
  for (auto one = first; one != last; ++one)
    for (Words at; at < all; at += tools_.job.chunk) {
      const WordRun part{at, std::min(tools_.job.chunk, all - at)};
      const auto numbers = learning_->model().subspan(floats_in(part.first), floats_in(part.count));
      snapshots_.push_back(snapshot(one->second, part, std::as_bytes(numbers)));
    }
}

void RankPayload::add_leg(const StepsFields& leg) {
  for (const RankStep& step : leg.list) {
    const bool sends = step.what == RankStep::What::sends;
    const TransferKey key{leg.iteration, TransferPhase::push, sends ? self_ : step.peer, sends ? step.peer : self_,
                          leg.leg};
    for (std::uint32_t b = step.first; b < step.first + step.blocks; ++b)
      if (step.what == RankStep::What::holds)
        block_of(b).wanted = step.weight;
      else
        add_operation(key, step, b);
  }
}

RankPayload::Block& RankPayload::block_of(std::uint32_t named) {
  Block begun{.number = named % blocks(), .relayed = named >= blocks(), .weight = own_weight_};
  return blocks_.try_emplace(named, std::move(begun)).first->second;
}

/// What is sent follows the last receipt of its block; what is received follows that, too, and all that was sent since.
void RankPayload::add_operation(const TransferKey& key, const RankStep& step, std::uint32_t named) {
  auto& places = places_[key];
  const Words at = places.empty() ? Words{0} : end_of(operations_[places.back()]);
  const std::size_t place = operations_.size();
  Block& block = block_of(named);
  std::vector<std::size_t>& last = block.last;
  const auto is_receipt = [&](std::size_t one) { return operations_[one].what != RankStep::What::sends; };
  std::vector<std::size_t> after = last;
  const bool sends = step.what == RankStep::What::sends, adds = step.what == RankStep::What::adds;
  if (block.left++ == 0) block.is_own = !block.relayed && (sends || adds);
  block.kept = block.kept || adds || (sends && block.received) || learning_;
  block.received = block.received || !sends;
  if (sends) {
    std::erase_if(after, [&](std::size_t one) { return !is_receipt(one); });
    last.push_back(place);
  } else {
    last = {place};
  }
  places.push_back(place);
  if (adds) block.weight += step.weight;
  if (step.what == RankStep::What::takes) block.weight = step.weight;
  operations_.push_back({step.what, &block, sends ? block.weight : step.weight, at, Words{0}, std::move(after)});
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
  return {next, std::min(tools_.job.chunk, end_of(operations_[place_of(key, next)]) - next)};
}

WordRun RankPayload::chunk_of(const TransferKey& key, Words word) const {
  const Operation& one = operations_[place_of(key, word)];
  const Words chunk = tools_.job.chunk, first = one.at + Words{(word - one.at).n / chunk.n * chunk.n};
  return {first, std::min(chunk, end_of(one) - first)};
}

bool RankPayload::ready(const TransferKey& key, WordRun part) const {
  if (key.iteration != iteration_ || operations_.empty()) return false;
  const Operation& one = operations_[place_of(key, part.first)];
  const Words end = part.first + part.count - one.at;
  return std::all_of(one.after.begin(), one.after.end(),
                     [&](std::size_t place) { return operations_[place].done >= end; });
}

PatternSlice RankPayload::slice(const Operation& operation, WordRun part) const {
  return {tools_.pattern, iteration_, Node{0}, floats_in(slice_of(*operation.block).first + part.first - operation.at)};
}

/// Of a block that is kept; its memory is there from the first use on.
std::span<float> RankPayload::numbers(const Operation& operation, WordRun part) {
  Block& block = *operation.block;
  const Slice& place = slice_of(block);
  const std::size_t size = floats_in(place.words);
  const std::size_t first = floats_in(part.first - operation.at), count = floats_in(part.count);
  if (learning_ && !block.relayed) return std::span(gradient_).subspan(floats_in(place.first) + first, count);
  if (!block.numbers) {
    block.numbers = std::make_unique_for_overwrite<float[]>(size);
    if (block.is_own)
      make_payload({tools_.pattern, iteration_, Node{0}, floats_in(place.first)}, static_cast<float>(own_weight_),
                   {block.numbers.get(), size});
  }
  return std::span(block.numbers.get(), size).subspan(first, count);
}

/// The CRC of the pattern times the operation's weight; it is made in a buffer that is thrown away.
std::uint32_t RankPayload::crc_of(const Operation& operation, WordRun part) {
  const WordRun place{slice_of(*operation.block).first + part.first - operation.at, part.count};
  return crcs_.of(Node{0}, place, static_cast<std::int32_t>(operation.weight), [&] {
    const auto scratch = tools_.pool.take();
    return make_payload(slice(operation, part), static_cast<float>(operation.weight),
                        {reinterpret_cast<float*>(scratch.get()), floats_in(part.count)});
  });
}

void RankPayload::make(const Outgoing& chunk, std::vector<Message>& append, PayloadTotals& totals) {
  Operation& one = operations_[place_of(chunk.key, chunk.part.first)];
  Payload payload;
  std::uint32_t crc = 0;
  if (full_) {
    const std::size_t size = floats_in(chunk.part.count);
    auto buffer = tools_.pool.take();
    if (one.block->kept) {
      const auto bytes = std::as_bytes(numbers(one, chunk.part));
      std::memcpy(buffer.get(), bytes.data(), bytes.size());
      crc = crc32c({buffer.get(), bytes.size()});
    } else {
      crc = make_payload(slice(one, chunk.part), static_cast<float>(one.weight),
                         {reinterpret_cast<float*>(buffer.get()), size});
    }
    payload = {std::move(buffer), size * sizeof(float)};
  } else {
    crc = crc_of(one, chunk.part);
  }
  append_chunk(
      chunk, crc, payload, tools_.job.word_bytes, [&](WordRun run) { return crc_of(one, run); }, append);
  done(one, chunk.part.count, totals);
}

void RankPayload::take(const WholeChunk& chunk, PayloadTotals& totals) {
  ++totals.chunks;
  Operation& one = operations_[place_of(chunk.key, chunk.part.first)];
  const bool takes = one.what == RankStep::What::takes;
  if (one.what == RankStep::What::sends || chunk.part.first != one.at + one.done ||
      chunk.part.first + chunk.part.count > end_of(one))
    throw Error(ErrorKind::run,
                "words " + describe(std::vector{chunk.part}) + " of the " + describe(chunk.key) + ", came out of turn");
  const std::span<const std::byte> bytes{chunk.payload.data.get(), chunk.payload.size};
  std::uint32_t crc = 0;
  if (!full_) {
    crc = crc_of(one, chunk.part);
  } else if (one.block->kept) {
    crc = add_payload(bytes, numbers(one, chunk.part).data(), takes);
  } else {
    const std::int64_t weight = one.block->wanted.value_or(one.weight);
    const Checked checked = check_payload(slice(one, chunk.part), static_cast<float>(weight), bytes);
    crc = checked.crc32c;
    totals.sum_errors += checked.differences;
  }
  totals.crc_errors += crc != chunk.crc32c;
  done(one, chunk.part.count, totals);
}

/// A block is compared with its last operation, and the iteration is over with the last one of all.
void RankPayload::done(Operation& operation, Words words, PayloadTotals& totals) {
  operation.done += words;
  Block& block = *operation.block;
  if (operation.done < slice_of(block).words) return;
  if (--block.left == 0 && block.numbers) {
    if (block.wanted) check_numbers(block, totals);
    block.numbers.reset();
  }
  if (--left_ > 0) return;
  operations_.clear();
  end_iteration();
  open_iteration(totals);
}

/// What the steps leave, by weight: of full payload that is the pattern only where no number comes that could be
/// compared.
void RankPayload::check_weights(PayloadTotals& totals) const {
  const bool numbers_tell = full_ && !learning_;
  for (const auto& [named, block] : blocks_)
    totals.sum_errors += block.wanted && *block.wanted != block.weight && !(numbers_tell && block.received);
}

void RankPayload::check_numbers(const Block& block, PayloadTotals& totals) const {
  const Slice& place = slice_of(block);
  const std::span<const float> all(block.numbers.get(), floats_in(place.words));
  totals.sum_errors += check_payload({tools_.pattern, iteration_, Node{0}, floats_in(place.first)},
                                     static_cast<float>(*block.wanted), std::as_bytes(all))
                           .differences;
}

}  // namespace ocs
