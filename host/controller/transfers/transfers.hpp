// The transfers under way: who shares a flow, which of their words have been carried, what is to be delivered.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "host/controller/transfers/flow_limit.hpp"
#include "host/controller/transfers/port_rates.hpp"
#include "host/core/id_table.hpp"
#include "host/core/network.hpp"

namespace ocs {

/// Outputs of a transfer's nodes.
Outputs outputs_of(const Transfer& transfer);

/// Transfers that wait for the same ports share a flow, one behind the other; Ids of flows are those of their first
/// transfers. A flow is as fast as the slowest of its nodes in the cycle in which it is gathered. Instants are cycles
/// here and picoseconds in deliveries.
class Transfers {
 public:
  explicit Transfers(Picos cycle, PortRates rates = PortRates()) : cycle_(cycle), rates_(std::move(rates)) {}

  bool contains(Id transfer) const { return live_.contains(transfer); }

  /// The flow that carries it; none while it waits.
  std::optional<Id> flow_of(Id transfer) const;

  std::uint32_t owner_of(Id flow) const { return flows_.at(flow).parts.front().transfer.owner; }

  /// @param words of it, 1 to max_flow_words. It waits from now on.
  void add(Transfer transfer, Words words);

  /// It must be under way. @returns the flow that carries it, if one does, with the priority of its
  /// most urgent transfer
  std::optional<std::pair<Id, std::int32_t>> prioritise(Id transfer, std::int32_t priority);

  /// When the first of those that wait is ready, from `now` on if it waits for the rate of a port; never if none waits.
  Cycles next_ready(Cycles now) const;

  /// How many times words of what is ready at `now` or under way have been sent before, at most.
  std::uint32_t sent_before(Cycles now) const;

  /// Transfers from and to a dead port wait until it lives again; nothing is ready meanwhile.
  void set_dead(std::uint16_t port, bool dead) { dead_.set(port, dead); }

  /// Whether a transfer waits for one.
  bool any_on_dead_ports() const;

  /// Flows under way that use `port`, ascending.
  std::vector<Id> flows_of(std::uint16_t port) const;

  /// The first of those that wait for a port of which `gone` is true, and that port.
  std::optional<std::pair<Id, std::uint16_t>> stuck(const std::function<bool(std::uint16_t)>& gone) const;

  /// None of those that wait can be delivered before it; never if none waits.
  Cycles earliest(Cycles now) const;

  /// Flows of all that is ready at `now`, in the order in which it was added. They wait no longer.
  std::vector<Flow> gather(Cycles now, bool join_coflows = true);

  /// One that waits is delivered, nothing of it, at `at`. It must be under way. @returns the flow that nobody wants any
  /// more, to be cut.
  std::optional<Id> abort(Id transfer, Cycles at, std::vector<Delivery>& append);

  /// The flow has no burst, or its burst is being stopped: all that isn't delivered yet is final with its next
  /// delivery, which is at `at` and brings nothing if no burst runs.
  void cut(Id flow, bool running, Cycles at, std::vector<Delivery>& append);

  /// A run event: words of a burst that `output` passed.
  void ran(Id burst, std::uint16_t output, WordRun words) { runs_[burst].push_back({output, words}); }

  /// A burst that carried `reservation` has ended.
  void done(Id burst, const Reservation& reservation, Cycles at, std::vector<Delivery>& append);

  /// How many of the first `sent` words of the reservation, whose burst isn't done, count at `port`.
  Words counted(const Reservation& reservation, Words sent, std::uint16_t port) const;

  std::int64_t delivered() const { return delivered_; }  ///< final deliveries, one a transfer

 private:
  struct Part {  // words [first, first + words) of a flow
    Transfer transfer;
    std::int64_t words = 0, first = 0;
    boost::container::small_vector<std::int64_t, 1>
        left;  ///< of each receiver: words that no burst that has ended was to bring
    bool aborted = false;
    bool final() const {
      return std::all_of(left.begin(), left.end(), [](std::int64_t n) { return n == 0; });
    }
  };
  struct Work {
    boost::container::small_vector<Part, 1> parts;
    bool cut = false;
  };
  struct OutputRun {
    std::uint16_t output;
    WordRun words;
  };

  /// When what waits is ready, as seen in cycle `now`; never while a port of it is dead.
  Cycles ready(const Part& part, Cycles now) const;
  bool waits_for_port(const Transfer& transfer) const;
  Ticks word_of(const Transfer& transfer, Cycles now) const;
  void deliver(Part& part, std::size_t receiver, Cycles at, std::vector<WordRun> arrived,
               std::vector<Delivery>& append);
  void give_up(Part& part, Cycles at, std::vector<Delivery>& append);

  Picos cycle_;
  PortRates rates_;
  Outputs dead_;               ///< ports, as inputs and as outputs
  std::vector<Part> waiting_;  ///< in the order in which they were added
  IdTable<Work> flows_;
  IdTable<Id> live_;                                            ///< transfers not delivered for good, and their flows
  IdTable<boost::container::small_vector<OutputRun, 2>> runs_;  ///< of running bursts
  std::int64_t delivered_ = 0;
};

}  // namespace ocs
