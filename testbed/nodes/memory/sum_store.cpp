// A parameter server's memory.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/memory/sum_store.hpp"

#include <string>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {

SumStore::Entry& SumStore::entry(std::uint64_t number) {
  if (number < base_ || !has_room(number))
    throw Error(ErrorKind::internal, "sum " + std::to_string(number) + " isn't one of the " + std::to_string(capacity) +
                                         " from " + std::to_string(base_) + " that a server holds");
  if (number - base_ >= entries_.size()) entries_.resize(static_cast<std::size_t>(number - base_) + 1);
  return entries_[static_cast<std::size_t>(number - base_)];
}

SumStore::Slot SumStore::open(std::uint64_t number) {
  Entry& found = entry(number);
  if (found.added == workers_)
    throw Error(ErrorKind::internal, "sum " + std::to_string(number) + " has a push of each worker already");
  if (!found.buffer) found.buffer = pool_.take();
  return {reinterpret_cast<float*>(found.buffer.get()), found.added == 0};
}

bool SumStore::count(std::uint64_t number) { return ++entry(number).added == workers_; }

void SumStore::set_crc(std::uint64_t number, std::uint32_t crc32c) {
  entry(number).crc32c = crc32c;
  let_go();
}

void SumStore::nobody_reads_from(std::uint64_t number) {
  unread_ = number;
  let_go();
}

/// Frees the first sums that nobody needs any more.
void SumStore::let_go() {
  while (!entries_.empty() && entries_.front().added == workers_ &&
         (entries_.front().handed_out == workers_ || !is_read(base_))) {
    entries_.pop_front();
    ++base_;
  }
}

bool SumStore::complete(std::uint64_t number) const {
  return number >= base_ && number - base_ < entries_.size() &&
         entries_[static_cast<std::size_t>(number - base_)].added == workers_;
}

SumStore::Sum SumStore::lend_sum(std::uint64_t number, std::size_t bytes) {
  Entry& found = entry(number);
  Sum sum{{}, found.crc32c};
  if (found.buffer) sum.payload = {found.buffer, bytes};
  ++found.handed_out;
  let_go();
  return sum;
}

}  // namespace ocs
