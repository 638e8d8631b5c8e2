// What exact placers and schedulers give up on, found before a device is asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// Places and plans rows of exact placers and schedulers, which give up on what is too large for them: jobs with
/// servers are planned, collectives and peers run on paper. @throws Error (input) that names the row.
void check_exact(const Experiment& experiment);

}  // namespace ocs
