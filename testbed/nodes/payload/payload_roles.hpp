// What the roles do with payload: a worker makes pushes and checks pulls, a server adds pushes and hands out sums.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "host/transport/carrier.hpp"
#include "testbed/nodes/learning/learner.hpp"
#include "testbed/nodes/learning/peer_model.hpp"
#include "testbed/nodes/memory/buffer_pool.hpp"
#include "testbed/nodes/memory/model_store.hpp"
#include "testbed/nodes/memory/payload_math.hpp"
#include "testbed/nodes/memory/reassembly.hpp"
#include "testbed/nodes/memory/sum_store.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// What came of the payload that a node has received.
struct PayloadTotals {
  std::uint64_t crc_errors = 0;  ///< chunks
  std::uint64_t sum_errors = 0;  ///< elements
  std::uint64_t chunks = 0;
};

/// What payload work needs; all of it outlives who refers to it.
struct PayloadTools {
  const NodeJob& job;
  const Pattern& pattern;
  BufferPool& pool;                           ///< of buffers that hold a chunk
  const MakePeerModel* peer_model = nullptr;  ///< of peers; none: the pattern
};

/// Words that are sent in a further attempt.
struct Again {
  std::uint32_t attempt;
  RunSet words;
};

/// A chunk that is to be sent: of the transfer that `key` names, which has `words`.
struct Outgoing {
  const TransferKey& key;
  Words words;
  WordRun part;
  const std::vector<Again>& again;  ///< words of the transfer; those of the chunk follow it
};

/// The chunk, and behind it those of its words that are sent again, in chunks of their own.
/// @param payload without bytes in digest: then `crc_of` gives the CRC of words within the chunk
void append_chunk(const Outgoing& out, std::uint32_t crc, const Payload& payload, std::int64_t word_bytes,
                  const std::function<std::uint32_t(WordRun)>& crc_of, std::vector<Message>& append);

/// Real learning: words `part` of this node's model as they are now, for the coordinator to score; a copy.
Message snapshot(std::uint32_t number, WordRun part, std::span<const std::byte> numbers);

/// CRCs of the pattern that were worked out before: a model's chunks come again with few weights (digest).
class KnownCrcs {
 public:
  template <class Make>
  std::uint32_t of(Node server, WordRun part, std::int32_t weight, const Make& make) {
    const auto [found, is_new] = known_.try_emplace({index(server), part.first.n, part.count.n, weight}, 0);
    if (is_new) found->second = make();
    return found->second;
  }

 private:
  std::map<std::tuple<std::uint16_t, std::int64_t, std::int64_t, std::int32_t>, std::uint32_t> known_;
};

class WorkerPayload {
 public:
  WorkerPayload(PayloadTools tools, Node self);
  void learn(const std::vector<PastEvent>& history);
  /// True when it is known what the pull is to bring: of a model that is said later than its first chunk may come.
  bool knows(const TransferKey& pull) const {
    return tools_.job.memory == ServerMemory::sums || pulled_.contains({pull.server, pull.slice, pull.iteration});
  }
  /// True when it is known what the push is made of.
  bool can_make(const TransferKey& push) const { return !learner_ || learner_->has(push.iteration); }
  /// Real learning: one step or the like. @returns false: there is nothing to do now
  bool work() { return learner_ && learner_->work(); }
  void make(const Outgoing& push, std::vector<Message>& append);
  void take(const WholeChunk& pull, PayloadTotals& totals);

 private:
  float push_weight(std::uint32_t iteration) const;
  float pull_weight(const TransferKey& key) const;

  PayloadTools tools_;
  Node self_;
  /// Weights of a model, by server, slice and iteration.
  std::map<std::tuple<Node, std::uint32_t, std::uint32_t>, std::int32_t> pulled_;
  KnownCrcs crcs_;
  std::optional<Learner> learner_;
};

class ServerPayload {
 public:
  ServerPayload(PayloadTools tools, Node self);
  void learn(const std::vector<PastEvent>& history, PayloadTotals& totals);
  /// True when the history has the pull, where servers keep a model.
  bool gives(const TransferKey& pull) const { return !model_ || model_->gives(pull); }
  /// Where servers keep a model: the places of all pulls in its history, by worker, iteration and slice.
  std::map<std::tuple<Node, std::uint32_t, std::uint32_t>, std::size_t> places_of_pulls() const {
    return model_ ? model_->places_of_pulls() : decltype(model_->places_of_pulls()){};
  }
  /// True when all pushes of this part have been added that the pull, or the migration, is to bring.
  bool ready(const TransferKey& pull, WordRun part) const;
  /// True when this push can be taken now.
  bool has_room(const Arrival& push) const { return model_ || sums_.has_room(number_of(push.key, push.chunk)); }
  void make(const Outgoing& pull, std::vector<Message>& append, PayloadTotals& totals);
  void take(WholeChunk push, PayloadTotals& totals);
  /// Nothing of this iteration and later ones is pulled: the job ended between their pushes and pulls.
  void no_pulls_from(std::uint32_t iteration) { sums_.nobody_reads_from(iteration * first_chunks_.back()); }
  /// Who may send one more chunk of a push or of a migration, for each chunk that isn't needed any more.
  std::vector<std::pair<Node, TransferPhase>> take_credits() { return std::exchange(credits_, {}); }
  /// Real learning: what the coordinator is to score.
  std::vector<Message> take_snapshots() { return std::exchange(snapshots_, {}); }
  bool idle() const { return waiting_.empty(); }

 private:
  std::uint64_t number_of(const TransferKey& key, WordRun part) const;
  std::size_t chunk_of(const TransferKey& key, WordRun part) const {
    return first_chunks_[key.slice] + static_cast<std::size_t>(part.first.n / tools_.job.chunk.n);
  }
  void add_to_sum(const WholeChunk& push, PayloadTotals& totals);
  void go_through_history(std::size_t chunk, PayloadTotals& totals);
  void add_to_model(std::size_t chunk, const WholeChunk& push, PayloadTotals& totals);
  void take_value(std::size_t chunk, std::int32_t weight, const WholeChunk& value, PayloadTotals& totals);
  void copy_of_model(const Outgoing& pull, std::vector<Message>& append);
  void start_learning();
  void apply_gradient(std::size_t chunk, const PastEvent& event, const WholeChunk& push, PayloadTotals& totals);
  void say_model(std::size_t chunk, std::uint32_t number);
  WordRun words_of(std::size_t chunk) const;

  PayloadTools tools_;
  Node self_;
  std::vector<std::size_t> first_chunks_;  ///< of each slice; then of all
  SumStore sums_;
  std::optional<ModelStore> model_;
  /// For their turn: by chunk, sender, iteration and phase.
  std::map<std::tuple<std::size_t, Node, std::uint32_t, TransferPhase>, WholeChunk> waiting_;
  std::vector<std::pair<Node, TransferPhase>> credits_;
  std::vector<Message> snapshots_;
  KnownCrcs crcs_;
};

}  // namespace ocs
