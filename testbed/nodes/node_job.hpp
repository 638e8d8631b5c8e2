// What every node of a job knows about it: who works, who serves, how the parameters lie in each server's memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "host/core/ids.hpp"
#include "host/transport/fields.hpp"
#include "testbed/learning/learning_job.hpp"

namespace ocs {

/// How much of the payload exists. Results in time are the same in all three.
enum class PayloadMode : std::uint8_t {
  full,    ///< every byte is made, sent, summed and checked
  digest,  ///< every word's fate and a CRC a chunk, no bytes cross
  none,    ///< no payload at all
};

/// "full", "digest", "none". @throws Error (input) that lists them.
PayloadMode payload_mode(std::string_view name);
std::string_view name_of(PayloadMode mode);

/// What a parameter server makes of pushes; `peers`: there are none, every worker is a peer, and in the list of servers
/// with the whole model as one slice.
enum class ServerMemory : std::uint8_t {
  sums,     ///< of each iteration, of all workers: workers pull the sum that they pushed to
  model,    ///< one model that pushes are added to one by one: workers pull what it is then
  peers,    ///< each has a model of its own: they push to one another, and take means
  ranks,    ///< of a collective: all have the layout of the one entry in the list of servers, its slices are the blocks
  coflows,  ///< there are no servers: nodes send what a coflow is made of, and keep nothing
};

/// What one transfer carries of a server's layout.
struct Slice {
  Words first, words;      ///< words [first, first + words) of the layout
  Bytes bytes;             ///< without padding
  std::int64_t ahead = 0;  ///< a push of it is ready before the end of computing: by ahead / NodeJob::ahead_of of the
                           ///< time that it takes, rounded down
  std::int32_t priority = 0;  ///< of its transfers; smaller goes first
};

/// Parameters that lie one behind the other, in real learning.
struct Piece {
  std::int64_t at = 0;                 ///< element (fp32) of the server's layout at which the first one lies
  std::uint32_t first = 0, count = 0;  ///< parameters
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// One parameter server: its shards, each padded to whole words, lie one behind the other in this layout.
struct Served {
  Node node;
  Words words;                  ///< with padding
  Bytes bytes;                  ///< without
  std::vector<Slice> slices;    ///< one or more, one behind the other: the whole layout
  std::vector<Piece> pieces{};  ///< in real learning: ascending in `at`; what lies between them is padding
};

struct NodeJob {
  static constexpr std::int64_t most_slices = 16384;  ///< of all servers together
  /// Of a collective, or of all its phases: a rank names as many again that it relays, and numbers end at 2^20.
  static constexpr std::int64_t most_blocks = std::int64_t{1} << 19;
  /// Of a chunk of coflows' digests, which has no bytes: those of any transfer.
  static constexpr std::int64_t most_digest_words = (std::int64_t{1} << 32) - 1;

  std::vector<Node> workers;    ///< ascending
  std::vector<Served> servers;  ///< ascending by node; only those that hold something
  std::int64_t word_bytes = 64;
  std::uint32_t iterations = 1;
  ServerMemory memory = ServerMemory::sums;
  PayloadMode payload = PayloadMode::full;
  std::uint64_t seed = 0;
  Words chunk;                 ///< a transfer crosses the transport in chunks of so many words, the last one shorter
  Picos control_latency;       ///< what a node says is heard so much later
  std::uint32_t attempts = 1;  ///< times that a word may be sent; 1: what is lost ends the job
  std::int64_t ahead_of = 1;   ///< see Slice::ahead; at least as much
  /// Where servers own keys (slices) by a map that may change: the owner of each key in its first version. Then every
  /// server has all slices in its layout, and transfers carry those that it owns. Empty: they own what they have.
  std::vector<Node> owner{};
  std::optional<LearningJob> learning{};  ///< gradients are real: payload is full, servers, peers or ranks keep a model

  const Served* server_at(Node node) const;  ///< nullptr: no server there
  int worker_index(Node node) const;         ///< -1: no worker there
  /// What the transfer carries; nullptr: the job hasn't such a one.
  const Slice* slice_of(const TransferKey& key) const;
  std::size_t transfers() const;   ///< of a worker, in a push or a pull: slices of all servers, or all keys
  std::size_t parameters() const;  ///< in real learning: of the model
  bool by_keys() const { return !owner.empty(); }
  bool peers() const { return memory == ServerMemory::peers; }
  bool ranks() const { return memory == ServerMemory::ranks; }
  bool coflows() const { return memory == ServerMemory::coflows; }
};

}  // namespace ocs
