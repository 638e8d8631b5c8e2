// Arrays of bytes in the IDX format of the MNIST family, packed with gzip.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ocs {

struct IdxArray {
  std::vector<std::uint32_t> shape;  ///< 1 to 4 dimensions, each at least 1
  std::vector<std::uint8_t> values;  ///< their product; the last dimension varies fastest
};

/// What an array may hold at most.
inline constexpr std::size_t max_idx_values = std::size_t{1} << 28;

/// Reads one gzip member that holds a big-endian header (0, 0, 8 for unsigned bytes, dimensions, their sizes) and as
/// many bytes as that says. Unpacks no more than it needs, whatever the input would unpack to.
/// @param origin the file's name, for messages
/// @throws Error (input) that begins with it: no gzip, damaged, cut short, something behind it; no IDX of bytes, more
///         than max_idx_values, or another number of bytes than its header says
IdxArray read_idx(std::span<const std::byte> gzip, const std::string& origin);

}  // namespace ocs
