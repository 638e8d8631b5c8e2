// Mirrors that are stuck, slow or unsteady for a while: what an experiment says, and in cycles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// "3: stuck 2 us - 9 us, 5: slow(700 ns) 4 us - 60 us, 1: flap(500 ns) 4 us": the mirror of output 3 can't be tuned
/// from 2 us to 9 us of the run; that of output 5 takes 700 ns more; output 1 loses its light after each 500 ns, and
/// locks again, from 4 us on. "2: kept 2 us - 9 us" is as stuck, but its mirror goes on to show the input at which it
/// stands. Empty: none.
/// @throws Error with half a sentence: "must be ...".
std::vector<TimedMirrorFault> parse_mirror_faults(std::string_view text);

/// Starts and ends, ascending by cycle, output and fault; times are rounded up.
/// @throws Error with half a sentence, if an output isn't one of `ports`, an end doesn't come after its start, an amount
/// is no cycle or doesn't fit the switch, or two faults of a kind of an output overlap or touch; stuck and kept are of one.
std::vector<MirrorChange> mirror_changes(const std::vector<TimedMirrorFault>& faults, int ports, Picos cycle);

}  // namespace ocs
