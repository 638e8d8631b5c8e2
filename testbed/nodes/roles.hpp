// What nodes do, in virtual time: a worker computes, pushes and pulls; a parameter server collects and answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/core/message.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// All three only react: their promise is `never`, because what they will do after computing they say at once, stamped
/// with the time at which it holds. Everything that a node says is stamped with the time at which it is heard: the
/// job's control_latency later. What a receiver misses it asks for (Receipts); `missing`, from the coordinator:
/// `offers` of these words alone.
///
/// `compute` k: `offers` of a push to each server, stamped now + its length, or `computed` if it is to offer nothing.
/// `delivered` pulls: `pulled` once all are in.
std::unique_ptr<NodeLogic> make_worker(const NodeJob& job, Node self);

/// `delivered` push: `pushed` once it is whole. `release`: `offers` of a pull to each worker named, stamped now.
std::unique_ptr<NodeLogic> make_server(const NodeJob& job, Node self);

/// The roles that the job gives to this node, one or both. A message of a role that it doesn't have is an Error.
/// @throws Error (internal) if it has none
std::unique_ptr<NodeLogic> make_node(const NodeJob& job, Node self);

}  // namespace ocs
