// What one transfer carries: small neighbouring pieces of a model together, large ones in parts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// docs/transfers.md states the rule. Both 0: all pieces are one slice.
struct SliceRule {
  Bytes fusion;  ///< pieces are joined up to so many bytes; 0: none are
  Bytes slice;   ///< pieces of more bytes are cut; 0: none are
  friend bool operator==(const SliceRule&, const SliceRule&) = default;
};

/// Pieces [first, last] of a list, or a part of one of them.
struct SlicedPieces {
  std::size_t first, last;
  Words words;  ///< each piece padded to whole words
  Bytes bytes;  ///< without padding
  friend bool operator==(const SlicedPieces&, const SlicedPieces&) = default;
};

/// @param pieces bytes of each, 1 or more, in order. @param word_bytes 1 or more.
/// @returns slices in the order of the pieces, which they cover: each word once
std::vector<SlicedPieces> slices_of(std::span<const Bytes> pieces, const SliceRule& rule, std::int64_t word_bytes);

}  // namespace ocs
