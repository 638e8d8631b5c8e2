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

Message chunk_message(const ChunkFields& fields, std::uint32_t crc, Payload payload) {
  Message message = make_message(index(fields.key.to()), Picos{0}, fields);
  message.header.payload_crc32c = crc;
  message.payload = std::move(payload);
  return message;
}

/// The chunk, and behind it those of its words that are sent again, in chunks of their own.
/// @param payload without bytes in digest; then it is the pattern times `weight`
void append_chunk(const PayloadTools& tools, const Outgoing& out, std::uint32_t crc, const Payload& payload,
                  float weight, std::vector<Message>& append) {
  append.push_back(chunk_message({out.key, out.words, out.part}, crc, payload));
  const auto bytes = [&](Words words) { return static_cast<std::size_t>(words.n * tools.job.word_bytes); };
  for (const Again& again : out.again)
    for (const WordRun& run : again.words.within(out.part)) {
      Payload slice;
      if (payload.size > 0)
        slice = {{payload.data, payload.data.get() + bytes(run.first - out.part.first)}, bytes(run.count)};
      append.push_back(
          chunk_message({out.key, out.words, run, again.attempt},
                        slice.size > 0 ? crc32c(bytes_of(slice)) : expected_crc(tools, out.key, run, weight), slice));
    }
}

}  // namespace

WorkerPayload::WorkerPayload(PayloadTools tools, Node self) : tools_(tools), self_(self) {}

void WorkerPayload::make(const Outgoing& push, std::vector<Message>& append) {
  const float weight = Pattern::weight(static_cast<std::size_t>(tools_.job.worker_index(self_)));
  auto buffer = tools_.pool.take();
  const std::span<float> out{reinterpret_cast<float*>(buffer.get()), elements(tools_.job, push.part.count)};
  const std::uint32_t crc = make_payload(slice_of(tools_, push.key, push.part), weight, out);
  Payload payload;
  if (tools_.job.payload == PayloadMode::full) payload = {std::move(buffer), out.size_bytes()};
  append_chunk(tools_, push, crc, payload, weight, append);
}

void WorkerPayload::take(const WholeChunk& pull, PayloadTotals& totals) const {
  ++totals.chunks;
  const float weight = Pattern::weight_of_all(tools_.job.workers.size());
  if (tools_.job.payload == PayloadMode::digest) {
    totals.crc_errors += expected_crc(tools_, pull.key, pull.part, weight) != pull.crc32c;
    return;
  }
  const auto result = check_payload(slice_of(tools_, pull.key, pull.part), weight, bytes_of(pull.payload));
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

void ServerPayload::make(const Outgoing& pull, std::vector<Message>& append) {
  auto sum =
      sums_.hand_out(number_of(pull.key.iteration, pull.part), elements(tools_.job, pull.part.count) * sizeof(float));
  append_chunk(tools_, pull, sum.crc32c, sum.payload, Pattern::weight_of_all(tools_.job.workers.size()), append);
}

bool ServerPayload::take(const WholeChunk& push, PayloadTotals& totals) {
  ++totals.chunks;
  const std::uint64_t number = number_of(push.key.iteration, push.part);
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
  if (!sums_.count(number)) return false;
  const float all = Pattern::weight_of_all(tools_.job.workers.size());
  sums_.set_crc(number, full ? crc32c(sum) : expected_crc(tools_, push.key, push.part, all));
  return true;
}

}  // namespace ocs
