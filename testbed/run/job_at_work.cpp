// Makes a job of its kind, and reads its result.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/job_at_work.hpp"

#include <utility>

#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/keys/key_kinds.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/run/job_row.hpp"
#include "testbed/run/run_collective.hpp"
#include "testbed/run/run_peers.hpp"

namespace ocs {
namespace {

/// What a row of the job alone would say, with times from its arrival on.
void add_times(JobEntry& entry, const Row& row, Picos arrival) {
  if (!row.eager && row.pst_max.n > 0)
    entry.pst_mean = row.pst_mean, entry.pst_min = row.pst_min, entry.pst_max = row.pst_max;
  if (row.schemes) {
    const SchemeResults& scheme = *row.schemes;
    entry.updates = scheme.updates;
    if (scheme.steps > 0) {
      const bool several = scheme.iteration_mean.n > 0;
      const Picos whole = entry.end - arrival;
      entry.iteration_mean = several ? scheme.iteration_mean : whole;
      entry.iteration_p99 = several ? scheme.iteration_p99 : whole;
      entry.iteration_max = several ? scheme.iteration_max : whole;
    }
    if (scheme.waits > 0) {
      entry.blocked_mean = scheme.blocked_mean;
      entry.blocked_p99 = scheme.blocked_p99;
      entry.blocked_max = scheme.blocked_max;
    }
  }
  if (!row.learning) return;
  const LearningResults& learned = *row.learning;
  entry.accuracy = learned.accuracy;
  entry.loss = learned.loss;
  if (learned.to_target) entry.to_target = *learned.to_target - arrival;
  entry.curve = learned.curve;
  for (CurveEntry& point : entry.curve)
    if (point.updates > 0) point.at -= arrival;
}

std::string scheme_name(const JobSettings& job) {
  if (job.peers != "none") return job.peers;
  return job.collective != "none" ? collective_text(job) : job.sync;
}

}  // namespace

std::shared_ptr<RunningJob> JobAtWork::begin(const NodePlaces& places, const Engine& engine, JobActions& actions) {
  const auto from_arrival = [&](Picos duration) { return duration == never<Picos> ? duration : arrival_ + duration; };
  switch (kind_of(point_.job)) {
    case JobKind::collective: {
      CollectiveSpec spec = collective_spec(point_);
      spec.duration = from_arrival(spec.duration);
      return collective_on_nodes(std::move(spec), places, engine, actions, result_.emplace<CollectiveResult>());
    }
    case JobKind::peers: {
      PeerSpec spec = peer_spec(point_, longest_set_up(point_));
      spec.duration = from_arrival(spec.duration);
      return peers_on_nodes(std::move(spec), places, engine, actions, result_.emplace<PeerResult>());
    }
    default:
      JobSpec spec = job_spec(point_, prepare(point_));
      spec.duration = from_arrival(spec.duration);
      return job_on_nodes(std::move(spec), places, engine, actions, result_.emplace<JobResult>());
  }
}

const JobResult& JobAtWork::result() const {
  if (const auto* collective = std::get_if<CollectiveResult>(&result_)) return collective->job;
  if (const auto* peers = std::get_if<PeerResult>(&result_)) return peers->job;
  return std::get<JobResult>(result_);
}

JobEntry JobAtWork::entry() const {
  const JobSettings& job = point_.job;
  const JobResult& result = this->result();
  JobEntry entry;
  entry.kind = std::ranges::find(job_kinds(), kind_of(job), &JobKindEntry::kind)->name;
  entry.workload = job.workload_name;
  entry.scheme = scheme_name(job);
  entry.workers = job.workers;
  entry.nodes = point_.node_count();
  entry.iterations = job.iterations;
  entry.arrival = arrival_;
  entry.end = result.end;
  entry.bytes_delivered = result.bytes_delivered;
  entry.crc_errors = result.crc_errors;
  entry.sum_errors = result.sum_errors;
  entry.retransmissions = result.retransmissions;
  entry.words_retransmitted = result.words_retransmitted;
  Row row;
  add_job(row, result, job);
  if (const auto* collective = std::get_if<CollectiveResult>(&result_))
    add_iterations(row, point_, *collective, arrival_);
  add_times(entry, row, arrival_);
  return entry;
}

}  // namespace ocs
