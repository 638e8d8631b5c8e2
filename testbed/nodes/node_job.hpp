// What every node of a job knows about it: who works, who serves, how the parameters lie in each server's memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "host/core/ids.hpp"

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

/// What a parameter server makes of pushes.
enum class ServerMemory : std::uint8_t {
  sums,   ///< of each iteration, of all workers: workers pull the sum that they pushed to
  model,  ///< one model that pushes are added to one by one: workers pull what it is then
};

/// One parameter server: its shards, each padded to whole words, lie one behind the other in this layout.
struct Served {
  Node node;
  Words words;  ///< with padding
  Bytes bytes;  ///< without
};

struct NodeJob {
  std::vector<Node> workers;    ///< ascending
  std::vector<Served> servers;  ///< ascending by node; only those that hold something
  std::int64_t word_bytes = 64;
  std::uint32_t iterations = 1;
  ServerMemory memory = ServerMemory::sums;
  PayloadMode payload = PayloadMode::full;
  std::uint64_t seed = 0;
  Words chunk;                 ///< a transfer crosses the transport in chunks of so many words, the last one shorter
  Picos control_latency;       ///< what a node says is heard so much later
  std::uint32_t attempts = 1;  ///< so often a word may be sent; 1: what is lost ends the job

  const Served* server_at(Node node) const;  ///< nullptr: no server there
  int worker_index(Node node) const;         ///< -1: no worker there
};

}  // namespace ocs
