// How the circuits of a switch are kept in every run of a point.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/controller/circuit_network.hpp"
#include "host/controller/event_hash.hpp"
#include "testbed/run/run.hpp"

namespace ocs {

/// Plans are checked before they run; events go into `hash` and to the options, which both outlive the network.
CircuitConfig circuit_config(const Point& point, const RunOptions& options, EventHash& hash);

}  // namespace ocs
