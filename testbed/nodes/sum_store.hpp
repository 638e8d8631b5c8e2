// A parameter server's memory: for each iteration and chunk, the sum of the pushes so far.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "host/core/message.hpp"
#include "testbed/nodes/buffer_pool.hpp"

namespace ocs {

/// Memory is held chunk by chunk: from the first push of a chunk until its sum has been handed out to every worker and
/// the last of them has let go of the view. So the next iteration never overwrites a view that is still being read, and
/// a server whose workers keep pace needs a few chunks, not its whole layout.
class SumStore {
 public:
  struct Sum {
    Payload payload;       ///< empty without a buffer (digest)
    std::uint32_t crc32c;  ///< of the whole sum, set by who completes it
  };

  SumStore(std::size_t workers, std::size_t chunks, BufferPool& pool)
      : workers_(workers), chunks_(chunks), pool_(pool) {}

  /// Where the next push of a chunk is to be added; `first`: nothing is there yet.
  struct Slot {
    float* sum;
    bool first;
  };
  Slot open(std::uint32_t iteration, std::size_t chunk);
  /// One more push is in. @returns true if it was the last one.
  bool count(std::uint32_t iteration, std::size_t chunk);
  void set_crc(std::uint32_t iteration, std::size_t chunk, std::uint32_t crc32c);

  bool complete(std::uint32_t iteration, std::size_t chunk) const;
  /// A view of a complete sum, to be called once for each worker.
  Sum hand_out(std::uint32_t iteration, std::size_t chunk, std::size_t bytes);

 private:
  struct Entry {
    std::shared_ptr<std::byte[]> buffer;
    std::size_t added = 0, handed_out = 0;
    std::uint32_t crc32c = 0;
  };
  struct Iteration {
    std::vector<Entry> entries;
    std::size_t finished = 0;
  };
  Entry& entry(std::uint32_t iteration, std::size_t chunk);

  std::size_t workers_, chunks_;
  BufferPool& pool_;
  std::map<std::uint32_t, Iteration> iterations_;
};

}  // namespace ocs
