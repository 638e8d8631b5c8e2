// The run of a point over the packet network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/run/run.hpp"

namespace ocs {

/// As run_point(), which calls it. There is no device, no event and no event log.
Row run_packets(const Point& point, const RunOptions& options);

}  // namespace ocs
