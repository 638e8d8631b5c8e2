// What looks on while a run goes on: ports, plans, transfers and nodes, in virtual time. Nothing
// that it does reaches the run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "host/controller/plan_controller.hpp"
#include "host/core/network.hpp"
#include "host/transport/fields.hpp"
#include "testbed/engine/watched_switch.hpp"

namespace ocs {

/// What is known before anything happens.
struct RunShape {
  int ports = 0;
  std::size_t planes = 1;
  Picos cycle;
  Fibres fibre;
  std::int64_t word_bytes = 64;
  int workers = 0;
  Picos control_latency;  ///< what a node says is heard so much later
  bool packets = false;   ///< there are no circuits, plans and events
  bool maps = false;      ///< a policy sets maps, so there are no plans
};

/// A plan, before it runs.
struct WatchedPlan {
  Plane plane;
  Cycles asked;   ///< when the plan was asked for
  Cycles origin;  ///< from which it counts
  Cycles end;     ///< last planned end
  Cycles charged;
  std::int64_t flows = 0, reservations = 0;
};

/// Instants ascend within each function, not among them: what is known only at its end is said at its end.
class RunWatch {
 public:
  virtual ~RunWatch() = default;

  virtual void begin(const RunShape&) {}
  /// The coflows of a collective are its legs, so many an iteration.
  virtual void has_legs(std::uint32_t) {}
  /// The one job of the run has servers on these nodes, ascending.
  virtual void has_servers(std::span<const Node>) {}
  /// Sees the outputs of a plane; nullptr: nobody does.
  virtual OutputWatcher* outputs(std::size_t /*plane*/) { return nullptr; }
  virtual void on(const Event&) {}  ///< the event log, all planes
  virtual void planned(const WatchedPlan&) {}
  virtual void carried(const Carried&) {}         ///< a reservation that has ended; its plane is that of the switch
  virtual void names_next(const TransferKey&) {}  ///< the transfer that is offered next
  virtual void offered(const Transfer&) {}
  virtual void delivered(const Delivery&) {}
  /// Over packets: all words of a transfer.
  virtual void crossed(Node /*from*/, Node /*to*/, Picos /*began*/, Picos /*arrived*/) {}
  virtual void computes(Node, std::uint32_t /*iteration*/, Picos /*from*/) {}
  /// The gate lets a worker begin an iteration that it asked for; one beyond the last: it pulls the final model.
  virtual void granted(Node, std::uint32_t /*iteration*/, Picos /*asked*/, Picos /*at*/) {}
  /// After computes(); `to` may lie ahead.
  virtual void computed(Node, std::uint32_t /*iteration*/, Picos /*from*/, Picos /*to*/) {}
  /// Both, where it is known at the beginning how long it takes.
  void computes_until(Node node, std::uint32_t iteration, Picos from, Picos to) {
    computes(node, iteration, from);
    computed(node, iteration, from, to);
  }
  /// Phases of an iteration have computing between them: which ranks compute is not said. `to` may lie ahead.
  virtual void computes_between(std::uint32_t /*iteration*/, Picos /*from*/, Picos /*to*/) {}
};

}  // namespace ocs
