// The run of a point whose planes each run the collective's list on their own share of the words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/run/run.hpp"

namespace ocs {

/// As run_point(). @pre runs_copies() @throws Error
Row run_copies(const Point& point, const RunOptions& options);

}  // namespace ocs
