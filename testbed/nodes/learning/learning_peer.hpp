// A peer's model that learns from pictures: softmax regression or the MLP.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "testbed/nodes/learning/peer_model.hpp"

namespace ocs {

/// Every peer begins with the same model. A round's training is one step on the next batch of its own shard: the model
/// less rate times the mean gradient. With all others' models in the mean, N peers do what N workers and a server do
/// in a round.
/// @param job of peers with real learning; outlives it
/// @throws Error (input) if the data set can't be read; Error (run) if it fits only a model of another size
std::unique_ptr<PeerModel> make_learning_peer(const NodeJob& job, Node self);

}  // namespace ocs
