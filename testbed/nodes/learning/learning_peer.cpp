// One step of gradient descent a round.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/learning/learning_peer.hpp"

#include <algorithm>
#include <string>

#include "testbed/learning/shards.hpp"
#include "testbed/learning/vectors.hpp"
#include "testbed/nodes/learning/learner.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {
namespace {

class LearningPeer final : public PeerModel {
 public:
  LearningPeer(const NodeJob& job, Node self)
      : job_(job),
        data_(dataset_of(*job.learning)),
        classifier_(classifier_of(job, *data_)),
        batches_(shard_of_worker(job, self, *data_)),
        gradient_(classifier_.parameters()) {}

  void begin(std::span<float> model) override {
    const auto start = classifier_.start(job_.seed);
    std::copy(start.begin(), start.end(), model.begin());
  }

  void step(std::uint32_t, std::span<float> model) override {
    const auto parameters = model.first(gradient_.size());
    classifier_.gradient(parameters, *data_, batches_.next(job_.learning->batch), gradient_);
    subtract(parameters, static_cast<float>(job_.learning->rate()), std::span<const float>(gradient_));
  }

  std::uint64_t averaged(std::uint32_t, std::span<const float>, std::span<const PeerRound>) override { return 0; }

 private:
  const NodeJob& job_;
  std::shared_ptr<const Dataset> data_;
  Classifier classifier_;
  Batches batches_;
  std::vector<float> gradient_;
};

}  // namespace

std::unique_ptr<PeerModel> make_learning_peer(const NodeJob& job, Node self) {
  return std::make_unique<LearningPeer>(job, self);
}

}  // namespace ocs
