// Copies words to their places until a chunk is whole.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/memory/reassembly.hpp"

#include <algorithm>
#include <cstring>

#include "host/core/error.hpp"

namespace ocs {

std::optional<WholeChunk> Reassembly::add(Arrival arrival) {
  const Words first{arrival.chunk.first.n / chunk_.n * chunk_.n};
  const WordRun chunk{first, std::min(chunk_, arrival.words - first)};
  return add(std::move(arrival), chunk);
}

std::optional<WholeChunk> Reassembly::add(Arrival arrival, WordRun chunk) {
  if (arrival.attempt == 0 && arrival.whole())
    return WholeChunk{arrival.key, arrival.chunk, arrival.crc32c, std::move(arrival.parts.front().payload)};
  const Words first = chunk.first;
  if (arrival.chunk.first + arrival.chunk.count > chunk.first + chunk.count)
    throw Error(ErrorKind::internal, "a chunk of the " + describe(arrival.key) + ", has words " +
                                         describe({arrival.chunk}) + ", which don't lie in one chunk of " +
                                         std::to_string(chunk.count.n));
  const auto entry = begun_.try_emplace({arrival.key, first.n}).first;
  Begun& begun = entry->second;
  if (arrival.attempt == 0) begun.crc32c = arrival.crc32c;
  for (const Arrival::Part& part : arrival.parts) {
    begun.words.add(part.words);
    if (part.payload.size == 0) continue;
    if (!begun.buffer) begun.buffer = pool_.take();
    std::memcpy(begun.buffer.get() + (part.words.first - first).n * word_bytes_, part.payload.data.get(),
                part.payload.size);
  }
  if (!begun.crc32c || !begun.words.covers(chunk)) return std::nullopt;
  WholeChunk whole{arrival.key, chunk, *begun.crc32c, {}};
  if (begun.buffer) whole.payload = {begun.buffer, static_cast<std::size_t>(chunk.count.n * word_bytes_)};
  begun_.erase(entry);
  return whole;
}

}  // namespace ocs
