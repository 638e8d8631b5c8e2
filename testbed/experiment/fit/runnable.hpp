// What a run would refuse, found without a device: so that `check` refuses it, and `run` before its first row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/experiment/fit/fit.hpp"

namespace ocs {

/// Whether the device can carry plans out as the point asks, and its scheduler can plan for such a switch. Costs
/// nothing. @throws Error (input).
void check_runnable(const Point& point, const Origins& origins);

}  // namespace ocs
