// Four cuts.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/allocation.hpp"

#include <algorithm>

#include "host/scheduler/placers/mxnet_blocks.hpp"

namespace ocs {
namespace {

using Elements = std::vector<std::int64_t>;

/// Cuts every tensor at multiples of what `part` makes of its elements. Refuses what the block rule refuses.
template <class Part>
std::vector<Block> cut_by(const Elements& elements, std::size_t servers, std::int64_t bytes, const Part& part) {
  mxnet_blocks(elements, servers, bytes);
  std::vector<Block> blocks;
  for (std::uint32_t tensor = 0; tensor < elements.size(); ++tensor)
    for (std::int64_t done = 0, size = 0; done < elements[tensor]; done += size) {
      size = std::min(part(elements[tensor], done), elements[tensor] - done);
      blocks.push_back({{size * bytes}, tensor});
    }
  return blocks;
}

std::vector<Block> whole(const Elements& elements, std::size_t servers, std::int64_t bytes) {
  return cut_by(elements, servers, bytes, [](std::int64_t all, std::int64_t) { return all; });
}

/// The first e mod M parts have one element more than the others.
std::vector<Block> equal(const Elements& elements, std::size_t servers, std::int64_t bytes) {
  const auto m = static_cast<std::int64_t>(servers);
  return cut_by(elements, servers, bytes, [m](std::int64_t all, std::int64_t done) {
    return all / m + (done < (all / m + 1) * (all % m) ? 1 : 0);
  });
}

std::vector<Block> chunks(const Elements& elements, std::size_t servers, std::int64_t bytes) {
  return cut_by(elements, servers, bytes,
                [bytes](std::int64_t, std::int64_t) { return std::max<std::int64_t>(1, chunk_bytes / bytes); });
}

constexpr Allocation allocation_list[] = {
    {"mxnet", "MXNet's rule: tensors below 10^6 elements whole, others one part a server", mxnet_blocks},
    {"whole", "one block a tensor", whole},
    {"equal", "every tensor in equal parts, one a server", equal},
    {"chunks", "every tensor in chunks of 4096000 bytes", chunks},
};

}  // namespace

std::span<const Allocation> allocations() { return allocation_list; }

}  // namespace ocs
