// What several runs with other seeds say together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace ocs {

struct Estimate {
  double mean = 0;
  std::optional<double> half_width;  ///< of the 95 % confidence interval of the mean; none below two values
  int n = 0;
};

/// Student's t with n - 1 degrees of freedom: values are taken as independent and normal.
Estimate estimate_of(std::span<const double> values);

}  // namespace ocs
