// Compiled without contraction, as all of this room.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/learning/vectors.hpp"

#include <cstring>

namespace ocs {

void add(std::span<float> sum, std::span<const float> more) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

void subtract(std::span<float> value, float scale, std::span<const float> direction) {
  for (std::size_t i = 0; i < value.size(); ++i) value[i] -= scale * direction[i];
}

void subtract(std::span<float> value, float scale, std::span<const std::byte> direction) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    float one = 0;
    std::memcpy(&one, direction.data() + i * sizeof one, sizeof one);
    value[i] -= scale * one;
  }
}

}  // namespace ocs
