// A distribution given by some of its quantiles: one reproducible draw for each pair of ports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "host/core/units.hpp"

namespace ocs {

/// `share` thousandths of the draws are at most `time`.
struct Quantile {
  std::int64_t share;  ///< 0 to 1000, ascending; the first is 0, the last 1000
  Picos time;          ///< never falls
};

/// Draw number `number`: by splitmix64 of seed and number, straight between neighbouring quantiles, in whole ps,
/// rounded down. The same on every machine: no floating point.
Picos draw(std::span<const Quantile> quantiles, std::uint64_t seed, std::uint64_t number);

}  // namespace ocs
