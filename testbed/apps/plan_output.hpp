// A planned job, or a job on paper, as JSON and as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/experiment/plan.hpp"
#include "testbed/plans/plan_json.hpp"
#include "testbed/run/paper.hpp"

namespace ocs {

/// One entry of "plans" (docs/plans.md).
Json plan_json(const Point& point, const PlannedJob& planned);

/// Prints a plan to standard output.
void print_plan(const Point& point, const PlannedJob& planned);

/// What the circuits of a job without phases do in one iteration.
Json paper_json(const Point& paper, const PaperRun& run);
void print_paper(const Point& paper, const PaperRun& run);

}  // namespace ocs
