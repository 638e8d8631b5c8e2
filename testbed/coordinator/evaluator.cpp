// Points of the curve.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/evaluator.hpp"

#include <algorithm>
#include <string>

#include "host/core/error.hpp"
#include "host/transport/run_set.hpp"
#include "testbed/nodes/learner.hpp"
#include "testbed/nodes/payload_math.hpp"

namespace ocs {

Evaluator::Evaluator(const NodeJob& job)
    : job_(job), data_(dataset_of(*job.learning)), classifier_(job.learning->model, data_->inputs) {
  if (classifier_.parameters() != job.parameters())
    throw Error(ErrorKind::input, "the workload has " + std::to_string(job.parameters()) + " parameters, but model \"" +
                                      std::string(name_of(job.learning->model)) + "\" has " +
                                      std::to_string(classifier_.parameters()) + " on pictures of " +
                                      std::to_string(data_->inputs) + " pixels");
  constexpr std::size_t most_replicas = 4;
  const std::size_t replicas = job.peers() ? std::min(most_replicas, job.workers.size()) : 0;
  for (std::size_t k = 0; k < replicas; ++k) replicas_.push_back(job.workers[k * job.workers.size() / replicas]);
}

void Evaluator::plan(const std::vector<std::pair<Picos, std::uint64_t>>& whole_updates) {
  constexpr Score best{0, 1};  // any model's is worse
  const std::uint64_t every = job_.learning->spacing(job_.workers.size());
  points_.push_back({0, {}, best});
  for (const auto& [at, updates] : whole_updates) {
    const bool last = updates == whole_updates.back().second;
    if (updates / every > points_.back().updates / every || last) points_.push_back({updates, at, best});
  }
}

void Evaluator::take(Node node, const Message& message) {
  const auto fields = decode_fields<SnapshotFields>(message);
  const bool scored = !job_.peers() || std::find(replicas_.begin(), replicas_.end(), node) != replicas_.end();
  const Served* server = scored ? job_.server_at(node) : nullptr;
  const auto size = static_cast<std::size_t>(fields.part.count.n * job_.word_bytes);
  if (server == nullptr || fields.number >= points_.size() || fields.part.first + fields.part.count > server->words ||
      message.payload.size != size)
    throw Error(ErrorKind::run, "node " + std::to_string(index(node)) + " sent words " +
                                    describe(std::vector{fields.part}) + " of model " + std::to_string(fields.number) +
                                    ", which aren't a part of it");
  const std::span<const std::byte> bytes(message.payload.data.get(), size);
  crc_errors_ += crc32c(bytes) != message.header.payload_crc32c;
  const auto place = std::pair(fields.number, job_.peers() ? node : Node{});
  Model& model = begun_[place];
  model.values.resize(job_.parameters());
  model.known += from_layout(*server, fields.part.first.n * job_.word_bytes / static_cast<std::int64_t>(sizeof(float)),
                             bytes, model.values);
  if (model.known < model.values.size()) return;
  const Score score = classifier_.score(model.values, *data_);
  Score& worst = points_[fields.number].score;
  worst = {std::max(worst.loss, score.loss), std::min(worst.accuracy, score.accuracy)};
  ++scored_;
  begun_.erase(place);
}

LearningResult Evaluator::result() const {
  const std::size_t models = points_.size() * std::max<std::size_t>(1, replicas_.size());
  if (scored_ != models)
    throw Error(ErrorKind::internal,
                std::to_string(scored_) + " of " + std::to_string(models) + " models have been scored");
  return {points_, {}, crc_errors_};
}

}  // namespace ocs
