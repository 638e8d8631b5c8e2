// One run of coflows that come over time: a trace, or several jobs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/run/run.hpp"

namespace ocs {

/// As run_point(), for a point with arrivals(). Everything is carried once on the device and once on paper; each coflow
/// that doesn't take the same time in both is counted.
/// @throws Error (input) when the device can't be built so; Error (run) if nothing goes on any more.
Row run_arrivals(const Point& point, const RunOptions& options);

}  // namespace ocs
