// Runs one training job with a crew of nodes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/job.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "testbed/coordinator/direct_crew.hpp"
#include "testbed/coordinator/node_job_of.hpp"
#include "testbed/coordinator/one_core.hpp"
#include "testbed/coordinator/server_job.hpp"
#include "testbed/coordinator/thread_crew.hpp"
#include "testbed/engine/engine.hpp"
#include "testbed/nodes/memory_use.hpp"
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

}  // namespace

JobResult run_job(const JobSpec& spec, Network& network, Crew& crew, Progress* progress, const JobHooks& hooks) {
  NodeJob job = node_job_of(spec);
  const SyncEntry& sync = find(sync_schemes(), spec.sync, "synchronisation scheme");
  if (sync.compute != ComputeStart::after_last_pull || job.by_keys() || job.learning) job.memory = ServerMemory::model;
  const auto nodes = nodes_of(job);
  reset_peak_rss();
  Transport& end = crew.begin(job, nodes);
  Transport& transport = hooks.coordinator ? hooks.coordinator(end) : end;
  const GateRules rules{sync,
                        spec.sync_settings,
                        spec.compute_of ? spec.compute_of : [time = spec.compute](auto, auto) { return time; },
                        spec.duration,
                        spec.compute_fixed,
                        spec.overlap.by_layer};
  std::optional<LoadKeeper> keeper;
  if (spec.load) keeper.emplace(job, *spec.load);
  JobResult result;
  Engine engine(network, progress);
  NodeExchange talk(transport, nodes, spec.timeout, [&](const std::string& who) { engine.show(who); });
  engine.add(Picos{0}, [&](JobActions& actions) {
    return std::make_unique<ServerJob>(job, rules, spec.deaths, talk, actions, hooks.moment,
                                       keeper ? &*keeper : nullptr, result);
  });
  engine.run();
  if (keeper) result.load = keeper->result();
  result.payload_buffers += static_cast<std::int64_t>(crew.buffers());
  result.peak_rss += peak_rss();
  return result;
}

JobResult run_job(const JobSpec& spec, Network& network, Progress* progress, const JobHooks& hooks) {
  // Without payload no two nodes have work at once: threads would only hand over to one another. Who puts something
  // between the parts or asks for another transport gets them all the same, on one core.
  const bool as_it_is = !hooks.transport && !hooks.logic && spec.endpoint == JobSpec{}.endpoint;
  if (spec.payload == PayloadMode::none && as_it_is)
    return run_job(spec, network, *make_direct_crew(), progress, hooks);
  std::optional<OneCore> one_core;
  if (spec.payload == PayloadMode::none) one_core.emplace();
  return run_job(spec, network, *make_thread_crew(spec.endpoint, hooks), progress, hooks);
}

}  // namespace ocs
