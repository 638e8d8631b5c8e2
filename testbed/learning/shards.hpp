// Which pictures a worker learns from, and in which order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ocs {

enum class ShardKind : std::uint8_t {
  iid,     ///< drawn: each worker has about as many of each class
  sorted,  ///< by label: each worker has few classes
};
/// "iid", "sorted". @throws Error (input) that lists them
ShardKind shard_kind(std::string_view name);
std::string_view name_of(ShardKind kind);

/// Numbers of the pictures of worker `worker` of `workers`. Each picture is one worker's; the first count mod workers
/// have one more. Sorted: by (label, number), ascending. Iid: by a draw that is the same for all workers of a seed.
/// @throws Error (input) if there are fewer pictures than workers
std::vector<std::uint32_t> shard_of(std::span<const std::uint8_t> labels, ShardKind kind, std::size_t worker,
                                    std::size_t workers, std::uint64_t seed);

/// Goes through a shard again and again, each time in a new order.
class Batches {
 public:
  /// @param shard not empty. @param worker tells its draws from those of others
  Batches(std::vector<std::uint32_t> shard, std::uint64_t seed, std::size_t worker);
  /// The next `count` pictures; a batch may reach over the end of a turn.
  std::vector<std::uint32_t> next(std::size_t count);

 private:
  void begin_turn();

  std::vector<std::uint32_t> shard_;
  std::uint64_t seed_, worker_, turn_ = 0;
  std::size_t at_ = 0;
};

}  // namespace ocs
