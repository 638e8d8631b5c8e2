// Joins policy, device, network and job; everything measured comes from the job's result and the device's counters.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "host/scheduler/job_traffic.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/keys/load_keys.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/run/job_row.hpp"
#include "testbed/run/node_time.hpp"
#include "testbed/run/point_network.hpp"
#include "testbed/run/run_arrivals.hpp"
#include "testbed/run/run_collective.hpp"
#include "testbed/run/run_jobs.hpp"
#include "testbed/run/run_peers.hpp"
#include "testbed/run/watched_moments.hpp"

namespace ocs {
namespace {

/// What is known without running anything.
void add_planned(Row& row, const Point& point, const PreparedJob& prepared) {
  const Picos cycle = point.fabric.cycle;
  row.lp_bound = to_picos(Cycles{relaxed_bound(point, prepared.job).n}, cycle);
  if (point.planning.outside || point.fabric.programs_in_turn()) return;
  const PlannedJob planned = plan_job(point, prepared);
  if (!planned.pipelined) return;
  row.pst_pipelined = to_picos(Cycles{planned.pipelined_pst().n}, cycle);
  row.pipelined_bound = to_picos(Cycles{planned.pipelined->bound.n}, cycle);
}

/// What the side of a port with the most to carry needs.
Cycles busiest_side(const std::vector<Flow>& flows, int ports) {
  const auto count = static_cast<std::size_t>(ports);
  std::vector<std::int64_t> sides(2 * count, 0);
  for (const Flow& flow : flows) {
    sides[index(flow.in)] += flow.length.n;
    for_each_output(flow.outs, [&](std::size_t out) { sides[count + out] += flow.length.n; });
  }
  return Cycles{*std::max_element(sides.begin(), sides.end())};
}

/// Bounds of phases; those of all placements and of the overlapped form are of plans for one switch.
void add_bounds(Row& row, const Point& point, const PreparedJob& prepared, const Circuits* circuits) {
  if (row.eager || by_keys(point.job)) return;
  if (circuits != nullptr) {
    row.bound = circuits->bound(point.job.iterations);
    if (point.fabric.planes == 1 && point.nodes.rate_changes.empty()) add_planned(row, point, prepared);
    return;
  }
  const auto needed = [&](const std::vector<Flow>& flows) {  // each plane carries a part of every transfer
    const Picos alone = to_picos(busiest_side(flows, point.fabric.ports), point.fabric.cycle);
    return Picos{(alone.n + point.fabric.planes - 1) / point.fabric.planes};
  };
  row.bound = needed(push_flows(prepared.job, prepared.padded)) + needed(pull_flows(prepared.job, prepared.padded)) +
              to_picos(point.fabric.fibres.longest() * 4, point.fabric.cycle);
}

/// A job with servers. Of planes the bounds of all placements, the overlapped form and where the time of workers goes
/// stay out of the row.
Row run_servers(const Point& point, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const PreparedJob prepared = placed(point, options.profile);
  Row row = requested_row(point);
  row.version = options.version;
  const bool one_network = point.fabric.planes == 1;
  NodeTime node_time(point.fabric.ports, point.fabric.cycle, point.packets ? Fibres{} : point.fabric.fibres);
  JobHooks hooks;
  WatchedMoments watched(options.watch);
  if (one_network || options.watch != nullptr)
    hooks.moment = [&](const JobMoment& moment) {
      if (one_network) node_time.on(moment);
      watched.on(moment);
    };
  if (options.watch != nullptr) hooks.grant = shown_grants(*options.watch, 0, point.fabric.ports);
  PointNetwork network(point, options, *prepared.policy,
                       {.online = is_eager(point.job), .join_coflows = !point.job.overlap.by_layer},
                       one_network ? &node_time : nullptr);
  if (options.watch != nullptr) options.watch->has_servers(prepared.placement.servers);
  std::optional<ProfiledTransport> profiled_transport;
  hooks.coordinator = [&](Transport& transport) -> Transport& {
    return before(profiled_transport, transport, options.profile);
  };
  const JobResult result = run_prepared(point, prepared, network.network(), options, hooks);
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  watched.finish(result.end);
  add_job(row, result, point.job);
  network.add_to(row, result);
  if (one_network) add_node_time(row, node_time, prepared.job.workers.size());
  add_bounds(row, point, prepared, network.circuits());
  return row;
}

}  // namespace

Row run_point(const Point& point, const RunOptions& options) {
  if (point.whole_jobs) return run_jobs(point, options);
  if (point.arrivals()) return run_arrivals(point, options);
  if (point.peers()) return run_peer_point(point, options);
  if (point.collective()) return run_collective(point, options);
  return run_servers(point, options);
}

}  // namespace ocs
