// The arithmetic on payload: making a worker's bytes, adding them, comparing the sums, each in one pass with the CRC.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/core/ids.hpp"

namespace ocs {

/// Elements are worked on tile by tile, so that a tile is still in the first-level cache for its CRC.
inline constexpr std::size_t tile_elements = 4096;

/// What workers push: element k of a server's layout is base[(k + shift) mod period] * weight, with base in 0..255 from
/// the seed, a shift that depends on iteration and server, and weight = worker's index + 1. The period is prime, so
/// shifted or exchanged chunks are noticed. Sums of up to 256 workers stay below 2^24: exact in fp32 in any order.
class Pattern {
 public:
  static constexpr std::size_t period = 16381;

  explicit Pattern(std::uint64_t seed);

  /// Where element `first` of a server's layout in an iteration is found; good for tile_elements elements.
  const float* at(std::uint32_t iteration, Node server, std::size_t first) const;

  /// CRC-32C of the first `elements` of the base, at most period; begin(): where in the base at() points to.
  std::uint32_t crc_of_first(std::size_t elements) const;
  const float* begin() const { return base_.data(); }

  static float weight(std::size_t worker_index) { return static_cast<float>(worker_index + 1); }
  /// Of a push to a model that lives on: the same shift in every iteration, and a weight that changes its sign with it,
  /// -8 to 8. So the model is the pattern times the sum of the weights, which stays small: exact in fp32.
  static std::int32_t push_weight(std::size_t worker_index, std::uint32_t iteration) {
    const auto size = static_cast<std::int32_t>(worker_index % 8) + 1;
    return iteration % 2 == 0 ? size : -size;
  }
  /// Sums of weights up to this are exact: 255 times it is below 2^24.
  static constexpr std::int32_t largest_sum = 65793;
  static float weight_of_all(std::size_t workers) {
    const std::size_t sum = workers * (workers + 1) / 2;
    return static_cast<float>(sum);
  }

 private:
  static constexpr std::size_t crc_step = 128;  // a call costs more than the bytes of one element

  std::uint64_t seed_;
  std::vector<float> base_;          ///< period + tile_elements: a tile never wraps
  std::vector<std::uint32_t> crcs_;  ///< of the first 0, crc_step, 2 crc_step, ... elements
};

/// Elements [first, first + size) of a server's layout in an iteration.
struct PatternSlice {
  const Pattern& pattern;
  std::uint32_t iteration;
  Node server;
  std::size_t first;
};

/// Writes the slice times `weight`; returns the CRC-32C of the bytes.
std::uint32_t make_payload(const PatternSlice& slice, float weight, std::span<float> out);
/// The CRC-32C of so many elements of the slice, by arithmetic: none of them is made.
std::uint32_t pattern_crc(const PatternSlice& slice, std::size_t elements);
/// sum += in (sum = in, if first); returns the CRC-32C of `in`: fp32 at any address, as ZeroMQ's
/// receive buffers have it.
std::uint32_t add_payload(std::span<const std::byte> in, float* sum, bool first);

struct Checked {
  std::uint32_t crc32c;
  std::size_t differences;  ///< elements that aren't slice * weight
};
Checked check_payload(const PatternSlice& slice, float weight, std::span<const std::byte> in);

/// CRC-32C (Castagnoli, RFC 3720) of bytes.
std::uint32_t crc32c(std::span<const std::byte> bytes);

}  // namespace ocs
