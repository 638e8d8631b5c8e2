// From a point to the job that runs it, and from the job's result to a row; the same over every network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "testbed/coordinator/job.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/results/rows/row.hpp"
#include "testbed/run/node_time.hpp"
#include "testbed/run/run.hpp"

namespace ocs {

/// As prepare(). @param profile knows how long that takes; may be nullptr
PreparedJob placed(const Point& point, Profile* profile);

/// @param point outlives the specification
JobSpec job_spec(const Point& point, const PreparedJob& prepared);

/// Runs the job on the runner that the options have for the point; in threads if they have none.
JobResult run_prepared(const Point& point, const PreparedJob& prepared, Network& network, const RunOptions& options,
                       const JobHooks& hooks = {});

/// Adds what the job came to.
void add_job(Row& row, const JobResult& result, const JobSettings& job);

/// Adds what planning was charged, plan by plan; none: nothing is charged.
void add_charges(Row& row, const std::vector<Cycles>& charges);

/// Adds means over the workers, rounded down but for the last one, so that they add up as well. The
/// row has its sim_time. @param workers of the job; one that died before it began has waited all the time
void add_node_time(Row& row, NodeTime& time, std::size_t workers);

}  // namespace ocs
