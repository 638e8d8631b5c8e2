// The arithmetic of collectives, on every number or on weights alone.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/peers.hpp"

#include <utility>

namespace ocs {
namespace {

std::span<const std::byte> bytes_of(const std::vector<float>& numbers) { return std::as_bytes(std::span(numbers)); }

}  // namespace

Peers::Peers(const Collective& collective, std::vector<Words> sizes, std::int64_t word_bytes, PayloadMode mode,
             std::uint64_t seed)
    : collective_(collective), sizes_(std::move(sizes)), word_bytes_(word_bytes), mode_(mode), pattern_(seed) {
  std::size_t first = 0;
  for (std::uint32_t b = 0; b < sizes_.size(); ++b) {
    firsts_.push_back(first);
    first += elements(b);
  }
  const std::size_t all = std::size_t{collective.ranks} * collective.blocks;
  if (mode == PayloadMode::full) numbers_.resize(all);
  if (mode == PayloadMode::digest) weights_.resize(all);
}

std::size_t Peers::elements(std::uint32_t block) const {
  return static_cast<std::size_t>(sizes_[block].n * word_bytes_) / sizeof(float);
}

std::vector<float>& Peers::numbers(std::uint32_t rank, std::uint32_t block) {
  return numbers_[std::size_t{rank} * collective_.blocks + block];
}

PatternSlice Peers::slice(std::uint32_t block) const { return {pattern_, iteration_, Node{0}, firsts_[block]}; }

std::uint32_t Peers::crc_of(std::uint32_t block, std::int64_t weight) {
  std::vector<float> scratch(elements(block));
  return make_payload(slice(block), static_cast<float>(weight), scratch);
}

void Peers::begin(std::uint32_t iteration) {
  iteration_ = iteration;
  for (std::uint32_t rank = 0; rank < collective_.ranks; ++rank)
    for (std::uint32_t b = 0; b < collective_.blocks; ++b) {
      if (mode_ == PayloadMode::digest) weights_[std::size_t{rank} * collective_.blocks + b] = rank + 1;
      if (mode_ != PayloadMode::full) continue;
      numbers(rank, b).resize(elements(b));
      make_payload(slice(b), Pattern::weight(rank), numbers(rank, b));
    }
}

Peers::Sent Peers::send(const CollectiveStep& step, std::uint32_t block) {
  if (mode_ == PayloadMode::full) {
    const std::vector<float>& own = numbers(step.sender, block);
    return {&step, block, own, 0, crc32c(bytes_of(own))};
  }
  const std::int64_t weight = weights_[std::size_t{step.sender} * collective_.blocks + block];
  return {&step, block, {}, weight, crc_of(block, weight)};
}

void Peers::receive(const Sent& sent) {
  const CollectiveStep& step = *sent.step;
  if (mode_ == PayloadMode::digest) {
    crc_errors += crc_of(sent.block, sent.weight) != sent.crc32c;
    std::int64_t& own = weights_[std::size_t{step.receiver} * collective_.blocks + sent.block];
    own = step.adds ? own + sent.weight : sent.weight;
    return;
  }
  std::vector<float>& own = numbers(step.receiver, sent.block);
  crc_errors += add_payload(bytes_of(sent.numbers), own.data(), !step.adds) != sent.crc32c;
}

void Peers::steps(std::uint32_t first, std::uint32_t last) {
  if (mode_ == PayloadMode::none) return;
  std::vector<Sent> sent;
  const auto deliver = [&] {
    for (const Sent& one : std::exchange(sent, {})) receive(one);
  };
  for (const CollectiveStep& step : collective_.steps) {
    if (step.step < first || step.step > last) continue;
    if (!sent.empty() && sent.back().step->step != step.step) deliver();
    for (std::uint32_t b = step.first; b < step.first + step.blocks; ++b) sent.push_back(send(step, b));
  }
  deliver();
}

void Peers::finish() {
  const float all = Pattern::weight_of_all(collective_.ranks);
  for (std::uint32_t rank = 0; rank < collective_.ranks; ++rank)
    for (std::uint32_t b = 0; b < collective_.blocks; ++b) {
      if (mode_ == PayloadMode::full)
        sum_errors += static_cast<std::int64_t>(check_payload(slice(b), all, bytes_of(numbers(rank, b))).differences);
      if (mode_ == PayloadMode::digest)
        sum_errors += static_cast<float>(weights_[std::size_t{rank} * collective_.blocks + b]) != all;
    }
}

}  // namespace ocs
