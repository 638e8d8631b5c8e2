// A job with servers, and its nodes, for an engine that may have other jobs beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "testbed/coordinator/job.hpp"
#include "testbed/coordinator/runners/job_nodes.hpp"
#include "testbed/engine/engine.hpp"

namespace ocs {

/// Call it when the job arrives. Its nodes are there as long as the job is held.
/// @param result what the job comes to, once it is over, but for the memory of this process; outlives the job.
/// @throws Error as run_job()
std::shared_ptr<RunningJob> job_on_nodes(JobSpec spec, NodePlaces places, const Engine& engine, JobActions& actions,
                                         JobResult& result);

}  // namespace ocs
