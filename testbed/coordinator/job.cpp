// Runs one training job with a runner of nodes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/job.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "testbed/coordinator/job_on_nodes.hpp"
#include "testbed/coordinator/node_job_of.hpp"
#include "testbed/coordinator/runners/job_nodes.hpp"
#include "testbed/coordinator/servers/server_job.hpp"
#include "testbed/engine/engine.hpp"
#include "testbed/nodes/process/memory_use.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs {
namespace {

std::vector<Node> nodes_of(const NodeJob& job) {
  std::vector<Node> nodes = job.workers;
  for (const Served& server : job.servers)
    if (job.worker_index(server.node) < 0) nodes.push_back(server.node);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// All that a job needs, as long as it runs.
class ServerJobOnNodes {
 public:
  ServerJobOnNodes(JobSpec given, NodePlaces places, const Engine& engine, JobActions& actions, JobResult& result)
      : spec_(std::move(given)), job_(node_job(spec_)), result_(result) {
    const SyncEntry& sync = scheme_of(spec_);
    const GateRules rules{sync,
                          spec_.sync_settings,
                          spec_.compute_of ? spec_.compute_of : [time = spec_.compute](auto, auto) { return time; },
                          spec_.duration,
                          spec_.compute_fixed,
                          spec_.overlap.by_layer,
                          places.hooks.grant};
    if (spec_.load) key_map_.emplace(job_, *spec_.load);
    const auto moment = places.hooks.moment;
    nodes_.emplace(job_, nodes_of(job_), std::move(places), spec_.timeout, engine);
    running_.emplace(job_, rules, spec_.deaths, nodes_->talk(), actions, moment, key_map_ ? &*key_map_ : nullptr,
                     result_);
  }
  ~ServerJobOnNodes() { result_.payload_buffers += nodes_->buffers(); }
  ServerJobOnNodes(const ServerJobOnNodes&) = delete;
  ServerJobOnNodes& operator=(const ServerJobOnNodes&) = delete;

  RunningJob* running() { return &*running_; }

 private:
  static NodeJob node_job(const JobSpec& spec) {
    NodeJob job = node_job_of(spec);
    const SyncEntry& sync = scheme_of(spec);
    if (sync.compute != ComputeStart::after_last_pull || job.by_keys() || job.learning || !spec.deaths.empty())
      job.memory = ServerMemory::model;
    return job;
  }

  JobSpec spec_;
  NodeJob job_;
  JobResult& result_;
  std::optional<KeyMapManager> key_map_;
  std::optional<JobNodes> nodes_;
  std::optional<ServerJob> running_;
};

JobResult run(const JobSpec& spec, Network& network, NodePlaces places, Progress* progress) {
  reset_peak_rss();
  JobResult result;
  Engine engine(network, progress);
  engine.add({}, [&](JobActions& actions) { return job_on_nodes(spec, std::move(places), engine, actions, result); });
  engine.run();
  result.peak_rss += peak_rss();
  return result;
}

}  // namespace

const SyncEntry& scheme_of(const JobSpec& spec) { return spec.own_sync ? *spec.own_sync : find_scheme(spec.sync); }

std::shared_ptr<RunningJob> job_on_nodes(JobSpec spec, NodePlaces places, const Engine& engine, JobActions& actions,
                                         JobResult& result) {
  const auto held = std::make_shared<ServerJobOnNodes>(std::move(spec), std::move(places), engine, actions, result);
  return {held, held->running()};
}

JobResult run_job(const JobSpec& spec, Network& network, NodeRunner& runner, Progress* progress,
                  const JobHooks& hooks) {
  return run(spec, network, {.runner = &runner, .hooks = hooks}, progress);
}

JobResult run_job(const JobSpec& spec, Network& network, Progress* progress, const JobHooks& hooks) {
  return run(spec, network, {.endpoint = spec.endpoint, .hooks = hooks}, progress);
}

}  // namespace ocs
