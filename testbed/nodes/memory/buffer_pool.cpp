// A pool of equal buffers.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/memory/buffer_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

namespace ocs {
namespace {

constexpr std::size_t page = 4096, huge_page = 512 * page;

struct Free {
  void operator()(std::byte* slab) const { std::free(slab); }
};

}  // namespace

/// Memory comes in slabs of whole huge pages, so that the kernel maps it in a few steps.
struct BufferPool::State {
  explicit State(std::size_t size) : bytes((size + page - 1) / page * page) {}

  std::byte* take() {
    const std::lock_guard lock(mutex);
    if (unused.empty()) grow();
    std::byte* buffer = unused.back();
    unused.pop_back();
    most = std::max(most, made - unused.size());
    return buffer;
  }
  void give_back(std::byte* buffer) {
    const std::lock_guard lock(mutex);
    unused.push_back(buffer);
  }
  void grow() {
    const std::size_t size = (bytes + huge_page - 1) / huge_page * huge_page;
    std::unique_ptr<std::byte, Free> slab(static_cast<std::byte*>(std::aligned_alloc(huge_page, size)));
    if (!slab) throw std::bad_alloc();
    madvise(slab.get(), size, MADV_HUGEPAGE);  // a hint: nothing depends on it
    made += size / bytes;
    unused.reserve(made);  // giving back never allocates
    for (std::size_t at = size / bytes; at-- > 0;) unused.push_back(slab.get() + at * bytes);
    slabs.push_back(std::move(slab));
  }

  const std::size_t bytes;
  std::mutex mutex;
  std::size_t made = 0, most = 0;
  std::vector<std::byte*> unused;
  std::vector<std::unique_ptr<std::byte, Free>> slabs;
};

BufferPool::BufferPool(std::size_t bytes) : state_(std::make_shared<State>(bytes)) {}
BufferPool::BufferPool(std::size_t bytes, SharedMemory& shared, Node self) : BufferPool(bytes) {
  shared_ = &shared;
  shared.cut(self, bytes);
}
BufferPool::~BufferPool() = default;

std::shared_ptr<std::byte[]> BufferPool::take() {
  if (shared_)
    if (auto buffer = shared_->take()) return buffer;
  return {state_->take(), [state = state_](std::byte* buffer) { state->give_back(buffer); }};
}

std::size_t BufferPool::bytes() const { return state_->bytes; }

std::size_t BufferPool::made() const {
  const std::lock_guard lock(state_->mutex);
  return state_->made;
}

std::size_t BufferPool::most_in_use() const {
  const std::lock_guard lock(state_->mutex);
  return state_->most + (shared_ ? shared_->most_in_use() : 0);
}

}  // namespace ocs
