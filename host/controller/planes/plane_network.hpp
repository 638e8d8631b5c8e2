// Several circuit networks side by side, one a plane: transfers are split over them and come together again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "host/controller/circuits/circuit_network.hpp"
#include "host/controller/planes/plane_split.hpp"

namespace ocs {

/// Each plane plans and is controlled by itself; multicast and all-stop are a plane's own. What is offered at one
/// instant is split as one, a transfer to several nodes by the first of them. All planes are at the same cycle whenever
/// advance() returns. A transfer in several parts is delivered
/// when the last of them is, so that its words come in order.
class PlaneNetwork final : public Network {
 public:
  /// @param planes alike, of one cycle. @param settled called when all planes are at one cycle; may be empty.
  PlaneNetwork(std::vector<std::unique_ptr<CircuitNetwork>> planes, PlaneSplit split, Picos cycle,
               std::int64_t word_bytes, std::function<void()> settled = {});

  /// @throws Error (input) for an Id under way, and, when it is split, as CircuitNetwork::offer().
  void offer(Transfer transfer) override;
  /// @throws Error (input) as CircuitNetwork::abort().
  void abort(Id transfer, Picos at) override;
  Picos next() override;
  Picos advance(Picos limit, std::vector<Delivery>& append) override;
  void expect(Picos at) override {
    for (const auto& plane : planes_) plane->expect(at);
  }

  /// Changes the priority of every part. @throws Error (input) for a transfer that isn't under way.
  void prioritise(Id transfer, std::int32_t priority) override;
  /// A node's ports on all planes together.
  PortUse use(Node node) const override;
  /// Adds up all parts, wherever they are in the transfer.
  Words sent(Id transfer) override;

  const CircuitNetwork& plane(std::size_t number) const { return *planes_.at(number); }

 private:
  struct Whole {
    std::map<Node, std::size_t> parts_left;  ///< of each receiver: parts that aren't final
    std::vector<Id> parts;
    Words passed{};                             ///< in parts that have been delivered
    std::map<Node, std::vector<WordRun>> kept;  ///< of a transfer in several parts: what has arrived
  };
  struct Part {
    Id whole;
    std::size_t plane;
    Words first, words;
    SplitFlow flow;
    std::size_t receivers;  ///< that haven't got it finally
  };
  void split_waiting();
  void deliver(Delivery part, std::vector<Delivery>& append);

  std::vector<std::unique_ptr<CircuitNetwork>> planes_;
  PlaneSplit split_;
  Picos cycle_;
  std::int64_t word_bytes_;
  std::function<void()> settled_;
  std::vector<Transfer> waiting_;  ///< not split yet
  std::map<Id, Whole> open_;
  std::map<Id, Part> parts_;
  std::uint32_t last_part_ = 0;
  Picos reached_{0};
};

}  // namespace ocs
