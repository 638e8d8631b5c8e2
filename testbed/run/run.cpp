// Joins policy, device, network and job; everything measured comes from the job's result and the device's counters.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "host/controller/plane_events.hpp"
#include "host/controller/plane_network.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/switches.hpp"
#include "testbed/engine/port_time.hpp"
#include "testbed/engine/profiled.hpp"
#include "testbed/experiment/fit.hpp"
#include "testbed/experiment/load_keys.hpp"
#include "testbed/experiment/packets.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/experiment/sync_keys.hpp"
#include "testbed/run/circuit_config.hpp"
#include "testbed/run/job_row.hpp"
#include "testbed/run/node_time.hpp"
#include "testbed/run/planes.hpp"
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

void add_charges(Row& row, const std::vector<Cycles>& charges) {
  if (charges.empty()) return;
  for (const Cycles charge : charges) row.planning += to_picos(charge, row.cycle);
  row.planning_charges = charges_text(charges, row.cycle);
}

/// Of a switch whose clock goes on by itself.
void add_commands(Row& row, const CommandTimes& commands) {
  if (commands.count() == 0) return;
  row.commands = CommandResults{.count = commands.count(),
                                .late = commands.late(),
                                .mean = to_picos(commands.mean(), row.cycle),
                                .median = to_picos(commands.quantile(500'000), row.cycle),
                                .p99 = to_picos(commands.quantile(990'000), row.cycle),
                                .max = to_picos(commands.quantile(1'000'000), row.cycle),
                                .histogram = commands.histogram(row.cycle)};
}

Picos mean_bound(const NetworkStats& stats, Picos cycle, int iterations) {
  Ticks sum;
  for (const PlanRecord& plan : stats.plans) sum += plan.bound;
  return {(sum.n * cycle.n + iterations / 2) / iterations};
}

/// Planes side by side. What holds for one switch alone stays out of the row: the bounds of all placements, the
/// overlapped form, and where the time of workers goes.
Row run_planes(const Point& point, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const Picos cycle = point.fabric.cycle;
  const PreparedJob prepared = prepare(point);
  const auto scheduler = make_scheduler(point, *prepared.policy, options.pause);
  Row row = asked_row(point);
  row.version = options.version;
  Planes planes(point, options.pause);
  EventHash hash;
  CircuitConfig config = circuit_config(point, options, hash);
  config.on_carried = {};  // tells of one plane
  PlaneEvents events(std::move(config.on_event));
  std::vector<std::unique_ptr<CircuitNetwork>> circuits;
  for (std::size_t p = 0; p < planes.size(); ++p) {
    config.on_event = events.of(Plane{static_cast<std::uint8_t>(p)});
    circuits.push_back(std::make_unique<CircuitNetwork>(planes.at(p), *scheduler, config));
  }
  PlaneNetwork network(std::move(circuits), plane_split(point), cycle, point.fabric.word.n, [&] { events.flush(); });
  const JobResult result = run_prepared(point, prepared, network, options);
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  add_job(row, result, point.job);
  planes.add_counters(row);
  row.words_misrouted = row.words_passed - result.words_delivered;
  for (std::size_t p = 0; p < planes.size(); ++p)  // of the split as it was: no plane was faster than its own
    row.bound = std::max(row.bound, mean_bound(network.plane(p).stats(), cycle, point.job.iterations));
  row.events = static_cast<std::int64_t>(hash.count());
  if (planes.exact()) row.event_log_hash = hash.value();
  return row;
}

}  // namespace

Row run_point(const Point& point, const RunOptions& options) {
  if (point.arrivals()) return run_arrivals(point, options);
  if (point.peers()) return run_peer_point(point, options);
  if (point.collective()) return run_collective(point, options);
  if (point.packets) return run_packets(point, options);
  if (point.fabric.planes > 1) return run_planes(point, options);
  const auto started = std::chrono::steady_clock::now();
  Profile* const profile = options.profile;
  const PreparedJob prepared = [&] {
    const Profile::In in(profile, Part::placer);
    return prepare(point);
  }();
  const auto scheduler = make_scheduler(point, *prepared.policy, options.pause);
  std::optional<ProfiledScheduler> profiled_scheduler;
  const ChargedScheduler charged(before(profiled_scheduler, std::as_const(*scheduler), profile), point);
  Row row = asked_row(point);
  row.version = options.version;

  const FabricSettings& fabric = point.fabric;
  const DeviceConfig config{.ports = fabric.ports,
                            .word_bytes = static_cast<int>(fabric.word.n),
                            .cycle = fabric.cycle,
                            .time_warp = fabric.time_warp,
                            .words = fabric.words_cross,
                            .stopwatch = profile != nullptr};
  const auto device = make_device(fabric.device, config);
  if (device->clock().kind() == ClockKind::wall_time) {
    row.reproducible = false;
    if (point.control.mode == "timetable")
      throw Error(ErrorKind::input, "device \"" + fabric.device +
                                        "\" has a clock of its own, for which control.mode must be \"confirmed\": its "
                                        "bursts don't start in exactly their cycles");
  }
  if (options.on_device) options.on_device(*device);
  std::optional<ProfiledDevice> profiled_device;
  Device& body = before(profiled_device, *device, profile);
  CommandTimes commands;
  const auto bare = make_switch(body,
                                {.tuning = fabric.tuning_cycles,
                                 .locking = fabric.locking_cycles,
                                 .all_stop = fabric.all_stop,
                                 .pair_tuning = fabric.pair_tuning_cycles,
                                 .output_locking = fabric.output_locking_cycles},
                                &commands);
  PortTime port_time(fabric.ports);
  NodeTime node_time(fabric.ports, fabric.cycle, fabric.fibre_cycles);
  std::optional<ProfiledSwitch> profiled_driver, profiled_switch;
  WatchedSwitch watched(before(profiled_driver, *bare, profile, Part::driver), {&port_time, &node_time},
                        fabric.time_warp ? nullptr : options.pause);
  Switch& plane = before(profiled_switch, static_cast<Switch&>(watched), profile, Part::accounting);
  EventHash hash;
  CircuitConfig circuits = circuit_config(point, options, hash);
  circuits.online = is_eager(point.job);
  circuits.join_coflows = !point.job.overlap.by_layer;
  CircuitNetwork circuit(plane, charged, circuits);
  std::optional<ProfiledNetwork> profiled_network;
  Network& network = before(profiled_network, static_cast<Network&>(circuit), profile);
  std::optional<ProfiledTransport> profiled_transport;
  JobHooks hooks;
  hooks.coordinator = [&](Transport& transport) -> Transport& {
    return before(profiled_transport, transport, profile);
  };
  hooks.moment = [&](const JobMoment& moment) { node_time.on(moment); };
  const JobResult result = run_prepared(point, prepared, network, options, hooks);
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

  add_job(row, result, point.job);
  add_counters(row, plane);
  row.words_misrouted = row.words_passed - result.words_delivered;
  add_port_time(row, port_time);
  add_node_time(row, node_time);
  if (!row.eager && !by_keys(point.job)) {
    row.bound = mean_bound(circuit.stats(), fabric.cycle, point.job.iterations);
    if (point.nodes.rate_changes.empty()) add_planned(row, point, prepared);
  }
  add_charges(row, charged.charged());
  row.events = static_cast<std::int64_t>(hash.count());
  if (plane.clock().kind() == ClockKind::virtual_time && plane.constants().cycle_exact)
    row.event_log_hash = hash.value();
  add_commands(row, commands);
  row.words_compared = device->clock().words_compared();
  if (profile) profile->evaluated(device->clock().evaluation(), device->clock().edges());
  return row;
}

}  // namespace ocs
