// A job in virtual time: what happens to it, and what it may do about that.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "host/core/network.hpp"
#include "testbed/engine/node_exchange.hpp"

namespace ocs {

class Engine;

/// What a job may do. Everything happens at the present instant, in the order of the calls.
class JobActions {
 public:
  virtual ~JobActions() = default;
  virtual Picos now() const = 0;

  /// A number for a transfer; no other transfer of the run has it.
  virtual Id new_transfer() = 0;
  /// Offers a transfer that has such a number to the network. Its coflow is a number of the job's own.
  virtual void offer(Transfer transfer) = 0;
  /// A transfer that needs neither time nor a port, such as between a worker and a server of one node.
  virtual void deliver(Delivery delivery) = 0;
  virtual void abort(Id transfer) = 0;
  virtual void prioritise(Id transfer, std::int32_t priority) = 0;

  /// Words of a transfer under way that have left its sender.
  virtual Words sent(Id transfer) = 0;
  virtual PortUse use(Node node) const = 0;  ///< telemetry of a node's port, whoever uses it
};

/// One job: parameter servers and workers, peers, ranks of a collective. It decides what is offered when; the network
/// decides what arrives when. It has no loop and no clock of its own: the engine calls it.
class RunningJob {
 public:
  virtual ~RunningJob() = default;

  virtual void begin() = 0;                            ///< it arrives
  virtual void on(Delivery delivery) = 0;              ///< of a transfer that it offered
  virtual void on(const Stamped& said) = 0;            ///< a node said something
  virtual Picos next() const { return never<Picos>; }  ///< when it acts by itself
  /// What comes last at an instant, when nothing else happens there. @returns whether there was anything
  virtual bool wake() { return false; }
  /// Nothing more is to come. Asked when all nodes have answered.
  virtual bool is_over() const = 0;
  /// Virtual time is over for the job: payload work ends, and results are collected.
  virtual void finish() = 0;

  /// The nodes that take part; nullptr: the job has none.
  virtual NodeExchange* nodes() = 0;
  virtual double fraction() const = 0;        ///< 0 to 1: how much is done
  virtual std::string waits_for() const = 0;  ///< for the progress line
  virtual std::string states() const = 0;     ///< for the sentence about a deadlock: "; node 3: ..." of each node
};

}  // namespace ocs
