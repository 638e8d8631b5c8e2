// Mean and confidence interval.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/print/estimate.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace ocs {

Estimate estimate_of(std::span<const double> values) {
  Estimate estimate;
  estimate.n = static_cast<int>(values.size());
  if (values.empty()) return estimate;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) estimate.mean += value / count;
  if (values.size() < 2) return estimate;
  double squares = 0;
  for (const double value : values) squares += (value - estimate.mean) * (value - estimate.mean);
  constexpr double tail = 0.025;  // on each side of 95 %
  const double t = boost::math::quantile(boost::math::complement(boost::math::students_t(count - 1), tail));
  estimate.half_width = t * std::sqrt(squares / (count - 1) / count);
  return estimate;
}

}  // namespace ocs
