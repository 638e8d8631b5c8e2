// The receiving side's carrier.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/carrier.hpp"

#include <cstring>
#include <utility>

namespace ocs {

void Carrier::hold(Message chunk) {
  const auto fields = decode_fields<ChunkFields>(chunk);
  const auto bytes = static_cast<std::uint64_t>(fields.part.count.n) * static_cast<std::uint64_t>(word_bytes_);
  if (chunk.payload.size != 0 && chunk.payload.size != bytes)
    throw Malformed("a chunk of the " + describe(fields.key) + " has " + std::to_string(chunk.payload.size) +
                    " bytes; its words have " + std::to_string(bytes));
  Transfer& transfer = transfers_[fields.key];
  if (transfer.words.n != 0 && transfer.words != fields.words)
    throw Malformed("a chunk says that the " + describe(fields.key) + " has " + std::to_string(fields.words.n) +
                    " words; so far it was " + std::to_string(transfer.words.n));
  transfer.words = fields.words;
  transfer.held.push_back(std::move(chunk));
  decide(fields.key, transfer);
}

void Carrier::deliver(const DeliveredFields& delivered) {
  Transfer& transfer = transfers_[delivered.key];
  if (transfer.words.n != 0 && transfer.words != delivered.words)
    throw Malformed("the network says that the " + describe(delivered.key) + " has " +
                    std::to_string(delivered.words.n) + " words; its sender says " + std::to_string(transfer.words.n));
  transfer.words = delivered.words;
  transfer.final = transfer.final || delivered.final;
  for (const WordRun& run : delivered.runs) transfer.passed.add(run);
  decide(delivered.key, transfer);
}

const Arrival* Carrier::next(TransferPhase phase) const {
  const auto& ready = ready_[index(phase)];
  return ready.empty() ? nullptr : &ready.begin()->second;
}

Arrival Carrier::take(TransferPhase phase) {
  auto& ready = ready_[index(phase)];
  if (ready.empty()) throw Error(ErrorKind::internal, "a payload was taken from a carrier that has none to hand on");
  return std::move(ready.extract(ready.begin()).mapped());
}

void Carrier::decide(const TransferKey& key, Transfer& transfer) {
  std::erase_if(transfer.held, [&](Message& chunk) {
    const auto fields = decode_fields<ChunkFields>(chunk);
    if (!transfer.final && !transfer.passed.covers(fields.part)) return false;
    transfer.decided += fields.part.count;
    ready_[index(key.phase)].emplace(Place{key.iteration, fields.part.first.n, key},
                                     open(std::move(chunk), fields, transfer));
    return true;
  });
  if (transfer.final && transfer.decided >= transfer.words) transfers_.erase(key);
}

Arrival Carrier::open(Message chunk, const ChunkFields& fields, const Transfer& transfer) const {
  Arrival arrival{fields.key, fields.part, chunk.header.payload_crc32c, {}};
  for (const WordRun& run : transfer.passed.within(fields.part)) {
    if (run == fields.part || chunk.payload.size == 0) {
      arrival.parts.push_back({run, std::move(chunk.payload)});
      continue;
    }
    const auto size = static_cast<std::size_t>(run.count.n * word_bytes_);
    const auto offset = static_cast<std::size_t>((run.first - fields.part.first).n * word_bytes_);
    std::shared_ptr<std::byte[]> copy(new std::byte[size]);
    std::memcpy(copy.get(), chunk.payload.data.get() + offset, size);
    arrival.parts.push_back({run, {std::move(copy), size}});
  }
  return arrival;
}

}  // namespace ocs
