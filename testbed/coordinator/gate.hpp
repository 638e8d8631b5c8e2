// Where workers wait for each other: the gate of the synchronisation scheme and the barrier before computing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/transport/fields.hpp"
#include "testbed/nodes/node_job.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs {

/// What is to be said to workers (compute) or to all servers (release).
struct Order {
  enum class What { compute, release } what;
  std::uint32_t iteration;
  std::vector<Node> workers;  ///< ascending; never empty
};

/// Keeps count of pushes and pulls, asks the scheme (its ticks are picoseconds), and turns its grants into orders.
/// A worker asks for its next iteration as soon as all its pushes are in. A grant of iteration 0 needs no pull: every
/// worker starts with the model. A grant of iteration k > 0 lets the worker pull what iteration k-1 made.
class Gate {
 public:
  Gate(const NodeJob& job, const SyncEntry& entry);

  std::vector<Order> start();
  std::vector<Order> pushed(const TransferKey& key, Picos now);
  std::vector<Order> pulled(Node worker, std::uint32_t iteration);

  bool finished() const { return finished_ == job_.workers.size(); }
  /// "worker: pushing iteration 0, 2 of 4 servers have it; server: 3 of 12 pushes of iteration 0"
  std::string state_of(Node node) const;
  /// What the slowest worker does, for the progress display.
  std::string summary() const;

 private:
  enum class Doing { waiting_to_start, computing_or_pushing, asking, pulling, waiting_for_others, finished };
  struct Worker {
    Doing doing = Doing::waiting_to_start;
    std::uint32_t iteration = 0;
    std::size_t pushes_in = 0;
    std::uint64_t seen = 0;  ///< version of the model that it computes with
  };
  std::vector<Order> orders(const GateActions& actions);
  void ask(std::size_t worker, std::uint32_t iteration, Picos now, GateActions& actions);
  GateEvent event(GateEvent::Kind kind, std::size_t worker, std::uint32_t iteration, Picos now) const;
  std::string describe_worker(const Worker& worker) const;

  const NodeJob& job_;
  ComputeStart compute_;
  std::unique_ptr<SyncScheme> scheme_;
  std::vector<Worker> workers_;
  std::vector<std::vector<std::size_t>> pushes_at_;  ///< [server][iteration]
  std::uint64_t version_ = 0;                        ///< pushes applied
  std::size_t finished_ = 0;
};

}  // namespace ocs
