// What happened in a run, as it has to be known to say why: transfers, circuits, dark outputs, computing, plans.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "testbed/engine/run_watch.hpp"

namespace ocs {

/// A transfer to one of its nodes.
struct Moved {
  std::string name;
  std::uint16_t from, to;
  std::uint32_t owner;
  Picos ready, began, delivered;  ///< began: of packets, else never
};

/// A reservation as it was executed.
struct CircuitUse {
  std::uint8_t plane;
  std::uint16_t in;
  Outputs outs;
  Picos start, up, end;
};

struct Computing {
  std::uint16_t node;
  std::uint32_t iteration;
  Picos from, to;
};

/// Computing between two phases.
struct Between {
  std::uint32_t iteration;
  Picos from, to;
};

struct DarkTime {
  Picos from, to;
};

class History final : public RunWatch {
 public:
  History();
  ~History() override;

  void begin(const RunShape& shape) override;
  void has_servers(std::span<const Node> nodes) override { servers.assign(nodes.begin(), nodes.end()); }
  OutputWatcher* outputs(std::size_t plane) override;
  void planned(const WatchedPlan& plan) override { plans.push_back(plan); }
  void carried(const Carried& carried) override;
  void names_next(const TransferKey& key) override { next_key_ = key; }
  void offered(const Transfer& transfer) override;
  void delivered(const Delivery& delivery) override;
  void computed(Node node, std::uint32_t iteration, Picos from, Picos to) override {
    computing.push_back({index(node), iteration, from, to});
  }
  void computes_between(std::uint32_t iteration, Picos from, Picos to) override {
    between.push_back({iteration, from, to});
  }

  RunShape shape;
  std::vector<Node> servers;         ///< empty: the run has none, or several jobs
  std::vector<Moved> moved;          ///< in the order of their deliveries
  std::vector<CircuitUse> circuits;  ///< by end
  std::vector<Computing> computing;
  std::vector<WatchedPlan> plans;
  std::vector<Between> between;  ///< ascending
  /// The times in which an output of a plane was tuning, locking, held or failed; ascending.
  std::map<std::pair<std::size_t, std::uint16_t>, std::vector<DarkTime>> dark;

 private:
  class DarkOutputs;
  struct Open {
    Transfer transfer;
    std::string name;
    std::size_t left;
  };
  std::vector<std::unique_ptr<DarkOutputs>> outputs_;
  std::unordered_map<Id, Open> open_;
  std::optional<TransferKey> next_key_;
};

}  // namespace ocs
