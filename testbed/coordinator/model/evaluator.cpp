// Points of the curve.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/model/evaluator.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "host/core/error.hpp"
#include "host/transport/run_set.hpp"
#include "testbed/nodes/learning/learner.hpp"
#include "testbed/nodes/memory/payload_math.hpp"

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

/// How a node's model lies in its memory; nullptr: it sends none.
const Served* Evaluator::layout_of(Node node) const {
  if (job_.ranks()) return job_.worker_index(node) >= 0 ? &job_.servers.front() : nullptr;
  const bool scored = !job_.peers() || std::find(replicas_.begin(), replicas_.end(), node) != replicas_.end();
  return scored ? job_.server_at(node) : nullptr;
}

void Evaluator::take(Node node, const Message& message) {
  const auto fields = decode_fields<SnapshotFields>(message);
  const Served* server = layout_of(node);
  const auto size = static_cast<std::size_t>(fields.part.count.n * job_.word_bytes);
  if (server == nullptr || fields.number >= points_.size() || fields.part.first + fields.part.count > server->words ||
      message.payload.size != size)
    throw Error(ErrorKind::run, "node " + std::to_string(index(node)) + " sent words " +
                                    describe(std::vector{fields.part}) + " of model " + std::to_string(fields.number) +
                                    ", which aren't a part of it");
  const std::span<const std::byte> bytes(message.payload.data.get(), size);
  crc_errors_ += crc32c(bytes) != message.header.payload_crc32c;
  const auto place = std::pair(fields.number, job_.peers() || job_.ranks() ? node : Node{});
  Model& model = begun_[place];
  model.values.resize(job_.parameters());
  model.known += from_layout(*server, fields.part.first.n * job_.word_bytes / static_cast<std::int64_t>(sizeof(float)),
                             bytes, model.values);
  if (model.known < model.values.size()) return;
  if (!job_.ranks() || node == job_.servers.front().node) score(fields.number, model);
  if (job_.ranks() && fields.number + 1 == points_.size()) compare(node, std::move(model.values));
  begun_.erase(place);
}

void Evaluator::score(std::uint32_t point, const Model& model) {
  const Score score = classifier_.score(model.values, *data_);
  Score& worst = points_[point].score;
  worst = {std::max(worst.loss, score.loss), std::min(worst.accuracy, score.accuracy)};
  ++scored_;
}

/// All ranks went through the same sums: their models are equal, bit by bit.
void Evaluator::compare(Node node, std::vector<float> model) {
  if (compared_++ == 0) {
    last_ = std::move(model);
    last_of_ = node;
    return;
  }
  if (std::memcmp(model.data(), last_.data(), last_.size() * sizeof(float)) == 0) return;
  throw Error(ErrorKind::run, "the model of node " + std::to_string(index(node)) + " isn't that of node " +
                                  std::to_string(index(last_of_)) + " in the end, though both took the same sums");
}

LearningResult Evaluator::result() const {
  const std::size_t models = points_.size() * std::max<std::size_t>(1, replicas_.size());
  if (scored_ != models)
    throw Error(ErrorKind::internal,
                std::to_string(scored_) + " of " + std::to_string(models) + " models have been scored");
  if (job_.ranks() && compared_ != job_.workers.size())
    throw Error(ErrorKind::internal, "the models of " + std::to_string(compared_) + " of " +
                                         std::to_string(job_.workers.size()) + " ranks have been compared");
  return {points_, {}, crc_errors_};
}

}  // namespace ocs
