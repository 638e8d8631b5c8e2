// The gate that every plan made elsewhere goes through before anything of it is used.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// The plan with a bound of our own, the port bound; 0 where that isn't defined (multicast, several planes, flows that
/// are released later).
/// @param latest no reservation ends after it.
/// @throws BrokenRule (input) for a rule of check_plan(); its sentence doesn't say whose plan it is.
Plan checked_plan(const Problem& problem, std::vector<Reservation> list, Ticks latest);

}  // namespace ocs
