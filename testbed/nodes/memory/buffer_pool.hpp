// A pool of equal buffers: the one that came back last is handed out first, because it is still in the cache.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "host/transport/shared_memory.hpp"

namespace ocs {

/// Threads share it: a view of a buffer may be let go of on any thread. Buffers outlive the pool object if need be.
class BufferPool {
 public:
  /// @param bytes of a buffer, > 0
  explicit BufferPool(std::size_t bytes);
  /// A node process's pool: buffers lie in its region of `shared` while there is room. For one thread.
  BufferPool(std::size_t bytes, SharedMemory& shared, Node self);
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// Not cleared; aligned to 4096 bytes. Goes back to the pool when the last owner lets go.
  std::shared_ptr<std::byte[]> take();
  std::size_t bytes() const;
  /// Buffers that exist in the process's own memory, in use or not.
  std::size_t made() const;
  /// The most that were in use at one time.
  std::size_t most_in_use() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
  SharedMemory* shared_ = nullptr;
};

}  // namespace ocs
