// The one checker that every placement passes, from any source.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/error.hpp"
#include "host/core/policy.hpp"

namespace ocs {

/// Checks that a placement holds each parameter of the job once: as many servers as Job::servers, ascending, all of
/// them candidates; the shards of each block on these servers, one behind the other, cut between parameters of 4 bytes,
/// and together as long as the block.
/// @param kind what a broken rule means to the caller: `internal` for placements of ours, `input` for other people's.
/// @throws BrokenRule (placement) that names the block and the bytes, or the node.
void check_placement(const Job& job, const Placement& placement, ErrorKind kind);

}  // namespace ocs
