// Draws of pictures.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/learning/shards.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "host/core/catalogue.hpp"
#include "testbed/learning/random.hpp"

namespace ocs {
namespace {

struct KindName {
  std::string_view name;
  ShardKind kind;
};
constexpr std::array<KindName, 2> kinds = {{{"iid", ShardKind::iid}, {"sorted", ShardKind::sorted}}};

constexpr std::uint64_t for_shards = 1, for_batches = 2;

}  // namespace

ShardKind shard_kind(std::string_view name) {
  return find(std::span<const KindName>(kinds), name, "kind of shards").kind;
}

std::string_view name_of(ShardKind kind) { return kinds[static_cast<std::size_t>(kind)].name; }

std::vector<std::uint32_t> shard_of(std::span<const std::uint8_t> labels, ShardKind kind, std::size_t worker,
                                    std::size_t workers, std::uint64_t seed) {
  if (labels.size() < workers)
    throw Error(ErrorKind::input, "there are " + std::to_string(labels.size()) + " pictures for " +
                                      std::to_string(workers) + " workers; each must have one or more");
  std::vector<std::uint32_t> all(labels.size());
  std::iota(all.begin(), all.end(), std::uint32_t{0});
  if (kind == ShardKind::sorted) {
    std::stable_sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) { return labels[a] < labels[b]; });
  } else {
    Draws draws(seed, {for_shards});
    shuffle(all, draws);
  }
  const auto begin = [&](std::size_t w) {
    const std::size_t first = w * (labels.size() / workers) + std::min(w, labels.size() % workers);
    return all.begin() + static_cast<std::ptrdiff_t>(first);
  };
  return {begin(worker), begin(worker + 1)};
}

Batches::Batches(std::vector<std::uint32_t> shard, std::uint64_t seed, std::size_t worker)
    : shard_(std::move(shard)), seed_(seed), worker_(worker) {
  begin_turn();
}

void Batches::begin_turn() {
  Draws draws(seed_, {for_batches, worker_, turn_++});
  std::sort(shard_.begin(), shard_.end());  // a turn depends on its number alone
  shuffle(shard_, draws);
  at_ = 0;
}

std::vector<std::uint32_t> Batches::next(std::size_t count) {
  std::vector<std::uint32_t> batch;
  while (batch.size() < count) {
    if (at_ == shard_.size()) begin_turn();
    const std::size_t more = std::min(count - batch.size(), shard_.size() - at_);
    const auto from = shard_.begin() + static_cast<std::ptrdiff_t>(at_);
    batch.insert(batch.end(), from, from + static_cast<std::ptrdiff_t>(more));
    at_ += more;
  }
  return batch;
}

}  // namespace ocs
