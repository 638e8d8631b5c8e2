// A planned job as JSON and as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/experiment/plan.hpp"
#include "testbed/plans/plan_json.hpp"

namespace ocs {

/// One entry of "plans" (docs/plans.md).
Json plan_json(const Point& point, const PlannedJob& planned);

/// To standard output.
void print_plan(const Point& point, const PlannedJob& planned);

}  // namespace ocs
