// What holds between the keys of a synchronisation scheme and those of the job and the fabric.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/sync/catalogue.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

void check_settings(const Point& point, const SyncEntry& scheme, const Origins& origins) {
  try {
    scheme.make(static_cast<std::uint16_t>(point.job.workers), point.job.sync_settings);
  } catch (const Error& error) {
    refuse(origin_of(origins, {"sync.s", "sync.s_lo", "sync.s_up", "sync.r", "sync.p", "sync.batch", "sync.batch_min",
                               "sync.batch_max", "job.sync", "job.workers"}),
           error.what() + (" with job.sync " + in_quotes(point.job.sync)));
  }
}

/// A scheme whose transfers come one by one.
void check_eager(const Point& point, const Origins& origins) {
  const auto must = [&](bool holds, const char* key, const std::string& what, const char* right) {
    if (!holds)
      refuse(origin_of(origins, {key, "job.sync"}), std::string(key) + " is " + what + ", but must be " + right +
                                                        " with job.sync " + in_quotes(point.job.sync) +
                                                        ", whose transfers are planned as they come");
  };
  must(!point.fabric.all_stop, "fabric.all_stop", "true", "false");
  const std::string scheduler = scheduler_name(point, find(policies(), point.policy, "policy"));
  if (!plans_around_circuits(point, scheduler))
    refuse(origin_of(origins, {"scheduler", "policy", "job.sync"}),
           "policy is " + in_quotes(point.policy) + " with scheduler " + in_quotes(scheduler) + ", but with job.sync " +
               in_quotes(point.job.sync) +
               " it must be one that plans around circuits that carry data: " + arrivals_schedulers());
}

void refuse_compute(const Origins& origins, const char* key, const std::string& text, const std::string& complaint) {
  refuse(origin_of(origins, {key}),
         std::string(key) + " is " + in_quotes(text) + (complaint.starts_with("must ") ? ", but " : ": ") + complaint);
}

}  // namespace

void fit_compute(JobSettings& job, std::uint64_t seed, const Names& names, const Origins& origins) {
  ComputeModel& model = job.compute_model;
  model.seed = seed;
  model.base = job.compute;
  try {
    if (!job.published.empty()) {
      if (!names.published_time) throw Error(ErrorKind::input, "there is no table of published times here");
      model.base = names.published_time(job.workload_name, job.published);
    }
  } catch (const Error& error) {
    refuse_compute(origins, "compute.published", job.published, error.what());
  }
  try {
    if (!job.trace.empty()) {
      if (!names.load_compute_trace) throw Error(ErrorKind::input, "there are no traces here");
      model.trace = names.load_compute_trace(job.trace);
    }
  } catch (const Error& error) {
    refuse_compute(origins, "compute.trace", job.trace, error.what());
  }
  const auto workers = static_cast<std::size_t>(job.workers);
  if (!job.trace.empty() && !job.published.empty())
    refuse_compute(origins, "compute.trace", job.trace, "must be \"\" with compute.published: both say the times");
  if (!job.trace.empty() && model.trace.size() < workers)
    refuse_compute(origins, "compute.trace", job.trace,
                   "must have times of " + std::to_string(workers) + " workers; it has those of " +
                       std::to_string(model.trace.size()));
  for (const auto& [worker, factor] : model.factors)
    if (worker >= workers)
      refuse_compute(origins, "compute.factors", job.factors,
                     "must name workers below " + std::to_string(workers) + ", which is job.workers");
}

bool is_eager(const JobSettings& job) { return scheme_of(job).compute != ComputeStart::after_last_pull; }

void check_deaths(const Point& point, const Origins& origins) {
  const int nodes = point.arrivals() ? point.fabric.ports : point.node_count();
  for (const NodeDeath& death : point.job.deaths)
    if (index(death.node) >= nodes)
      refuse(origin_of(origins, {"nodes.deaths", "job.workers", "job.servers", "fabric.ports"}),
             "nodes.deaths names node " + std::to_string(index(death.node)) + ", but must name nodes below " +
                 std::to_string(nodes));
}

void check_sync(const Point& point, const Origins& origins) {
  const JobSettings& job = point.job;
  check_settings(point, scheme_of(job), origins);
  if (is_eager(job) && !point.packets) check_eager(point, origins);
  check_deaths(point, origins);
}

}  // namespace ocs
