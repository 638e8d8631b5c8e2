// A parameter server's memory.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/sum_store.hpp"

#include <utility>

namespace ocs {

SumStore::Entry& SumStore::entry(std::uint32_t iteration, std::size_t chunk) {
  Iteration& found = iterations_[iteration];
  if (found.entries.empty()) found.entries.resize(chunks_);
  return found.entries.at(chunk);
}

SumStore::Slot SumStore::open(std::uint32_t iteration, std::size_t chunk) {
  Entry& found = entry(iteration, chunk);
  if (!found.buffer) found.buffer = pool_.take();
  return {reinterpret_cast<float*>(found.buffer.get()), found.added == 0};
}

bool SumStore::count(std::uint32_t iteration, std::size_t chunk) { return ++entry(iteration, chunk).added == workers_; }

void SumStore::set_crc(std::uint32_t iteration, std::size_t chunk, std::uint32_t crc32c) {
  entry(iteration, chunk).crc32c = crc32c;
}

bool SumStore::complete(std::uint32_t iteration, std::size_t chunk) const {
  const auto found = iterations_.find(iteration);
  return found != iterations_.end() && found->second.entries.at(chunk).added == workers_;
}

SumStore::Sum SumStore::hand_out(std::uint32_t iteration, std::size_t chunk, std::size_t bytes) {
  Entry& found = entry(iteration, chunk);
  Sum sum{{}, found.crc32c};
  if (found.buffer) sum.payload = {found.buffer, bytes};
  if (++found.handed_out < workers_) return sum;
  found.buffer.reset();
  Iteration& whole = iterations_[iteration];
  if (++whole.finished == chunks_) iterations_.erase(iteration);
  return sum;
}

}  // namespace ocs
