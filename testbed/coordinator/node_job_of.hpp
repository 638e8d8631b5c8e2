// From a job's specification to what its nodes know: checks it and lays out each server's memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "testbed/coordinator/job.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// Each shard takes whole words in its server's layout, in the order of the placement. Servers without a shard don't
/// take part.
/// @throws Error (input) that names what contradicts what
NodeJob node_job_of(const JobSpec& spec);

/// Bytes of a chunk where so many pairs of nodes send payload to one another.
std::int64_t chunk_bytes(std::size_t pairs);

}  // namespace ocs
