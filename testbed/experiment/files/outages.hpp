// Ports that die and live again: what an experiment says, and in cycles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// "3: 2 ms - 5 ms, 7: 1 ms": port 3 has no light from 2 ms to 5 ms of the run, port 7 from 1 ms on. Empty: none.
/// @throws Error with half a sentence: "must be ...".
std::vector<PortOutage> parse_outages(std::string_view text);

/// Starts and ends, ascending by cycle and port; times are rounded up.
/// @throws Error with half a sentence, if a port isn't one of `ports`, an end doesn't come after its start, or two
/// outages of a port overlap or touch.
std::vector<Outage> outage_cycles(const std::vector<PortOutage>& outages, int ports, Picos cycle);

}  // namespace ocs
