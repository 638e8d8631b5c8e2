// A parameter server's memory: the sums that pushes are being added to, or that workers still have to be given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>

#include "host/core/message.hpp"
#include "testbed/nodes/memory/buffer_pool.hpp"

namespace ocs {

/// Sums are numbered: iteration * chunks of the layout + chunk. At most `capacity` consecutive ones exist at a time,
/// from the first that hasn't been handed out to every worker that will ask for it. A buffer goes back to its pool when
/// the last worker has let go of its view, so a later sum never overwrites what is still being read.
class SumStore {
 public:
  /// Enough for workers that are two chunks apart, few enough to stay in the cache.
  static constexpr std::uint64_t capacity = 4;

  SumStore(std::size_t workers, BufferPool& pool) : workers_(workers), pool_(pool) {}

  /// True when a push to sum `number` can be added now.
  bool has_room(std::uint64_t number) const { return number < base_ + capacity; }

  struct Slot {
    float* sum;
    bool first;  ///< nothing has been added: the memory holds anything
  };
  /// Where a push is to be added. @throws Error (internal) if there is no room or the sum is complete
  Slot open(std::uint64_t number);
  /// One more push is in. @returns true if it was the last one: then the CRC of the sum has to be set.
  bool count(std::uint64_t number);
  void set_crc(std::uint64_t number, std::uint32_t crc32c);

  bool complete(std::uint64_t number) const;
  /// Nobody will ask for sums from `number` on: each is let go of when it is complete.
  void nobody_reads_from(std::uint64_t number);
  bool is_read(std::uint64_t number) const { return number < unread_; }
  struct Sum {
    Payload payload;  ///< empty if nothing was opened (digest)
    std::uint32_t crc32c;
  };
  /// A view of a complete sum, to be asked for once for each worker.
  Sum lend_sum(std::uint64_t number, std::size_t bytes);

 private:
  struct Entry {
    std::shared_ptr<std::byte[]> buffer;
    std::size_t added = 0, handed_out = 0;
    std::uint32_t crc32c = 0;
  };
  Entry& entry(std::uint64_t number);
  void let_go();

  std::size_t workers_;
  BufferPool& pool_;
  std::uint64_t base_ = 0;  ///< number of the first entry
  std::uint64_t unread_ = std::numeric_limits<std::uint64_t>::max();
  std::deque<Entry> entries_;
};

}  // namespace ocs
