// Order statistics and a histogram of times, in whole picoseconds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "host/core/units.hpp"

namespace ocs::characterize {

/// Nearest rank: the p-th percentile of n values is number ceil(p * n / 100) of them in order, counted from 1.
struct Statistics {
  std::size_t count = 0;
  Picos min, median, p99, max;
};

/// @param times at least one, in any order.
Statistics statistics(std::vector<Picos> times);

struct Bin {
  Picos from, to;  ///< [from, to); of the last bin [from, to]
  std::size_t count = 0;
};

/// Makes at most `bins` bins of equal width from the least to the largest; one bin if all are equal.
std::vector<Bin> histogram(const std::vector<Picos>& times, std::size_t bins);

}  // namespace ocs::characterize
