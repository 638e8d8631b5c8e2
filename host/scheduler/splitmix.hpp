// The random numbers of schedulers and placers: small, and the same everywhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ocs {

/// The next number of the sequence with `state`. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014.
inline std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace ocs
