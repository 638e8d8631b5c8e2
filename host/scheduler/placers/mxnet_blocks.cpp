// The block rule in exact integers.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/mxnet_blocks.hpp"

#include <limits>
#include <string>
#include <unordered_map>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr std::int64_t big_tensor = 1'000'000;  // elements
constexpr std::uint64_t hash_factor = 9973;
constexpr std::int64_t most_servers = 65536;

}  // namespace

std::vector<Block> mxnet_blocks(const std::vector<std::int64_t>& elements, std::size_t servers,
                                std::int64_t bytes_per_element) {
  if (servers < 1 || servers > most_servers)
    throw Error(ErrorKind::input, "the block rule needs 1 to 65536 servers, not " + std::to_string(servers));
  if (bytes_per_element < 1)
    throw Error(ErrorKind::input,
                "an element has " + std::to_string(bytes_per_element) + " bytes; at least 1 is right");
  const auto m = static_cast<std::int64_t>(servers);
  const std::int64_t limit = std::numeric_limits<std::int64_t>::max() / bytes_per_element / (2 * m + 1);
  std::vector<Block> blocks;
  for (std::uint32_t key = 0; key < elements.size(); ++key) {
    const std::int64_t e = elements[key];
    if (e < 1 || e > limit)
      throw Error(ErrorKind::input, "tensor " + std::to_string(key) + " has " + std::to_string(e) +
                                        " elements; it must have 1 to " + std::to_string(limit));
    if (e < big_tensor) {
      blocks.push_back({{e * bytes_per_element}, key});
      continue;
    }
    const auto bound = [&](std::int64_t i) { return (2 * e * i + m) / (2 * m); };
    for (std::int64_t i = 0; i < m; ++i) blocks.push_back({{(bound(i + 1) - bound(i)) * bytes_per_element}, key});
  }
  return blocks;
}

std::vector<std::size_t> mxnet_servers(const std::vector<Block>& blocks, std::size_t servers) {
  struct Tensor {
    std::size_t blocks = 0, seen = 0;
  };
  std::unordered_map<std::uint32_t, Tensor> tensors;
  for (const Block& block : blocks) ++tensors[block.tensor].blocks;
  std::vector<std::size_t> server;
  server.reserve(blocks.size());
  for (const Block& block : blocks) {
    Tensor& tensor = tensors[block.tensor];
    if (tensor.blocks != 1 && tensor.blocks != servers)
      throw Error(ErrorKind::input, "the block rule places tensors of 1 or " + std::to_string(servers) +
                                        " blocks; tensor " + std::to_string(block.tensor) + " has " +
                                        std::to_string(tensor.blocks));
    server.push_back(tensor.blocks == 1 ? block.tensor * hash_factor % servers : tensor.seen++);
  }
  return server;
}

}  // namespace ocs
