// What a rank of an all_reduce learns: each iteration sums one gradient of every rank.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "testbed/learning/classifier.hpp"
#include "testbed/learning/shards.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// Every rank begins with the same model, learns from its own shard as a worker with servers does, and changes its
/// model by the same sum; so all models stay equal to the bit. Numbers lie in the layout of the blocks: parameters
/// from its start on, then padding, which is 0.
class LearningRank {
 public:
  /// @param job of ranks with real learning; outlives it
  /// @throws Error (input) if the data set can't be read; Error (run) if it fits only a model of another size
  LearningRank(const NodeJob& job, Node self);

  /// Writes the mean gradient over its next batch. @param out the whole layout
  void step(std::span<float> out);
  /// Changes the model by -(rate / ranks) times the sum of all gradients, as a round of servers does.
  void apply(std::span<const float> sum);
  std::span<const float> model() const { return model_; }

 private:
  const NodeJob& job_;
  std::shared_ptr<const Dataset> data_;
  Classifier classifier_;
  Batches batches_;
  std::size_t parameters_;
  std::vector<float> model_;
};

}  // namespace ocs
