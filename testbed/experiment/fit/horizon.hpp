// How long a run may take in simulated time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "host/core/wide.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/experiment/fit/fit.hpp"

namespace ocs {

/// No instant of a run lies beyond it, so that the sum of two fits 64 bits.
inline constexpr Wide horizon_ps = Wide{1} << 62;
inline constexpr std::string_view within_horizon = "within 2^62 ps (53 days) of simulated time";

/// @param iteration_ps what no iteration takes longer than. @throws Error (input) where job.iterations of them, and the
/// planning that is replayed, could reach the horizon
void check_horizon(const Point& point, Wide iteration_ps, const Origins& origins);

}  // namespace ocs
