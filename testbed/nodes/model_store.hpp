// A parameter server's memory where pushes are added to one model, one by one, in the order of virtual time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "host/transport/fields.hpp"
#include "testbed/nodes/buffer_pool.hpp"

namespace ocs {

/// The model in chunks. Each chunk goes through the same history by itself: a push is added, or dropped, or a pull
/// takes a copy. So nodes needn't agree on which chunk comes when, and what a pull gets is the model of its instant.
class ModelStore {
 public:
  ModelStore(std::size_t chunks, BufferPool& pool) : pool_(pool), chunks_(chunks) {}

  /// What comes next in the history; it comes in pieces, in order.
  void learn(const std::vector<PastEvent>& more) { history_.insert(history_.end(), more.begin(), more.end()); }

  std::size_t chunks() const { return chunks_.size(); }
  /// What the chunk has to go through next; nullptr: nothing that is known.
  const PastEvent* next(std::size_t chunk) const {
    const std::size_t at = chunks_[chunk].at;
    return at < history_.size() ? &history_[at] : nullptr;
  }
  /// It has gone through next().
  void pass(std::size_t chunk) { ++chunks_[chunk].at; }

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
    std::shared_ptr<std::byte[]> buffer;
  };
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
