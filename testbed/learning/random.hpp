// Draws that are the same on every machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ocs {

/// SplitMix64 (Steele, Lea, Flood 2014).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  /// Draws from a seed and from numbers that separate these draws from others with the same seed.
  Draws(std::uint64_t seed, std::initializer_list<std::uint64_t> numbers) : state_(seed) {
    for (const std::uint64_t number : numbers) state_ = next() ^ number;
  }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// 0 to n - 1; n > 0.
  std::uint64_t below(std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(Wide{next()} * n >> 64);
  }
  /// Mean 0, variance 1, -6 to 6: the sum of twelve equal draws, which needs no function that differs by machine.
  double normal() {
    std::uint64_t sum = 0;  // of twelve whole numbers below 2^32
    for (int k = 0; k < 6; ++k) {
      const std::uint64_t two = next();
      sum += (two >> 32) + (two & 0xffffffff);
    }
    return static_cast<double>(sum) / 4294967296.0 - 6.0;
  }

 private:
  std::uint64_t state_;
};

/// Into any order, each as likely (Fisher and Yates).
inline void shuffle(std::vector<std::uint32_t>& list, Draws& draws) {
  for (std::size_t left = list.size(); left > 1; --left) std::swap(list[left - 1], list[draws.below(left)]);
}

}  // namespace ocs
