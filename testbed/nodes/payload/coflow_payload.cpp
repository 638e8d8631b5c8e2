// The payload of coflows, chunk by chunk.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/payload/coflow_payload.hpp"

namespace ocs {

std::size_t CoflowPayload::floats_in(Words words) const {
  return static_cast<std::size_t>(words.n * tools_.job.word_bytes) / sizeof(float);
}

PatternSlice CoflowPayload::slice(const TransferKey& key, WordRun part) const {
  constexpr std::uint32_t ports = max_ports;
  return {tools_.pattern, key.iteration * ports + index(key.to()), key.from(), floats_in(part.first)};
}

std::uint32_t CoflowPayload::digest(const TransferKey& key, WordRun part) const {
  return pattern_crc(slice(key, part), floats_in(part.count));
}

void CoflowPayload::make(const Outgoing& chunk, std::vector<Message>& append) {
  Payload payload;
  std::uint32_t crc = 0;
  if (tools_.job.payload == PayloadMode::full) {
    auto buffer = tools_.pool.take();
    const std::size_t floats = floats_in(chunk.part.count);
    crc = make_payload(slice(chunk.key, chunk.part), 1, {reinterpret_cast<float*>(buffer.get()), floats});
    payload = {std::move(buffer), floats * sizeof(float)};
  } else {
    crc = digest(chunk.key, chunk.part);
  }
  append_chunk(
      chunk, crc, payload, tools_.job.word_bytes, [&](WordRun run) { return digest(chunk.key, run); }, append);
}

void CoflowPayload::take(const WholeChunk& chunk, PayloadTotals& totals) const {
  ++totals.chunks;
  if (tools_.job.payload != PayloadMode::full) {
    totals.crc_errors += digest(chunk.key, chunk.part) != chunk.crc32c;
    return;
  }
  const std::span<const std::byte> bytes{chunk.payload.data.get(), chunk.payload.size};
  const Checked checked = check_payload(slice(chunk.key, chunk.part), 1, bytes);
  totals.crc_errors += checked.crc32c != chunk.crc32c;
  totals.sum_errors += checked.differences + (floats_in(chunk.part.count) - bytes.size() / sizeof(float));
}

}  // namespace ocs
