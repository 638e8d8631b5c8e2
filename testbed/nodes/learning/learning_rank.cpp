// One step of gradient descent an iteration, with the mean of all ranks' gradients.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/learning/learning_rank.hpp"

#include <algorithm>

#include "testbed/learning/vectors.hpp"
#include "testbed/nodes/learning/learner.hpp"

namespace ocs {

LearningRank::LearningRank(const NodeJob& job, Node self)
    : job_(job),
      data_(dataset_of(*job.learning)),
      classifier_(classifier_of(job, *data_)),
      batches_(shard_of_worker(job, self, *data_)),
      parameters_(classifier_.parameters()),
      model_(static_cast<std::size_t>(job.servers.front().words.n * job.word_bytes) / sizeof(float)) {
  const std::vector<float> start = classifier_.start(job.seed);
  std::copy(start.begin(), start.end(), model_.begin());
}

void LearningRank::step(std::span<float> out) {
  classifier_.gradient(std::span(model_).first(parameters_), *data_, batches_.next(job_.learning->batch),
                       out.first(parameters_));
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(parameters_), out.end(), 0.0F);
}

void LearningRank::apply(std::span<const float> sum) {
  const double scale = job_.learning->rate() / static_cast<double>(job_.workers.size());
  subtract(std::span(model_).first(parameters_), static_cast<float>(scale), sum.first(parameters_));
}

}  // namespace ocs
