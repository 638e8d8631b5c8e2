// Joins policy, device, network and job; everything measured comes from the job's result and the device's counters.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "testbed/engine/profiled.hpp"
#include "testbed/experiment/fit.hpp"
#include "testbed/experiment/load_keys.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/experiment/sync_keys.hpp"
#include "testbed/run/circuits.hpp"
#include "testbed/run/job_row.hpp"
#include "testbed/run/node_time.hpp"
#include "testbed/run/run_arrivals.hpp"
#include "testbed/run/run_collective.hpp"
#include "testbed/run/run_packets.hpp"
#include "testbed/run/run_peers.hpp"

namespace ocs {
namespace {

/// What is known without running anything.
void add_planned(Row& row, const Point& point, const PreparedJob& prepared) {
  const Picos cycle = point.fabric.cycle;
  row.lp_bound = to_picos(Cycles{relaxed_bound(point, prepared.job).n}, cycle);
  if (point.planning.outside) return;
  const PlannedJob planned = plan_job(point, prepared);
  if (!planned.pipelined) return;
  row.pst_pipelined = to_picos(Cycles{planned.pipelined_pst().n}, cycle);
  row.pipelined_bound = to_picos(Cycles{planned.pipelined->bound.n}, cycle);
}

/// Bounds of plans that are made in phases; those of all placements and of the overlapped form are of one switch.
void add_bounds(Row& row, const Point& point, const PreparedJob& prepared, const Circuits& circuits) {
  if (row.eager || by_keys(point.job)) return;
  row.bound = circuits.bound(point.job.iterations);
  if (point.fabric.planes == 1 && point.nodes.rate_changes.empty()) add_planned(row, point, prepared);
}

/// A job with servers, on one switch or on planes side by side. Of planes the bounds of all placements, the overlapped
/// form and where the time of workers goes stay out of the row.
Row run_servers(const Point& point, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  Profile* const profile = options.profile;
  const PreparedJob prepared = placed(point, profile);
  const auto scheduler = make_scheduler(point, *prepared.policy, options.pause);
  std::optional<ProfiledScheduler> profiled_scheduler;
  const ChargedScheduler charged(before(profiled_scheduler, std::as_const(*scheduler), profile), point);
  Row row = asked_row(point);
  row.version = options.version;
  const bool one_switch = point.fabric.planes == 1;
  NodeTime node_time(point.fabric.ports, point.fabric.cycle, point.fabric.fibre_cycles);
  JobHooks hooks;
  std::vector<OutputWatcher*> watchers;
  if (one_switch) {
    watchers.push_back(&node_time);
    hooks.moment = [&](const JobMoment& moment) { node_time.on(moment); };
  }
  Fabric fabric(fabric_spec(point), fabric_hooks(options, std::move(watchers)));
  Circuits circuits(point, options, fabric, charged,
                    {.online = is_eager(point.job), .join_coflows = !point.job.overlap.by_layer});
  std::optional<ProfiledNetwork> profiled_network;
  std::optional<ProfiledTransport> profiled_transport;
  hooks.coordinator = [&](Transport& transport) -> Transport& {
    return before(profiled_transport, transport, profile);
  };
  const JobResult result =
      run_prepared(point, prepared, before(profiled_network, circuits.network(), profile), options, hooks);
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

  add_job(row, result, point.job);
  fabric.add_to(row);
  row.words_misrouted = row.words_passed - result.words_delivered;
  if (one_switch) add_node_time(row, node_time);
  add_bounds(row, point, prepared, circuits);
  add_charges(row, charged.charged());
  return row;
}

}  // namespace

Row run_point(const Point& point, const RunOptions& options) {
  if (point.arrivals()) return run_arrivals(point, options);
  if (point.peers()) return run_peer_point(point, options);
  if (point.collective()) return run_collective(point, options);
  if (point.packets) return run_packets(point, options);
  return run_servers(point, options);
}

}  // namespace ocs
