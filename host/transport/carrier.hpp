// The receiving side's carrier: it keeps the payload that has crossed the transport until the network says which words
// have passed, and hands on exactly those.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
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
  std::uint32_t attempt;    ///< in which it was sent; 0: the first one
  Words words;              ///< of the transfer
  WordRun chunk;            ///< of the transfer
  std::uint32_t crc32c;     ///< of the whole chunk, as its sender computed it
  std::vector<Part> parts;  ///< ascending; none: all words were lost
  bool whole() const { return parts.size() == 1 && parts[0].words == chunk; }
};

/// Belongs to the transport: node code sees what take() returns and can't reach the rest.
/// A chunk that passed whole is handed on as the view that arrived; of any other chunk only the words that passed are
/// copied out, and the rest is dropped. Each word is handed on once, in whichever attempt it passes first.
class Carrier {
 public:
  explicit Carrier(std::int64_t word_bytes) : word_bytes_(word_bytes) {}

  /// Words that this receiver asks for: they will come in a further attempt. Before anything of that attempt.
  void ask(const MissingFields& missing);
  /// Takes a message of kind chunk. @throws Malformed if its size isn't that of its words, or if it brings
  /// words again that weren't asked for.
  void hold(Message chunk);
  /// The network's word on an attempt; several add up. A chunk is decided once all its words have passed, or with
  /// `final`. @returns how many words have passed for the first time
  Words deliver(const DeliveredFields& delivered);
  /// Forgets the transfers that `which` names, of which no chunk has come. @returns words of them that had passed, by
  /// their sender
  std::map<Node, std::int64_t> forget(const std::function<bool(const TransferKey&)>& which);
  /// The next decided chunk of a push or of a pull: lowest iteration first, then slice, place in it, key.
  /// nullptr: there is none. Good until the next call of anything else.
  const Arrival* next(TransferPhase phase) const;
  /// Takes what next() shows. @throws Error (internal) if there is nothing
  Arrival take(TransferPhase phase);

 private:
  struct Attempt {
    Words words;                ///< of the transfer; 0 until something is known
    Words left{-1};             ///< words of chunks that aren't in ready_ yet; -1: not known
    RunSet asked;               ///< of a further attempt: words that no chunk has brought yet
    RunSet passed;              ///< as the network said, for the first time
    bool final = false;         ///< nothing more will pass
    std::vector<Message> held;  ///< not decided yet
  };
  /// What has passed of a transfer, as long as one of its attempts is under way.
  struct Passed {
    RunSet words;
    std::int64_t under_way = 1;
  };
  using AttemptKey = std::pair<TransferKey, std::uint32_t>;
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::int64_t, AttemptKey>;  ///< iteration, slice, first word

  Attempt& attempt_of(const TransferKey& key, std::uint32_t attempt, Words words);
  void decide(const AttemptKey& key);
  Arrival open(Message chunk, const ChunkFields& fields, const Attempt& attempt) const;

  std::int64_t word_bytes_;
  std::map<AttemptKey, Attempt> attempts_;
  std::map<TransferKey, Passed> passed_;
  std::array<std::map<Place, Arrival>, 3> ready_;  ///< by phase
};

}  // namespace ocs
