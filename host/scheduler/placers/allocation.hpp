// Allocations: how the parameters of a model are cut into the blocks that servers hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// One way to cut.
/// @param elements of each tensor, > 0. @param servers 1 to 65536. @param bytes_per_element > 0.
/// @returns blocks in the order of the tensors, then of their parts. @throws Error (input) as mxnet_blocks().
struct Allocation {
  std::string_view name, summary;
  std::vector<Block> (*cut)(const std::vector<std::int64_t>& elements, std::size_t servers,
                            std::int64_t bytes_per_element);
};

/// What a chunk has in bytes: the partition size of BytePS.
inline constexpr std::int64_t chunk_bytes = 4'096'000;

/// mxnet: the block rule (mxnet_blocks.hpp). whole: one block a tensor. equal: every tensor in as many parts as there
/// are servers, alike but for one element, empty ones left out. chunks: every tensor in parts of `chunk_bytes`, the
/// last one shorter (Jiang et al., "A unified architecture for accelerating distributed DNN training", OSDI 2020).
std::span<const Allocation> allocations();

}  // namespace ocs
