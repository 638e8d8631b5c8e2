// What the roles do with payload.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/payload_roles.hpp"

#include <utility>

namespace ocs {
namespace {

std::size_t elements(const NodeJob& job, Words words) {
  return static_cast<std::size_t>(words.n * job.word_bytes) / sizeof(float);
}

PatternSlice slice_of(const PayloadTools& tools, const TransferKey& key, WordRun part) {
  return {tools.pattern, key.iteration, key.server, elements(tools.job, part.first)};
}

std::span<const std::byte> bytes_of(const Payload& payload) { return {payload.data.get(), payload.size}; }

/// The CRC that a chunk of the pattern should have; made in a buffer that is thrown away.
std::uint32_t expected_crc(const PayloadTools& tools, const TransferKey& key, WordRun part, float weight) {
  const auto scratch = tools.pool.take();
  return make_payload(slice_of(tools, key, part), weight,
                      {reinterpret_cast<float*>(scratch.get()), elements(tools.job, part.count)});
}

Message chunk_message(const TransferKey& key, Words words, WordRun part, std::uint32_t crc, Payload payload) {
  Message message = make_message(index(key.to()), Picos{0}, ChunkFields{key, words, part});
  message.header.payload_crc32c = crc;
  message.payload = std::move(payload);
  return message;
}

}  // namespace

WorkerPayload::WorkerPayload(PayloadTools tools, Node self) : tools_(tools), self_(self) {}

Message WorkerPayload::make(const TransferKey& key, Words words, WordRun part) {
  const float weight = Pattern::weight(static_cast<std::size_t>(tools_.job.worker_index(self_)));
  auto buffer = tools_.pool.take();
  const std::span<float> out{reinterpret_cast<float*>(buffer.get()), elements(tools_.job, part.count)};
  const std::uint32_t crc = make_payload(slice_of(tools_, key, part), weight, out);
  Payload payload;
  if (tools_.job.payload == PayloadMode::full) payload = {std::move(buffer), out.size_bytes()};
  return chunk_message(key, words, part, crc, std::move(payload));
}

void WorkerPayload::take(const Arrival& pull, PayloadTotals& totals) const {
  ++totals.chunks;
  if (!pull.whole()) return;  // the job ends with what is missing
  const float weight = Pattern::weight_of_all(tools_.job.workers.size());
  if (tools_.job.payload == PayloadMode::digest) {
    totals.crc_errors += expected_crc(tools_, pull.key, pull.chunk, weight) != pull.crc32c;
    return;
  }
  const auto result =
      check_payload(slice_of(tools_, pull.key, pull.chunk), weight, bytes_of(pull.parts.front().payload));
  totals.crc_errors += result.crc32c != pull.crc32c;
  totals.sum_errors += result.differences;
}

ServerPayload::ServerPayload(PayloadTools tools, Node self)
    : tools_(tools),
      chunks_(divide_up(tools.job.server_at(self)->words.n, tools.job.chunk.n)),
      sums_(tools.job.workers.size(), tools.pool) {}

std::uint64_t ServerPayload::number_of(std::uint32_t iteration, WordRun part) const {
  return static_cast<std::uint64_t>(iteration * chunks_ + part.first.n / tools_.job.chunk.n);
}

Message ServerPayload::make(const TransferKey& key, Words words, WordRun part) {
  auto sum = sums_.hand_out(number_of(key.iteration, part), elements(tools_.job, part.count) * sizeof(float));
  return chunk_message(key, words, part, sum.crc32c, std::move(sum.payload));
}

bool ServerPayload::take(const Arrival& push, PayloadTotals& totals) {
  ++totals.chunks;
  if (!push.whole()) return false;  // the job ends with what is missing
  const std::uint64_t number = number_of(push.key.iteration, push.chunk);
  const bool full = tools_.job.payload == PayloadMode::full;
  const auto worker = static_cast<std::size_t>(tools_.job.worker_index(push.key.worker));
  std::span<const std::byte> sum;
  std::uint32_t crc = 0;
  if (full) {
    const auto in = bytes_of(push.parts.front().payload);
    const auto slot = sums_.open(number);
    crc = add_payload(in, slot.sum, slot.first);
    sum = {reinterpret_cast<const std::byte*>(slot.sum), in.size()};
  } else {
    crc = expected_crc(tools_, push.key, push.chunk, Pattern::weight(worker));
  }
  totals.crc_errors += crc != push.crc32c;
  if (!sums_.count(number)) return false;
  const float all = Pattern::weight_of_all(tools_.job.workers.size());
  sums_.set_crc(number, full ? crc32c(sum) : expected_crc(tools_, push.key, push.chunk, all));
  return true;
}

}  // namespace ocs
