// What a placement of parameter servers makes the switch carry, and how long that takes at least.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// Throws Error (input), one sentence, unless the job can be placed: at least one worker, 1 to |candidates| servers, no
/// more servers than blocks, no node named twice or without a rate, positive sizes and rates, and no port busy for more
/// than 2^62 ticks wherever the servers are.
/// @param who the placer's name, for the sentence.
void check_job(const Job& job, std::string_view who);

/// ceil(8e12 * size / (bps * tick)): what `size` bytes take on an established circuit, in ticks of `tick` picoseconds.
/// @param size >= 0. @param bps, tick > 0. @throws Error (input) if the result needs more than 63 bits.
Ticks transfer_ticks(Bytes size, std::int64_t bps, Picos tick);

/// The reconfiguration delay in the job's ticks, rounded up.
Ticks delta_ticks(const Job& job);

/// The pushes of one iteration: every worker sends every server but itself all that the server holds, at the lower of
/// their two rates. Ascending (worker, server), numbered from 0, one coflow, released at 0.
std::vector<Flow> push_flows(const Job& job, const Placement& placement);

/// The pulls: the mirror image, from each server to each other worker, ascending (server, worker).
std::vector<Flow> pull_flows(const Job& job, const Placement& placement);

/// T of a placement: the port bound of its pushes (and of its pulls) on a switch without
/// established circuits, in the job's ticks.
Ticks placement_bound(const Job& job, const Placement& placement);

}  // namespace ocs
