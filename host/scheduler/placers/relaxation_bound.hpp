// A lower bound from the prices of ports, in exact fractions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// What a solver of Relaxation's programme says a unit of load is worth: its dual prices, each at least 0.
struct PortPrices {
  std::vector<double> in, out;  ///< rows (4a), of each of Job::candidates; rows (4b), of each of Job::workers
  double all_in = 0;            ///< row (6)
};

/// For any prices that are not all 0, the least weighted mean of all port loads over 0 <= x <= y <= 1, (1) and (2) is
/// at most T. Prices are rounded to whole numbers, and the mean is computed from them as a fraction, so the result is a
/// lower bound however inexact they are; it is the programme's optimum, rounded down, if they are the optimal ones.
///
/// @param job one that check_job() lets pass. @returns ticks; 0 if all prices are 0.
/// @throws Error (internal) if the numbers of prices and ports differ.
Ticks bound_by_prices(const Job& job, const PortPrices& prices);

}  // namespace ocs
