// The receiving side's carrier: it keeps the payload that has crossed the transport until the network says which words
// have passed, and hands on exactly those.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "host/transport/fields.hpp"
#include "host/transport/run_set.hpp"

namespace ocs {

/// What the network let pass of one chunk.
struct Arrival {
  struct Part {
    WordRun words;    ///< of the transfer
    Payload payload;  ///< these words and nothing else; empty if the chunk came without bytes (digest)
  };
  TransferKey key;
  WordRun chunk;            ///< of the transfer
  std::uint32_t crc32c;     ///< of the whole chunk, as its sender computed it
  std::vector<Part> parts;  ///< ascending; none: all words were lost
  bool whole() const { return parts.size() == 1 && parts[0].words == chunk; }
};

/// Belongs to the transport: node code sees what take() returns and can't reach the rest.
/// A chunk that passed whole is handed on as the view that arrived; of any other chunk only the words that passed are
/// copied out, and the rest is dropped.
class Carrier {
 public:
  explicit Carrier(std::int64_t word_bytes) : word_bytes_(word_bytes) {}

  /// Takes a message of kind chunk. @throws Malformed if its size isn't that of its words or its transfer is finished.
  void hold(Message chunk);
  /// The network's word on a transfer; several add up. A chunk is decided once all its words have passed, or with
  /// `final`.
  void deliver(const DeliveredFields& delivered);
  /// The next decided chunk of a push or of a pull: lowest iteration first, then place in the transfer, then key.
  /// nullptr: there is none. Good until the next call of anything else.
  const Arrival* next(TransferPhase phase) const;
  /// Takes what next() shows. @throws Error (internal) if there is nothing
  Arrival take(TransferPhase phase);

 private:
  struct Transfer {
    Words words;                ///< 0 until something is known
    RunSet passed;              ///< as the network said
    bool final = false;         ///< nothing more will pass
    Words decided;              ///< words of chunks that went to ready_
    std::vector<Message> held;  ///< not decided yet
  };
  using Place = std::tuple<std::uint32_t, std::int64_t, TransferKey>;  ///< iteration, first word, transfer

  void decide(const TransferKey& key, Transfer& transfer);
  Arrival open(Message chunk, const ChunkFields& fields, const Transfer& transfer) const;

  std::int64_t word_bytes_;
  std::map<TransferKey, Transfer> transfers_;
  std::array<std::map<Place, Arrival>, 2> ready_;  ///< by phase
};

}  // namespace ocs
