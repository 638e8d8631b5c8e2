// What rows of coflows and rows of jobs that arrive over time sum up alike.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "testbed/results/rows/row.hpp"
#include "testbed/run/circuits.hpp"

namespace ocs {

/// Nearest rank: the least that so many thousandths don't exceed. @param values at least one
template <class T>
T nearest_rank(std::vector<T> values, std::size_t thousandths) {
  std::sort(values.begin(), values.end());
  return values[(values.size() * thousandths + 999) / 1000 - 1];
}

/// @param slowdowns in the order of the jobs; none: nothing is added
inline void add_slowdowns(ArrivalResults& results, const std::vector<double>& slowdowns) {
  if (slowdowns.empty()) return;
  double all = 0;
  for (const double each : slowdowns) all += each;
  results.slowdown_mean = all / static_cast<double>(slowdowns.size());
  results.slowdown_p95 = nearest_rank(slowdowns, 950);
  results.slowdown_p99 = nearest_rank(slowdowns, 990);
}

/// Plans of all planes, and reservations that were late.
inline void add_plan_counts(ArrivalResults& results, const Circuits& circuits, std::size_t planes) {
  for (std::size_t plane = 0; plane < planes; ++plane) {
    results.plans += static_cast<std::int64_t>(circuits.stats(plane).plans.size());
    results.late += circuits.stats(plane).late;
  }
}

}  // namespace ocs
