// Joins policy, device, network and job; everything measured comes from the job's result and the device's counters.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/run.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "host/controller/circuit_network.hpp"
#include "host/controller/event_hash.hpp"
#include "host/controller/plane_events.hpp"
#include "host/controller/plane_network.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/switches.hpp"
#include "host/scheduler/check_plan.hpp"
#include "testbed/experiment/collective.hpp"
#include "testbed/experiment/fit.hpp"
#include "testbed/experiment/job_row.hpp"
#include "testbed/experiment/learning_keys.hpp"
#include "testbed/experiment/load_keys.hpp"
#include "testbed/experiment/node_time.hpp"
#include "testbed/experiment/packets.hpp"
#include "testbed/experiment/peer_keys.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/experiment/planes.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/port_time.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/experiment/profiled.hpp"
#include "testbed/experiment/run_arrivals.hpp"
#include "testbed/experiment/run_packets.hpp"
#include "testbed/experiment/slice_keys.hpp"
#include "testbed/experiment/sync_keys.hpp"

namespace ocs {
namespace {

constexpr int most_iterations = 1'000'000;

bool by_keys(const JobSettings& job) { return job.server_load != "placed"; }

}  // namespace

JobSpec job_spec(const Point& point, const PreparedJob& prepared) {
  JobSpec spec;
  spec.ports = point.fabric.ports;
  spec.workers = prepared.job.workers;
  spec.placement = prepared.placement;
  spec.blocks = prepared.blocks;
  spec.word_bytes = point.fabric.word.n;
  spec.slicing = point.job.slicing;
  spec.overlap = point.job.overlap;
  if (by_keys(point.job)) {
    spec.load = LoadRule{point.job.load, point.fabric.rate_bps};
    spec.load->settings.adaptive = point.job.server_load == "adaptive";
  }
  spec.iterations = point.job.iterations;
  spec.compute = point.job.compute;
  spec.compute_of = [&model = point.job.compute_model](std::size_t w, std::uint32_t k) { return model.time(w, k); };
  spec.compute_fixed = point.job.compute_fixed;
  if (point.job.real_gradients) spec.learning = point.job.learning;
  spec.payload = payload_mode(point.job.payload);
  spec.seed = point.seed;
  spec.sync = point.job.sync;
  spec.sync_settings = point.job.sync_settings;
  spec.deaths = point.job.deaths;
  if (point.job.duration.n > 0) {
    spec.duration = point.job.duration;
    spec.iterations = most_iterations;
  }
  spec.retransmit = point.job.retransmit;
  spec.control_latency = point.nodes.control_latency;
  spec.timeout = std::chrono::milliseconds(point.nodes.timeout.n / 1'000'000'000);
  return spec;
}

Row asked_row(const Point& point) {
  const Policy& policy = find(policies(), point.policy, "policy");
  Row row;
  row.name = point.name;
  row.policy = point.policy;
  row.scheduler = scheduler_name(point, policy);
  row.placer = policy.placer;
  row.allocation = policy.allocation;
  row.colocated = point.job.colocated;
  row.all_stop = point.fabric.all_stop;
  row.planes = point.fabric.planes;
  row.device = point.fabric.device;
  row.switch_name = point.fabric.switch_name;
  row.workload = point.job.workload_name;
  row.sync = point.peers() ? point.job.peers : point.job.sync;
  row.gradients = point.job.real_gradients ? "real" : "pattern";
  row.learning_settings = learning_text(point.job);
  row.sync_settings = (point.peers() ? peer_text(point.job) : settings_text(point.job.sync, point.job.sync_settings));
  row.server_load = point.job.server_load;
  row.load_settings = load_text(point.job);
  row.fusion = point.job.slicing.fusion;
  row.slice = point.job.slicing.slice;
  row.collective = point.job.collective;
  row.overlap = overlap_text(point.job.overlap);
  row.priorities = point.job.overlap.by_layer ? "layer" : "none";
  row.duration = point.job.duration;
  row.compute_model = compute_text(point.job);
  row.deaths = point.job.deaths_text;
  row.payload = point.job.payload;
  row.transport = point.nodes.transport;
  row.seed = point.seed;
  row.workers = point.job.workers;
  row.servers = point.job.servers;
  row.iterations = point.job.iterations;
  row.ports = point.fabric.ports;
  row.rate_bps = point.fabric.rate_bps;
  row.cycle = point.fabric.cycle;
  row.tuning = to_picos(point.fabric.tuning_cycles, point.fabric.cycle);
  row.locking = to_picos(point.fabric.locking_cycles, point.fabric.cycle);
  row.delta = point.fabric.delta();
  row.compute = point.job.compute;
  row.word = point.fabric.word;
  row.workload_bytes = point.job.workload->total;
  row.time_warp = point.fabric.time_warp;
  row.fidelity = point.fabric.words_cross ? "word" : "burst";
  const Picos cycle = point.fabric.cycle;
  row.control = point.control.mode;
  row.guard = to_picos(point.control.guard_cycles, cycle);
  row.lead = to_picos(point.control.lead_cycles, cycle);
  row.fibre = to_picos(point.fabric.fibre_cycles, cycle);
  row.control_latency = point.nodes.control_latency;
  row.clock_offset = point.nodes.clock_offset_text;
  row.clock_spread = to_picos(to_cycles(point.nodes.clock_spread, cycle), cycle);
  row.retransmit = point.job.retransmit;
  row.node_rates = point.nodes.rates;
  row.rate_trace = point.nodes.rate_trace;
  row.outages = point.fabric.outages_text;
  row.extra_tuning = point.nodes.extra_tuning_text;
  row.charge_planning = point.planning.charge_text;
  row.reproducible = point.planning.charge != PlanningSettings::Charge::measured;
  if (point.packets) without_switch(row);
  return row;
}

namespace {

void add_sync(Row& row, const SyncResult& sync) {
  SchemeResults& scheme = row.schemes.emplace();
  scheme.updates = sync.updates;
  scheme.dropped = sync.dropped;
  scheme.steps = sync.steps;
  scheme.iteration_mean = {sync.iteration.mean};
  scheme.iteration_p99 = {sync.iteration.p99};
  scheme.iteration_max = {sync.iteration.max};
  scheme.iteration_last = sync.iteration_last;
  scheme.blocked_mean = {sync.blocked.mean};
  scheme.blocked_p99 = {sync.blocked.p99};
  scheme.blocked_max = {sync.blocked.max};
  if (sync.staleness.count > 0)
    scheme.staleness_mean = static_cast<double>(sync.staleness.sum) / static_cast<double>(sync.staleness.count);
  scheme.staleness_p99 = sync.staleness.p99;
  scheme.staleness_max = sync.staleness.max;
  scheme.clock_gap = sync.clock_gap;
  scheme.left = sync.left;
}

void add_load(Row& row, const LoadResult& load) {
  row.load = {load.keys, load.versions, load.keys_moved, load.bytes_moved, load.migrating, load.refused};
}

/// And the time to the target.
void add_learning(Row& row, const LearningResult& result, const JobSettings& job) {
  LearningResults& learned = row.learning.emplace();
  const double target = static_cast<double>(job.target_num) / static_cast<double>(job.target_den);
  for (const CurvePoint& point : result.curve) {
    learned.curve.push_back(
        {static_cast<std::int64_t>(point.updates), point.at, point.score.loss, point.score.accuracy});
    if (learned.to_target || point.score.accuracy < target) continue;
    learned.to_target = point.at;
    learned.updates_to_target = static_cast<std::int64_t>(point.updates);
  }
  learned.loss = result.curve.back().score.loss;
  learned.accuracy = result.curve.back().score.accuracy;
  for (const std::int64_t samples : result.samples)
    learned.samples += (learned.samples.empty() ? "" : " ") + std::to_string(samples);
}

void add_pst(Row& row, const JobResult& result) {
  row.eager = result.iterations.empty();
  if (row.eager) {
    row.sync_time = result.end;
    return;
  }
  row.pst_min = never<Picos>;
  for (const IterationResult& iteration : result.iterations) {
    const Picos pst = iteration.sync_end - iteration.sync_start;
    row.sync_time += pst;
    row.pst_min = std::min(row.pst_min, pst);
    row.pst_max = std::max(row.pst_max, pst);
  }
  const auto count = static_cast<std::int64_t>(result.iterations.size());
  row.pst_mean = {(row.sync_time.n + count / 2) / count};
}

}  // namespace

JobResult run_prepared(const Point& point, const PreparedJob& prepared, Network& network, const RunOptions& options,
                       const JobHooks& hooks) {
  Crew* crew = options.crew ? options.crew(point) : nullptr;
  const JobSpec spec = job_spec(point, prepared);
  return crew ? run_job(spec, network, *crew, options.progress, hooks)
              : run_job(spec, network, options.progress, hooks);
}

void add_job(Row& row, const JobResult& result, const JobSettings& job) {
  add_pst(row, result);
  add_sync(row, result.sync);
  if (result.load) add_load(row, *result.load);
  if (result.learning) add_learning(row, *result.learning, job);
  row.slices = result.slices;
  row.crc_errors = result.crc_errors;
  row.sum_errors = result.sum_errors;
  row.bytes_delivered = result.bytes_delivered;
  row.bytes_local = result.bytes_local;
  row.sim_time = result.end;
  row.retransmissions = result.retransmissions;
  row.words_retransmitted = result.words_retransmitted;
  row.messages = result.messages;
  row.peak_rss = result.peak_rss;
}

void add_node_time(Row& row, NodeTime& time) {
  const std::map<Node, WorkerTime> workers = time.finish(row.sim_time);
  WorkerTime sum;
  for (const auto& [node, worker] : workers) {
    sum.compute += worker.compute;
    sum.communication += worker.communication;
    sum.dark += worker.dark;
  }
  const auto count = static_cast<std::int64_t>(workers.size());
  row.node_compute = {sum.compute.n / count};
  row.node_communication = {sum.communication.n / count};
  row.node_dark = {sum.dark.n / count};
  row.node_waiting = row.sim_time - row.node_compute - row.node_communication - row.node_dark;
}

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
  PlaneEvents events([&](const Event& event) {
    hash.add(event);
    if (options.on_event) options.on_event(event);
  });
  std::vector<std::unique_ptr<CircuitNetwork>> circuits;
  for (std::size_t p = 0; p < planes.size(); ++p)
    circuits.push_back(std::make_unique<CircuitNetwork>(
        planes.at(p), *scheduler,
        CircuitConfig{.times = control_times(point),
                      .seed = point.seed,
                      .word_cycles = point.nodes.word_cycles,
                      .rate_changes = point.nodes.rate_changes,
                      .outages = point.fabric.outages_cycles,
                      .check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); },
                      .on_event = events.of(Plane{static_cast<std::uint8_t>(p)})}));
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
  CircuitConfig circuits;
  circuits.times = control_times(point);
  circuits.seed = point.seed;
  circuits.word_cycles = point.nodes.word_cycles;
  circuits.rate_changes = point.nodes.rate_changes;
  circuits.outages = fabric.outages_cycles;
  circuits.online = is_eager(point.job);
  circuits.join_coflows = !point.job.overlap.by_layer;
  circuits.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
  circuits.on_event = [&](const Event& event) {
    hash.add(event);
    if (options.on_event) options.on_event(event);
  };
  circuits.on_carried = options.on_carried;
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
