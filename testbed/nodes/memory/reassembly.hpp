// Puts chunks together whose words have come in several attempts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "host/transport/carrier.hpp"
#include "testbed/nodes/memory/buffer_pool.hpp"

namespace ocs {

/// All words of a chunk, as its sender has made it.
struct WholeChunk {
  TransferKey key;
  WordRun part;          ///< of the transfer
  std::uint32_t crc32c;  ///< as its sender computed it, before anything was lost
  Payload payload;       ///< empty if it came without bytes (digest)
};

/// Nothing is worked on until it is whole, and each chunk is whole once. What arrives in one piece isn't copied.
class Reassembly {
 public:
  /// @param chunk words of every chunk of a transfer but the last, in the first attempt. @param pool of buffers that
  ///        hold one.
  Reassembly(std::int64_t word_bytes, Words chunk, BufferPool& pool)
      : word_bytes_(word_bytes), chunk_(chunk), pool_(pool) {}

  /// @returns the chunk that is whole with it. @throws Error (internal) for words that lie in several chunks
  std::optional<WholeChunk> add(Arrival arrival);
  /// Where chunks are cut in another way. @param chunk in which the arrival lies
  std::optional<WholeChunk> add(Arrival arrival, WordRun chunk);
  bool empty() const { return begun_.empty(); }

 private:
  struct Begun {
    RunSet words;
    std::optional<std::uint32_t> crc32c;  ///< known with the first attempt
    std::shared_ptr<std::byte[]> buffer;  ///< none without bytes
  };
  using Place = std::pair<TransferKey, std::int64_t>;  ///< and its first word

  std::int64_t word_bytes_;
  Words chunk_;
  BufferPool& pool_;
  std::map<Place, Begun> begun_;
};

}  // namespace ocs
