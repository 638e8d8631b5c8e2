// The run of a point with peers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/peers/peer_job.hpp"
#include "testbed/run/run.hpp"

namespace ocs {

/// @param point outlives the specification. @param set_up of a circuit, at most
PeerSpec peer_spec(const Point& point, Cycles set_up);

/// As run_point(), which calls it. @throws Error
Row run_peer_point(const Point& point, const RunOptions& options);

}  // namespace ocs
