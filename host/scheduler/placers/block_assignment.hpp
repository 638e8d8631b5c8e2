// Given the nodes that are servers: which block goes where, so that the heaviest port stays light.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// Longest processing time first. Blocks by decreasing size (ties: number). Each goes to the server that keeps the
/// heaviest port lightest, over all in-ports of servers and out-ports of workers, with the set-ups of all servers
/// charged from the start; ties: the lightest own in-port (the block included), then the lowest number. While only as
/// many blocks remain as servers are empty, only empty ones are allowed.
///
/// Loads are exact multiples of a fraction of a tick if the rates have a common measure, as real ones do (else of a
/// power of two, rounded down), so no floating point decides a tie.
class BlockAssignment {
 public:
  /// @param job one that check_job() lets pass; it must outlive the object.
  explicit BlockAssignment(const Job& job);

  struct Result {
    std::vector<Node> server;  ///< of each block
    Ticks bound;               ///< T, the placement_bound() of it
  };
  /// @param opened the servers: candidates of the job, ascending, 1 to as many as there are blocks.
  /// @returns none if T is `limit` or more (often found out early).
  std::optional<Result> assign(const std::vector<Node>& opened, Ticks limit = never<Ticks>) const;

 private:
  /// What a byte on a server costs its in-port.
  struct InPort {
    std::int64_t flows;  ///< workers that send to it
    std::int64_t cost;   ///< of one byte from each of them
  };
  /// A worker whose out-port can be the heaviest; the others are never heavier than one of these.
  struct OutPort {
    Node worker;
    std::int64_t load;
    std::vector<std::int64_t> cost;  ///< of a byte to each opened server; 0 to itself
  };
  struct RateClass {
    std::int64_t rate;
    std::int64_t cost = 0;     ///< units of load a byte at this rate
    std::int64_t workers = 0;  ///< how many have it
  };

  void choose_scale();
  std::vector<OutPort> out_ports(const std::vector<Node>& opened) const;
  bool hopeless(const std::vector<Node>& opened, const std::vector<OutPort>& outs, std::int64_t limit) const;
  Ticks exact_bound(const std::vector<Node>& opened, const std::vector<OutPort>& outs,
                    const std::vector<std::int64_t>& bytes) const;
  std::size_t pair_class(Node a, Node b) const;
  Ticks transfer(std::size_t rate_class, std::int64_t bytes) const;

  const Job& job_;
  Ticks delta_ticks_;
  std::int64_t total_ = 0;              ///< bytes
  std::int64_t scale_ = 1;              ///< units of load a tick
  std::int64_t delta_ = 0;              ///< in units of load
  std::vector<RateClass> classes_;      ///< ascending rates of workers and candidates
  std::vector<std::size_t> class_of_;   ///< of each node, meaningful for workers and candidates
  std::vector<bool> is_worker_;         ///< of each node
  std::vector<InPort> in_port_;         ///< of each node, meaningful for candidates
  std::vector<Node> slowest_first_;     ///< workers
  std::vector<std::uint32_t> by_size_;  ///< blocks, largest first
};

}  // namespace ocs
