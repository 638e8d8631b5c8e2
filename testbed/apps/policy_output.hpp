// What every policy plans for a collective, as JSON and as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/experiment/experiment.hpp"
#include "testbed/plans/plan_json.hpp"

namespace ocs {

/// One entry of "plans" (docs/plans.md): legs, candidates, and the moves, cycles and tunings of each policy for one
/// iteration from a dark switch; or steps, and what each rule of planes does with them.
Json policies_json(const Point& point);

/// Prints what each policy plans to standard output.
void print_policies(const Point& point);

}  // namespace ocs
