// A parameter server's memory where pushes are added to one model, one by one, in the order of virtual time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "host/transport/fields.hpp"
#include "testbed/nodes/memory/buffer_pool.hpp"

namespace ocs {

/// The model in chunks. Each chunk goes through the same history by itself: a push is added, or dropped, or a pull
/// takes a copy. So nodes needn't agree on which chunk comes when, and what a pull gets is the model of its instant.
class ModelStore {
 public:
  /// @param slices of each chunk: what was pulled of another slice is none of its history.
  /// @param owned slices that are here from the start; others come and go by the history. Empty: all.
  ModelStore(const std::vector<std::uint32_t>& slices, const std::vector<char>& owned, BufferPool& pool)
      : pool_(pool), chunks_(slices.size()) {
    for (std::size_t chunk = 0; chunk < slices.size(); ++chunk) {
      chunks_[chunk].slice = slices[chunk];
      chunks_[chunk].here = owned.empty() || owned[slices[chunk]] != 0;
    }
  }

  /// What comes next in the history; it comes in pieces, in order.
  void learn(const std::vector<PastEvent>& more) {
    history_.insert(history_.end(), more.begin(), more.end());
    for (Chunk& chunk : chunks_) skip(chunk);
  }

  std::size_t chunks() const { return chunks_.size(); }
  /// Whether this server owns it now.
  bool here(std::size_t chunk) const { return chunks_[chunk].here; }
  /// Whether the history has this pull.
  bool gives(const TransferKey& pull) const {
    return std::any_of(history_.begin(), history_.end(), [&](const PastEvent& event) {
      return event.what == PastEvent::What::pulled && event.worker == pull.worker &&
             event.iteration == pull.iteration && event.slice == pull.slice;
    });
  }
  /// Which of the events that are known each pull is, by worker, iteration and slice.
  std::map<std::tuple<Node, std::uint32_t, std::uint32_t>, std::size_t> places_of_pulls() const {
    std::map<std::tuple<Node, std::uint32_t, std::uint32_t>, std::size_t> places;
    for (std::size_t at = 0; at < history_.size(); ++at)
      if (history_[at].what == PastEvent::What::pulled)
        places.emplace(std::tuple(history_[at].worker, history_[at].iteration, history_[at].slice), at);
    return places;
  }
  /// What the chunk has to go through next; nullptr: nothing that is known.
  const PastEvent* next(std::size_t chunk) const {
    const std::size_t at = chunks_[chunk].at;
    return at < history_.size() ? &history_[at] : nullptr;
  }
  /// It has gone through next().
  void pass(std::size_t chunk) {
    const PastEvent::What what = next(chunk)->what;
    if (what == PastEvent::What::took) chunks_[chunk].here = true;
    if (what == PastEvent::What::gave) {
      chunks_[chunk].here = false;
      chunks_[chunk].weight = 0;
      chunks_[chunk].buffer.reset();
    }
    ++chunks_[chunk].at;
    skip(chunks_[chunk]);
  }

  struct Slot {
    float* sum;
    bool first;  ///< nothing has been added: the memory holds anything
  };
  Slot open(std::size_t chunk);
  /// Sum of the weights of what has been added.
  std::int32_t weight(std::size_t chunk) const { return chunks_[chunk].weight; }
  void add_weight(std::size_t chunk, std::int32_t weight) { chunks_[chunk].weight += weight; }
  const std::shared_ptr<std::byte[]>& buffer(std::size_t chunk) const { return chunks_[chunk].buffer; }

 private:
  struct Chunk {
    std::size_t at = 0;
    std::int32_t weight = 0;
    std::uint32_t slice = 0;
    bool here = true;  ///< this server owns it
    std::shared_ptr<std::byte[]> buffer;
  };
  /// Pulls and migrations of other slices; pushes, and questions of the coordinator, while another server owns it.
  void skip(Chunk& chunk) const {
    const auto of_another = [&](const PastEvent& event) {
      const bool of_all = event.what == PastEvent::What::applied || event.what == PastEvent::What::dropped ||
                          event.what == PastEvent::What::scored;
      if (of_all) return !chunk.here;
      return event.slice != chunk.slice;
    };
    while (chunk.at < history_.size() && of_another(history_[chunk.at])) ++chunk.at;
  }

  BufferPool& pool_;
  std::vector<PastEvent> history_;
  std::vector<Chunk> chunks_;
};

inline ModelStore::Slot ModelStore::open(std::size_t chunk) {
  Chunk& one = chunks_[chunk];
  const bool first = !one.buffer;
  if (first) one.buffer = pool_.take();
  return {reinterpret_cast<float*>(one.buffer.get()), first};
}

}  // namespace ocs
