// Mirrors that shake those beside them: what an experiment says, and in cycles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "host/core/delays.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// "disturb at 1, 8 for 2 us": for 2 us after a mirror begins to move, outputs whose numbers differ from its own by 1 or
/// 8 lose their words. "park for 500 us": a mirror is parked before it moves, which takes so much longer, and nobody is
/// disturbed. Empty: nobody is disturbed.
/// @throws Error with half a sentence: "must be ...", also for distances that don't rise from 1 to 32, and for no time.
NeighbourTimes parse_neighbours(std::string_view text);

/// What parse_neighbours() reads.
std::string to_text(const NeighbourTimes& times);

/// Whom a mirror disturbs on a switch of so many ports: the time is rounded up, and distances that no two of its outputs
/// have are left out. @throws Error with half a sentence, if the time doesn't fit the switch: 2^30 - 1 cycles.
Neighbours neighbours_in_cycles(const NeighbourTimes& times, int ports, Picos cycle);

}  // namespace ocs
