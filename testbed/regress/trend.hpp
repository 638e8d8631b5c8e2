// How a number goes over nights, and where its level changes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ocs::regress {

/// The level is another one from this value on.
struct ChangePoint {
  std::size_t first = 0;         ///< of the new level
  double before = 0, after = 0;  ///< means of the levels around it
  double p = 1;                  ///< how often values without a change, in random order, look as changed as these
};

/// Pettitt's test (Applied Statistics 28, 1979), which asks for ranks alone, so that one outlier is no change. The
/// exceedance is counted over 999 random orders of the same values, always the same ones. Where p <= 0.01 the values
/// are split there, and both parts are tested again. At least 4 values stand on each side.
/// @return ascending.
std::vector<ChangePoint> change_points(std::span<const double> values);

}  // namespace ocs::regress
