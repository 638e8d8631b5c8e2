// How much memory a run will take, roughly, before it is started.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/units.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// Within a factor of about two of what the row will measure as `peak_rss_bytes`. Kept event logs are not in it.
Bytes expected_memory(const Point& point);

}  // namespace ocs
