// Execution: controllers turn plans into commits and bursts; a network turns transfers into deliveries.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/core/policy.hpp"
#include "host/core/switch.hpp"

namespace ocs {

/// From cycle `at` on no light comes from `port` or goes to it, or again does.
struct Outage {
  Cycles at;
  std::uint16_t port = 0;
  bool dead = true;
  friend bool operator==(const Outage&, const Outage&) = default;
};

/// From cycle `at` on the mirror of an output has this fault, or with `amount` 0 no more.
struct MirrorChange {
  Cycles at;
  Output output{};
  MirrorFault fault{};
  Cycles amount{0};
  friend bool operator==(const MirrorChange&, const MirrorChange&) = default;
};

/// Passive: asked, told, never waits.
class Controller {
 public:
  virtual ~Controller() = default;
  virtual void adopt(Plan, Cycles from) = 0;  ///< replaces reservations that start at or after `from`
  virtual void on(const Event&) = 0;
  virtual Cycles next() const = 0;  ///< earliest cycle at which it would act by itself; never: waits for events
  virtual void act(Cycles now) = 0;
};

/// Bytes to be carried from one node to others. `size` is a whole number of words when its parts are (blocks are
/// padded).
struct Transfer {
  Id id, coflow;
  Node from;
  std::vector<Node> to;
  Bytes size;
  Picos ready;
  std::int32_t priority = 0;
  std::uint32_t sent_before = 0;  ///< how often its words have been sent, and were lost
  std::uint32_t owner = 0;        ///< a job: fair sharing is among owners
  /// Of its nodes, the one at whose port alone Network::use() counts it; none: at the ports of all.
  std::optional<Node> counted_at{};
  bool counts_at(Node node) const { return !counted_at || *counted_at == node; }
};

struct Delivery {
  Picos at;
  Node to;
  Id transfer;
  std::vector<WordRun> arrived;
  bool final = true;           ///< false: more may come
  Picos began = never<Picos>;  ///< of a final one: the transfer was first given ports, if the network says that
};

/// What a node's port did since the start for the transfers that count there, both directions together.
struct PortUse {
  Bytes bytes;
  Picos busy;  ///< their words crossed it: neither idle nor dark time
  PortUse& operator+=(const PortUse& more) {
    bytes += more.bytes;
    busy += more.busy;
    return *this;
  }
  friend PortUse operator-(const PortUse& a, const PortUse& b) { return {a.bytes - b.bytes, a.busy - b.busy}; }
};

/// What the coordinator sees: `circuit` is scheduler + controller + switches.
class Network {
 public:
  virtual ~Network() = default;
  virtual void offer(Transfer) = 0;  ///< ready may lie ahead; before what advance() last returned: an error
  virtual void abort(Id, Picos at) = 0;
  virtual Picos next() = 0;  ///< lower bound on the next delivery if nothing more is offered
  virtual Picos advance(Picos limit,
                        std::vector<Delivery>& append) = 0;  ///< stops after the first instant with a delivery
  /// More will be offered at this instant at the earliest; never, as at first: nobody knows of any.
  virtual void expect(Picos) {}
  virtual void prioritise(Id, std::int32_t) {}    ///< a transfer under way; counts from the next plan on
  virtual PortUse use(Node) const { return {}; }  ///< telemetry; nothing: the network doesn't measure it
  virtual Words sent(Id) {
    return {};
  }  ///< telemetry: words of a transfer under way that have left its sender; 0: none,
     ///< or the network doesn't measure it
};

}  // namespace ocs
