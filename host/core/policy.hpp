// What policies read and write: jobs, placements, flows, plans. A policy has no clock, file, thread or random device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/ids.hpp"

namespace ocs {

// ---- placement: which node serves which part of the parameters ------------------------------------------------------

struct Block {
  Bytes size;
  std::uint32_t tensor;  ///< row of the workload table
};

struct Job {
  std::vector<Node> workers, candidates;  ///< candidates: nodes that may host a server, in order of preference
  std::size_t servers = 0;
  std::vector<Block> blocks;
  std::vector<std::int64_t> rate_bps;  ///< of each node, both directions
  Picos delta;                         ///< reconfiguration delay
  std::uint64_t seed = 0;
  Picos tick{1000};  ///< in which placers count, rounding transfers up: a nanosecond, or the cycle of a device
  Bytes word{0};     ///< what a port moves at once: flows say how long one takes; 0: flows can be cut anywhere
};

struct Shard {
  std::uint32_t block;
  Bytes offset, size;  ///< part of the block
  Node server;
};

struct Placement {
  std::vector<Node> servers;  ///< opened, ascending
  std::vector<Shard> shards;  ///< cover each block exactly once, in order of the blocks
};

class Placer {
 public:
  virtual ~Placer() = default;
  /// Once a job. @throws Error (input) if the job cannot be placed (no server, more servers than candidates or blocks).
  virtual Placement place(const Job&) const = 0;
};

// ---- circuits: which input is joined to which output, when
// ------------------------------------------------------------

struct Flow {
  Id id, coflow;
  Input in;
  Outputs outs;
  Ticks length;  ///< on an established circuit, > 0
  Ticks release;
  std::int32_t priority = 0;  ///< smaller goes first
  Ticks word{1};              ///< of one of its words, of which `length` is a multiple; no reservation cuts one
};

/// An established circuit, usable or busy until free_at.
struct EstablishedCircuit {
  Plane plane{};
  Input in;
  Outputs outs;
  Ticks free_at;
};

/// What a coflow's owner has been given so far, for fair sharing.
struct Attained {
  Id coflow;
  Ticks served;  ///< 0 or more
};

struct Problem {
  Ticks now;
  int ports = 0, planes = 1;
  Ticks delta;                    ///< set-up of a circuit
  std::vector<Ticks> pair_delta;  ///< empty, or ports * ports: what a pair (in, out) costs instead, at in * ports + out
  bool all_stop = false;
  std::vector<EstablishedCircuit> up;
  std::vector<Output> dead_out;
  std::vector<Input> dead_in;
  std::vector<Flow> flows;  ///< what is left of them at `now`
  std::uint64_t seed = 0;
  Ticks reuse;                     ///< what a circuit that is established costs in place of its set-up, at most that
  Ticks horizon = never<Ticks>;    ///< who asks will ask again then at the latest, and whenever a coflow ends: what
                                   ///< starts at that instant or later may be left out of the plan
  std::vector<Attained> attained;  ///< of coflows that aren't named: 0
};

/// Ports are taken at `start`, data flows in [up, end): part offset.. of the flow. up - start is Problem::reuse or less
/// if the circuit was established.
struct Reservation {
  Id flow;
  Plane plane{};
  Input in;
  Outputs outs;
  Ticks start, up, end, offset;
  Ticks word{1};  ///< of one of its words: its flow's, set by the network that executes it
};

struct Plan {
  std::vector<Reservation> list;  ///< in the order of the decisions
  Ticks bound;                    ///< no plan for the same problem ends before it (a length from `now`)
  bool best_effort = false;       ///< data may be lost by design: coverage isn't checked
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  virtual Plan plan(const Problem&) const = 0;
};

}  // namespace ocs
