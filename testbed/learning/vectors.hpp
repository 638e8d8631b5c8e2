// The few sums on whole vectors of parameters, each element by itself and rounded the same everywhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ocs {

/// sum += more. Equal sizes.
void add(std::span<float> sum, std::span<const float> more);
/// value -= scale * direction. Equal sizes.
void subtract(std::span<float> value, float scale, std::span<const float> direction);
/// The same of fp32 at any address. @param direction 4 bytes an element
void subtract(std::span<float> value, float scale, std::span<const std::byte> direction);

}  // namespace ocs
