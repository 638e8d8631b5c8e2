// What the roles do with payload: a worker makes pushes and checks pulls, a server adds pushes and hands out sums.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/transport/carrier.hpp"
#include "testbed/nodes/buffer_pool.hpp"
#include "testbed/nodes/node_job.hpp"
#include "testbed/nodes/payload_math.hpp"
#include "testbed/nodes/reassembly.hpp"
#include "testbed/nodes/sum_store.hpp"

namespace ocs {

/// What came of the payload that a node has received.
struct PayloadTotals {
  std::uint64_t crc_errors = 0;  ///< chunks
  std::uint64_t sum_errors = 0;  ///< elements
  std::uint64_t chunks = 0;
};

/// The three things that payload work needs; they outlive who refers to them.
struct PayloadTools {
  const NodeJob& job;
  const Pattern& pattern;
  BufferPool& pool;  ///< of buffers that hold a chunk
};

/// Words that are sent in a further attempt.
struct Again {
  std::uint32_t attempt;
  RunSet words;
};

/// A chunk that is to be sent: of the transfer that `key` names, which has `words`.
struct Outgoing {
  const TransferKey& key;
  Words words;
  WordRun part;
  const std::vector<Again>& again;  ///< words of the transfer; those of the chunk follow it
};

class WorkerPayload {
 public:
  WorkerPayload(PayloadTools tools, Node self);
  void make(const Outgoing& push, std::vector<Message>& append);
  void take(const WholeChunk& pull, PayloadTotals& totals) const;

 private:
  PayloadTools tools_;
  Node self_;
};

class ServerPayload {
 public:
  ServerPayload(PayloadTools tools, Node self);
  /// True when all pushes of this part have been added.
  bool ready(std::uint32_t iteration, WordRun part) const { return sums_.complete(number_of(iteration, part)); }
  /// True when this push can be added now.
  bool has_room(const Arrival& push) const { return sums_.has_room(number_of(push.key.iteration, push.chunk)); }
  void make(const Outgoing& pull, std::vector<Message>& append);
  /// @returns true if the sum that the push belongs to is complete with it
  bool take(const WholeChunk& push, PayloadTotals& totals);

 private:
  std::uint64_t number_of(std::uint32_t iteration, WordRun part) const;

  PayloadTools tools_;
  std::int64_t chunks_;  ///< of the server's layout
  SumStore sums_;
};

}  // namespace ocs
