// Joins and cuts in one pass.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/model/slicing.hpp"

#include <algorithm>

namespace ocs {
namespace {

/// Parts of one piece, all of `part` words but the last one.
void cut(std::size_t piece, Bytes size, Words part, std::int64_t word_bytes, std::vector<SlicedPieces>& append) {
  for (Words left = to_words(size, word_bytes); left.n > 0; left -= std::min(left, part)) {
    const Words words = std::min(left, part);
    const Bytes bytes{std::min(words.n * word_bytes, size.n)};
    append.push_back({piece, piece, words, bytes});
    size -= bytes;
  }
}

}  // namespace

std::vector<SlicedPieces> slices_of(std::span<const Bytes> pieces, const SliceRule& rule, std::int64_t word_bytes) {
  const bool all = rule.fusion.n == 0 && rule.slice.n == 0;
  std::vector<SlicedPieces> slices;
  bool open = false;  // the last slice may still grow
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (rule.slice.n > 0 && pieces[k] > rule.slice) {
      cut(k, pieces[k], Words{std::max<std::int64_t>(1, rule.slice.n / word_bytes)}, word_bytes, slices);
      open = false;
      continue;
    }
    if (!open || (!all && slices.back().bytes + pieces[k] > rule.fusion)) slices.push_back({k, k, {}, {}});
    open = true;
    slices.back().last = k;
    slices.back().words += to_words(pieces[k], word_bytes);
    slices.back().bytes += pieces[k];
  }
  return slices;
}

}  // namespace ocs
