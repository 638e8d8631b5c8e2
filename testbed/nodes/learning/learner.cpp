// One event of the program after the other.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/learning/learner.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/learning/vectors.hpp"

namespace ocs {

void to_layout(const Served& server, std::int64_t at, std::span<const float> model, std::span<float> out) {
  std::fill(out.begin(), out.end(), 0.0F);
  for_each_piece(server, at, static_cast<std::int64_t>(out.size()),
                 [&](std::size_t offset, std::size_t first, std::size_t count) {
                   std::copy_n(model.begin() + static_cast<std::ptrdiff_t>(first), count,
                               out.begin() + static_cast<std::ptrdiff_t>(offset));
                 });
}

std::size_t from_layout(const Served& server, std::int64_t at, std::span<const std::byte> in, std::span<float> model) {
  std::size_t all = 0;
  for_each_piece(server, at, static_cast<std::int64_t>(in.size() / sizeof(float)),
                 [&](std::size_t offset, std::size_t first, std::size_t count) {
                   std::memcpy(model.data() + first, in.data() + offset * sizeof(float), count * sizeof(float));
                   all += count;
                 });
  return all;
}

Classifier classifier_of(const NodeJob& job, const Dataset& data) {
  Classifier classifier(job.learning->model, data.inputs);
  if (classifier.parameters() != job.parameters())
    throw Error(ErrorKind::run, "the job has " + std::to_string(job.parameters()) + " parameters, but model \"" +
                                    std::string(name_of(job.learning->model)) + "\" has " +
                                    std::to_string(classifier.parameters()) + " on pictures of " +
                                    std::to_string(data.inputs) + " pixels");
  return classifier;
}

Batches shard_of_worker(const NodeJob& job, Node self, const Dataset& data) {
  const auto worker = static_cast<std::size_t>(job.worker_index(self));
  return {shard_of(data.train.labels, job.learning->shards, worker, job.workers.size(), job.seed), job.seed, worker};
}

Learner::Learner(const NodeJob& job, Node self)
    : job_(job),
      self_(self),
      data_(dataset_of(*job.learning)),
      classifier_(classifier_of(job, *data_)),
      batches_(shard_of_worker(job, self, *data_)),
      model_(classifier_.start(job.seed)),
      gradient_(model_.size()),
      learned_(model_.size()) {}

void Learner::learn(const std::vector<PastEvent>& history) {
  for (const PastEvent& event : history)
    if (event.worker == self_ && event.what >= PastEvent::What::merged && event.what != PastEvent::What::left)
      program_.push_back(event);
}

bool Learner::work() {
  if (at_ == program_.size()) return false;
  const PastEvent& next = program_[at_];
  switch (next.what) {
    case PastEvent::What::merged: {
      const auto pull = pulls_.find(next.iteration);
      if (pull == pulls_.end() || pull->second.known < model_.size()) return false;
      model_ = std::move(pull->second.model);
      pulls_.erase(pull);
      // The servers' model does not include what this worker has learned since its push.
      subtract(model_, static_cast<float>(job_.learning->rate()), learned_);
      break;
    }
    case PastEvent::What::stepped:
      classifier_.gradient(model_, *data_, batches_.next(static_cast<std::size_t>(next.weight)), gradient_);
      subtract(model_, static_cast<float>(job_.learning->rate()), gradient_);
      add(learned_, gradient_);
      break;
    default:  // sent
      if (outgoing_left_ > 0) return false;
      push_ = learned_;
      std::fill(learned_.begin(), learned_.end(), 0.0F);
      outgoing_ = next.iteration;
      outgoing_left_ = push_.size();
  }
  ++at_;
  return true;
}

void Learner::make(const Served& server, std::int64_t at, std::span<float> out) {
  to_layout(server, at, push_, out);
  for_each_piece(server, at, static_cast<std::int64_t>(out.size()),
                 [&](std::size_t, std::size_t, std::size_t count) { outgoing_left_ -= count; });
}

void Learner::take(std::uint32_t pull, const Served& server, std::int64_t at, std::span<const std::byte> in) {
  Pull& incoming = pulls_[pull];
  incoming.model.resize(model_.size());
  incoming.known += from_layout(server, at, in, incoming.model);
}

}  // namespace ocs
