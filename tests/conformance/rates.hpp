// Programs about bursts below the full rate.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// Bursts below the full rate, of each input: routed, lost at an output that locks, unrouted; counted while they are sent,
/// at a rate that changes, and at their end.
std::vector<Op> slow_bursts(int ports);

/// Bursts below the full rate, of each input to each output, while circuits, light and other bursts come and go.
std::vector<Op> slow_changes(int ports);

/// Bursts at rates of which each has one bit: what is counted and cut around the cycle of their first word.
std::vector<Op> slow_boundaries(int ports);

/// Bursts of each input that end at rates of which each has one bit, where the bound of their end is exact, and at low ones;
/// after a rest of a word with each bit as 0 and as 1, and after waits for light.
std::vector<Op> exact_ends(int ports);

/// Bursts whose rate rises or falls by far while they are sent, of each input: with repeats, with gaps, while they wait.
std::vector<Op> changed_rates(int ports);

}  // namespace ocs::conformance
