// One of several jobs while it runs, and what it came to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <variant>

#include "testbed/collectives/collective_job.hpp"
#include "testbed/coordinator/job_on_nodes.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/peers/peer_job.hpp"
#include "testbed/results/rows/job_entry.hpp"

namespace ocs {

/// Everything that a job refers to as long as an engine runs it.
class JobAtWork {
 public:
  /// @param alone the job as the only one of its point. @param arrival in whole cycles
  JobAtWork(Point alone, Picos arrival) : point_(std::move(alone)), arrival_(arrival) {}
  JobAtWork(const JobAtWork&) = delete;
  JobAtWork& operator=(const JobAtWork&) = delete;

  /// Call it when the job arrives. @throws Error
  std::shared_ptr<RunningJob> begin(const NodePlaces& places, const Engine& engine, JobActions& actions);

  /// When it is over: what its nodes and its network counted, and its line in the table of jobs.
  const JobResult& result() const;
  JobEntry entry() const;

 private:
  Point point_;
  Picos arrival_;
  std::variant<JobResult, CollectiveResult, PeerResult> result_;
};

}  // namespace ocs
