// From a job's specification to what its nodes know: checks it and lays out each server's memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/coordinator/job.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// Each shard takes whole words in its server's layout, in the order of the placement. Servers without a shard don't
/// take part.
/// @throws Error (input) that names what contradicts what
NodeJob node_job_of(const JobSpec& spec);

}  // namespace ocs
