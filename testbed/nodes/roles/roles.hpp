// What nodes do, in virtual time: a worker computes, pushes and pulls; a parameter server collects and answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "host/core/message.hpp"
#include "host/transport/fields.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// A role that a node may have beside another one. Who chooses between them has read what is delivered: it comes as
/// fields, never in a batch.
class Role : public NodeLogic {
 public:
  virtual void on(const DeliveredFields& delivery, Picos now, std::vector<Message>& out) = 0;
  using NodeLogic::on;
};

/// All only react: their promise is `never`, because what they will do after computing they say at once, stamped
/// with the time at which it holds. Everything that a node says is stamped with the time at which it is heard: the
/// job's control_latency later. What a receiver misses it asks for (Receipts); `missing`, from the coordinator:
/// `offers` of these words alone.
///
/// `compute` k: `offers` of a push of each slice to its server, stamped when it is ready (Slice::ahead), or `computed`
/// if it is to offer nothing. `delivered` pulls: `pulled` once all are in.
std::unique_ptr<Role> make_worker(const NodeJob& job, Node self);

/// `map`: goes by it from now on, and says `map_ack`. `wrong_owner`: `offers` of that push to the key's present owner.
///
/// `delivered` push: `pushed` once it is whole, or `wrong_owner` if it goes by another version of the map of keys than
/// the server. `map`: `offers` of the keys that it no longer owns to their owners, and `map_ack`. `delivered`
/// migration: `migrated` once it is whole. `release`: `offers` of a pull of each slice to each worker named, now.
std::unique_ptr<Role> make_server(const NodeJob& job, Node self);

/// A worker that is no server's: `compute`: `computed` when it has, and it is heard. `receivers`: `offers` of its model
/// to each. `delivered`: `pushed` once it is whole. `average`, `aborted`: nothing, but its payload goes by them.
std::unique_ptr<NodeLogic> make_peer(const NodeJob& job, Node self);

/// A rank of a collective: `compute`: `computed` when it has, and it is heard. `steps`: nothing, but its payload goes
/// by them. `delivered`: `pushed` once it is whole.
std::unique_ptr<NodeLogic> make_rank(const NodeJob& job, Node self);

/// A node of coflows. `sends`: nothing, but its payload goes by it. `delivered`: `pushed` once it is whole.
std::unique_ptr<NodeLogic> make_coflow_node(const NodeJob& job, Node self);

/// The roles that the job gives to this node, one or both. A message of a role that it doesn't have is an Error.
/// @throws Error (internal) if it has none
std::unique_ptr<NodeLogic> make_node(const NodeJob& job, Node self);

}  // namespace ocs
