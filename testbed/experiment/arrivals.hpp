// Coflows that come over time: the tables [[job]] of an experiment, or the lines of a trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/keys/learning_keys.hpp"
#include "testbed/jobs/work.hpp"

namespace ocs {

/// Loads what jobs name, each thing once.
struct LoadedTables {
  std::function<std::shared_ptr<const Workload>(const std::string& name)> workload;
  std::function<std::shared_ptr<const Dataset>(const std::string& folder)> dataset;
};

/// A job that is nothing but computing, a coflow of pushes and a coflow of pulls, again and again.
bool is_coflows(const JobSettings& job);

/// Fills Point::jobs from jobs_text, a TOML list of tables; what a table doesn't say is as in the point's job. Its own
/// keys: arrival (time, of the first), count (copies), every (time between two), gaps ("equal"; "drawn": each gap is
/// drawn from the seed, evenly from 0 to twice `every`, in whole ps), priority, first_node (of the first copy; each
/// further one begins where the nodes of the one before end). It may say all keys of [job], and those of compute, sync,
/// load, learning and peers by their whole names. Sets the point's own workload to all tables together.
/// @throws Error (input) that names the job and its key.
void read_jobs(Point& point, const Origins& origins, const Names& names, const LoadedTables& loaded);

/// One of the jobs as if it were the only one: its node v has the port (first_node + v) mod ports,
/// and the rate of that.
/// @param place among the jobs: each draws times of its own
Point alone_of(const Point& point, std::size_t place);

/// The same of many jobs. @param point without_jobs()
Point alone_of(const Point& point, const ArrivingJob& one, std::size_t place);
Point without_jobs(Point point);

/// A trace as a table, one row a coflow: what records hash, and how much it carries.
std::shared_ptr<const Workload> trace_as_table(const CoflowTrace& trace);

/// Checks what holds between keys when coflows come over time. @throws Error (input).
void check_arrivals(const Point& point, const Origins& origins);

/// The payload mode of the jobs or coflows that have payload; "none" if none has.
std::string arriving_payload(const Point& point);

/// Nodes take part without payload, too: they are elsewhere, or are heard late.
bool all_have_nodes(const Point& point);

/// Ports that the jobs or coflows with nodes use.
int arriving_nodes(const Point& point);

/// What arrives, by arrival, in cycles and words: each job placed by its policy.
/// @throws Error (input) when the policy can't place a job.
std::vector<Work> work_of(const Point& point);

}  // namespace ocs
