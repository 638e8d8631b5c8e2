// What the roles do with payload.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/payload/payload_roles.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "testbed/learning/vectors.hpp"

namespace ocs {
namespace {

std::size_t elements(const NodeJob& job, Words words) {
  return static_cast<std::size_t>(words.n * job.word_bytes) / sizeof(float);
}

/// Words of a transfer, as words of the server's layout.
WordRun in_layout(const PayloadTools& tools, const TransferKey& key, WordRun part) {
  return {tools.job.slice_of(key)->first + part.first, part.count};
}

PatternSlice slice_of(const PayloadTools& tools, const TransferKey& key, WordRun part) {
  const bool model = tools.job.memory == ServerMemory::model;
  const Node server = tools.job.by_keys() ? Node{0} : key.server;  // a key's value is the same at every server
  return {tools.pattern, model ? 0 : key.iteration, server, elements(tools.job, in_layout(tools, key, part).first)};
}

/// Element of the server's layout at which the part begins.
std::int64_t first_element(const PayloadTools& tools, const TransferKey& key, WordRun part) {
  return static_cast<std::int64_t>(elements(tools.job, in_layout(tools, key, part).first));
}

std::span<const std::byte> bytes_of(const Payload& payload) { return {payload.data.get(), payload.size}; }

/// The CRC that a chunk of the pattern should have; made in a buffer that is thrown away.
std::uint32_t expected_crc(const PayloadTools& tools, const TransferKey& key, WordRun part, float weight) {
  const auto scratch = tools.pool.take();
  return make_payload(slice_of(tools, key, part), weight,
                      {reinterpret_cast<float*>(scratch.get()), elements(tools.job, part.count)});
}

Message chunk_message(const ChunkFields& fields, std::uint32_t crc, Payload payload) {
  Message message = make_message(index(fields.key.to()), Picos{0}, fields);
  message.header.payload_crc32c = crc;
  message.payload = std::move(payload);
  return message;
}

/// Appends a chunk, which in digest mode is the pattern times `weight`.
void append_chunk(const PayloadTools& tools, const Outgoing& out, std::uint32_t crc, const Payload& payload,
                  float weight, std::vector<Message>& append) {
  const auto crc_of = [&](WordRun run) { return expected_crc(tools, out.key, run, weight); };
  append_chunk(out, crc, payload, tools.job.word_bytes, crc_of, append);
}

}  // namespace

void append_chunk(const Outgoing& out, std::uint32_t crc, const Payload& payload, std::int64_t word_bytes,
                  const std::function<std::uint32_t(WordRun)>& crc_of, std::vector<Message>& append) {
  append.push_back(chunk_message({out.key, out.words, out.part}, crc, payload));
  const auto bytes = [&](Words words) { return static_cast<std::size_t>(words.n * word_bytes); };
  for (const Again& again : out.again)
    for (const WordRun& run : again.words.within(out.part)) {
      Payload slice;
      if (payload.size > 0)
        slice = {{payload.data, payload.data.get() + bytes(run.first - out.part.first)}, bytes(run.count)};
      append.push_back(chunk_message({out.key, out.words, run, again.attempt},
                                     slice.size > 0 ? crc32c(bytes_of(slice)) : crc_of(run), slice));
    }
}

Message snapshot(std::uint32_t number, WordRun part, std::span<const std::byte> numbers) {
  const std::shared_ptr<std::byte[]> copy(new std::byte[numbers.size()]);
  std::memcpy(copy.get(), numbers.data(), numbers.size());
  Message message = make_message(coordinator_id, Picos{0}, SnapshotFields{number, part});
  message.header.payload_crc32c = crc32c(numbers);
  message.payload = {copy, numbers.size()};
  return message;
}

WorkerPayload::WorkerPayload(PayloadTools tools, Node self) : tools_(tools), self_(self) {
  if (tools.job.learning) learner_.emplace(tools.job, self);
}

void WorkerPayload::make(const Outgoing& push, std::vector<Message>& append) {
  const float weight = push_weight(push.key.iteration);
  if (tools_.job.memory == ServerMemory::model && tools_.job.payload == PayloadMode::digest)
    return append_chunk(
        tools_, push,
        crcs_.of(push.key.server, in_layout(tools_, push.key, push.part), static_cast<std::int32_t>(weight),
                 [&] { return expected_crc(tools_, push.key, push.part, weight); }),
        {}, weight, append);
  auto buffer = tools_.pool.take();
  const std::span<float> out{reinterpret_cast<float*>(buffer.get()), elements(tools_.job, push.part.count)};
  std::uint32_t crc = 0;
  if (learner_) {
    learner_->make(*tools_.job.server_at(push.key.server), first_element(tools_, push.key, push.part), out);
    crc = crc32c(std::as_bytes(out));
  } else {
    crc = make_payload(slice_of(tools_, push.key, push.part), weight, out);
  }
  Payload payload;
  if (tools_.job.payload == PayloadMode::full) payload = {std::move(buffer), out.size_bytes()};
  append_chunk(tools_, push, crc, payload, weight, append);
}

void WorkerPayload::learn(const std::vector<PastEvent>& history) {
  for (const PastEvent& event : history)
    if (event.worker == self_ && event.what == PastEvent::What::pulled)
      pulled_[{event.server, event.slice, event.iteration}] = event.weight;
  if (learner_) learner_->learn(history);
}

float WorkerPayload::push_weight(std::uint32_t iteration) const {
  const auto number = static_cast<std::size_t>(tools_.job.worker_index(self_));
  return tools_.job.memory == ServerMemory::model ? static_cast<float>(Pattern::push_weight(number, iteration))
                                                  : Pattern::weight(number);
}

float WorkerPayload::pull_weight(const TransferKey& key) const {
  if (tools_.job.memory == ServerMemory::sums) return Pattern::weight_of_all(tools_.job.workers.size());
  return static_cast<float>(pulled_.at({key.server, key.slice, key.iteration}));
}

void WorkerPayload::take(const WholeChunk& pull, PayloadTotals& totals) {
  ++totals.chunks;
  if (learner_) {
    totals.crc_errors += crc32c(bytes_of(pull.payload)) != pull.crc32c;
    return learner_->take(pull.key.iteration, *tools_.job.server_at(pull.key.server),
                          first_element(tools_, pull.key, pull.part), bytes_of(pull.payload));
  }
  const float weight = pull_weight(pull.key);
  if (tools_.job.payload == PayloadMode::digest) {
    const auto make = [&] { return expected_crc(tools_, pull.key, pull.part, weight); };
    const bool model = tools_.job.memory == ServerMemory::model;
    const std::uint32_t right = model ? crcs_.of(pull.key.server, in_layout(tools_, pull.key, pull.part),
                                                 static_cast<std::int32_t>(weight), make)
                                      : make();
    totals.crc_errors += right != pull.crc32c;
    return;
  }
  const auto result = check_payload(slice_of(tools_, pull.key, pull.part), weight, bytes_of(pull.payload));
  totals.crc_errors += result.crc32c != pull.crc32c;
  totals.sum_errors += result.differences;
}

ServerPayload::ServerPayload(PayloadTools tools, Node self)
    : tools_(tools), self_(self), sums_(tools.job.workers.size(), tools.pool) {
  std::vector<std::uint32_t> slices;  // of each chunk
  for (const Slice& slice : tools.job.server_at(self)->slices) {
    first_chunks_.push_back(slices.size());
    slices.insert(slices.end(), static_cast<std::size_t>(divide_up(slice.words.n, tools.job.chunk.n)),
                  static_cast<std::uint32_t>(first_chunks_.size() - 1));
  }
  first_chunks_.push_back(slices.size());
  std::vector<char> owned;
  owned.reserve(tools.job.owner.size());
  for (const Node owner : tools.job.owner) owned.push_back(owner == self ? char{1} : char{0});
  if (tools.job.memory == ServerMemory::model) model_.emplace(slices, owned, tools.pool);
  if (tools.job.learning) start_learning();
}

bool ServerPayload::ready(const TransferKey& pull, WordRun part) const {
  if (!model_) return sums_.complete(number_of(pull, part));
  const PastEvent* next = model_->next(chunk_of(pull, part));
  const bool migrates = pull.phase == TransferPhase::migrate;
  return next != nullptr && next->what == (migrates ? PastEvent::What::gave : PastEvent::What::pulled) &&
         next->worker == pull.to() && next->iteration == pull.iteration;
}

void ServerPayload::learn(const std::vector<PastEvent>& history, PayloadTotals& totals) {
  if (!model_) return;
  std::vector<PastEvent> own;
  for (const PastEvent& event : history)
    if (event.server == self_ && event.what < PastEvent::What::merged) own.push_back(event);
  model_->learn(own);
  for (std::size_t chunk = 0; chunk < model_->chunks(); ++chunk) go_through_history(chunk, totals);
}

/// Up to what hasn't come, or to a pull, which is made when it can be sent.
void ServerPayload::go_through_history(std::size_t chunk, PayloadTotals& totals) {
  while (const PastEvent* next = model_->next(chunk)) {
    if (next->what == PastEvent::What::pulled || next->what == PastEvent::What::gave) return;
    if (next->what == PastEvent::What::scored) {
      say_model(chunk, next->iteration);
      model_->pass(chunk);
      continue;
    }
    const TransferPhase phase = next->what == PastEvent::What::took ? TransferPhase::migrate : TransferPhase::push;
    const auto push = waiting_.find({chunk, next->worker, next->iteration, phase});
    if (push == waiting_.end()) return;
    if (next->what == PastEvent::What::applied && tools_.job.learning)
      apply_gradient(chunk, *next, push->second, totals);
    else if (next->what == PastEvent::What::applied)
      add_to_model(chunk, push->second, totals);
    if (next->what == PastEvent::What::took) take_value(chunk, next->weight, push->second, totals);
    credits_.emplace_back(next->worker, phase);
    waiting_.erase(push);
    model_->pass(chunk);
  }
}

void ServerPayload::add_to_model(std::size_t chunk, const WholeChunk& push, PayloadTotals& totals) {
  const std::int32_t weight =
      Pattern::push_weight(static_cast<std::size_t>(tools_.job.worker_index(push.key.worker)), push.key.iteration);
  model_->add_weight(chunk, weight);
  std::uint32_t crc = 0;
  if (tools_.job.payload == PayloadMode::full) {
    const auto slot = model_->open(chunk);
    crc = add_payload(bytes_of(push.payload), slot.sum, slot.first);
  } else {
    crc = crcs_.of(self_, in_layout(tools_, push.key, push.part), weight,
                   [&] { return expected_crc(tools_, push.key, push.part, static_cast<float>(weight)); });
  }
  totals.crc_errors += crc != push.crc32c;
}

/// Everybody starts with the same model.
void ServerPayload::start_learning() {
  const Served& server = *tools_.job.server_at(self_);
  const LearningJob& learning = *tools_.job.learning;
  const std::vector<float> start = Classifier::start(learning.model, tools_.job.parameters(), tools_.job.seed);
  for (std::size_t chunk = 0; chunk < model_->chunks(); ++chunk) {
    if (!model_->here(chunk)) continue;
    const WordRun words = words_of(chunk);
    to_layout(server, static_cast<std::int64_t>(elements(tools_.job, words.first)), start,
              {model_->open(chunk).sum, elements(tools_.job, words.count)});
  }
}

void ServerPayload::apply_gradient(std::size_t chunk, const PastEvent& event, const WholeChunk& push,
                                   PayloadTotals& totals) {
  const LearningJob& learning = *tools_.job.learning;
  const auto in = bytes_of(push.payload);
  totals.crc_errors += crc32c(in) != push.crc32c;
  const double scale = learning.rate() * static_cast<double>(event.weight) /
                       (static_cast<double>(event.slice) * static_cast<double>(learning.batch));
  subtract({model_->open(chunk).sum, in.size() / sizeof(float)}, static_cast<float>(scale), in);
}

/// Reports the chunk to the coordinator, because it goes on changing.
void ServerPayload::say_model(std::size_t chunk, std::uint32_t number) {
  const WordRun words = words_of(chunk);
  const std::span<const float> model{model_->open(chunk).sum, elements(tools_.job, words.count)};
  snapshots_.push_back(snapshot(number, words, std::as_bytes(model)));
}

/// Of the layout.
WordRun ServerPayload::words_of(std::size_t chunk) const {
  const auto slice = static_cast<std::size_t>(std::upper_bound(first_chunks_.begin(), first_chunks_.end(), chunk) -
                                              first_chunks_.begin() - 1);
  const Slice& whole = tools_.job.server_at(self_)->slices[slice];
  const Words before{static_cast<std::int64_t>(chunk - first_chunks_[slice]) * tools_.job.chunk.n};
  return {whole.first + before, std::min(tools_.job.chunk, whole.words - before)};
}

/// What another server had of a key that is this one's now.
void ServerPayload::take_value(std::size_t chunk, std::int32_t weight, const WholeChunk& value, PayloadTotals& totals) {
  const auto in = bytes_of(value.payload);
  if (tools_.job.learning) {
    totals.crc_errors += crc32c(in) != value.crc32c;
    std::memcpy(model_->open(chunk).sum, in.data(), in.size());
    return;
  }
  model_->add_weight(chunk, weight);
  const auto known = static_cast<float>(weight);
  if (tools_.job.payload == PayloadMode::digest) {
    totals.crc_errors += value.crc32c != crcs_.of(self_, in_layout(tools_, value.key, value.part), weight,
                                                  [&] { return expected_crc(tools_, value.key, value.part, known); });
    return;
  }
  const auto result = check_payload(slice_of(tools_, value.key, value.part), known, in);
  totals.crc_errors += result.crc32c != value.crc32c;
  totals.sum_errors += result.differences;
  std::memcpy(model_->open(chunk).sum, in.data(), in.size());
}

void ServerPayload::copy_of_model(const Outgoing& pull, std::vector<Message>& append) {
  const std::size_t chunk = chunk_of(pull.key, pull.part);
  const std::int32_t weight = model_->weight(chunk);
  if (tools_.job.payload == PayloadMode::digest) {
    const std::uint32_t crc = crcs_.of(self_, in_layout(tools_, pull.key, pull.part), weight, [&] {
      return expected_crc(tools_, pull.key, pull.part, static_cast<float>(weight));
    });
    return append_chunk(tools_, pull, crc, {}, static_cast<float>(weight), append);
  }
  const std::size_t bytes = elements(tools_.job, pull.part.count) * sizeof(float);
  auto copy = tools_.pool.take();
  if (const auto& model = model_->buffer(chunk))
    std::memcpy(copy.get(), model.get(), bytes);
  else
    std::memset(copy.get(), 0, bytes);
  const Payload payload{std::move(copy), bytes};
  append_chunk(tools_, pull, crc32c(bytes_of(payload)), payload, static_cast<float>(weight), append);
}

std::uint64_t ServerPayload::number_of(const TransferKey& key, WordRun part) const {
  return key.iteration * first_chunks_.back() + chunk_of(key, part);
}

void ServerPayload::make(const Outgoing& pull, std::vector<Message>& append, PayloadTotals& totals) {
  if (model_) {
    copy_of_model(pull, append);
    model_->pass(chunk_of(pull.key, pull.part));
    return go_through_history(chunk_of(pull.key, pull.part), totals);
  }
  auto sum = sums_.lend_sum(number_of(pull.key, pull.part), elements(tools_.job, pull.part.count) * sizeof(float));
  append_chunk(tools_, pull, sum.crc32c, sum.payload, Pattern::weight_of_all(tools_.job.workers.size()), append);
}

void ServerPayload::take(WholeChunk push, PayloadTotals& totals) {
  ++totals.chunks;
  if (!model_) return add_to_sum(push, totals);
  const std::size_t chunk = chunk_of(push.key, push.part);
  const std::tuple place(chunk, push.key.from(), push.key.iteration, push.key.phase);
  waiting_.emplace(place, std::move(push));
  go_through_history(chunk, totals);
}

/// When the last one is in, all workers are woken but once.
void ServerPayload::add_to_sum(const WholeChunk& push, PayloadTotals& totals) {
  const std::uint64_t number = number_of(push.key, push.part);
  const bool full = tools_.job.payload == PayloadMode::full;
  const auto worker = static_cast<std::size_t>(tools_.job.worker_index(push.key.worker));
  std::span<const std::byte> sum;
  std::uint32_t crc = 0;
  if (full) {
    const auto in = bytes_of(push.payload);
    const auto slot = sums_.open(number);
    crc = add_payload(in, slot.sum, slot.first);
    sum = {reinterpret_cast<const std::byte*>(slot.sum), in.size()};
  } else {
    crc = expected_crc(tools_, push.key, push.part, Pattern::weight(worker));
  }
  totals.crc_errors += crc != push.crc32c;
  if (!sums_.count(number)) return;
  const float all = Pattern::weight_of_all(tools_.job.workers.size());
  const std::uint32_t of_sum = full ? crc32c(sum) : expected_crc(tools_, push.key, push.part, all);
  // What no worker pulls, no worker checks.
  if (full && !sums_.is_read(number)) totals.crc_errors += of_sum != expected_crc(tools_, push.key, push.part, all);
  sums_.set_crc(number, of_sum);
  for (const Node sender : tools_.job.workers) credits_.emplace_back(sender, TransferPhase::push);
}

}  // namespace ocs
