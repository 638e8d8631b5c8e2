// MXNet's rule: small tensors go whole to a server chosen by a hash of their key, large ones are cut for all servers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// Tensor number `key` of e elements: below 10^6 elements one block; else `servers` blocks, of which block i holds the
/// elements [r(i), r(i+1)) with r(i) = floor((2 e i + M) / (2 M)), M = servers. Ascending tensors, then parts.
/// Source: Apache MXNet, src/kvstore/kvstore_dist.h (EncodeDefaultKey, MXNET_KVSTORE_BIGARRAY_BOUND).
/// @param elements of each tensor, > 0. @param servers 1 to 65536. @param bytes_per_element > 0.
/// @throws Error (input) for values out of range, or sizes beyond 64 bits.
std::vector<Block> mxnet_blocks(const std::vector<std::int64_t>& elements, std::size_t servers,
                                std::int64_t bytes_per_element);

/// The server, 0 .. servers-1, of each block: a tensor in one block goes to tensor * 9973 mod servers, block i of a
/// tensor in `servers` blocks to i. @throws Error (input) if a tensor has any other number of blocks.
std::vector<std::size_t> mxnet_servers(const std::vector<Block>& blocks, std::size_t servers);

}  // namespace ocs
