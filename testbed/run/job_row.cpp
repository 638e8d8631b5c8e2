// The job of a point, and the row of its result.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/job_row.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <type_traits>

#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/fit/packets.hpp"
#include "testbed/experiment/keys/learning_keys.hpp"
#include "testbed/experiment/keys/load_keys.hpp"
#include "testbed/experiment/keys/peer_keys.hpp"
#include "testbed/experiment/keys/slice_keys.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/point_scheduler.hpp"

namespace ocs {
namespace {

constexpr int most_iterations = 1'000'000;

}  // namespace

PreparedJob placed(const Point& point, Profile* profile) {
  const Profile::In in(profile, Part::placer);
  return prepare(point);
}

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
  spec.own_sync = point.job.own_sync;
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

namespace {

/// What jobs have in common of what was asked for; where they differ "several", or 0.
template <class Ask>
auto of_jobs(const Point& point, const Ask& ask) {
  using Asked = std::remove_cvref_t<decltype(ask(point.job))>;
  if (point.jobs.empty()) return Asked(ask(point.job));
  Asked first = ask(point.jobs.front().job);
  const bool same =
      std::all_of(point.jobs.begin(), point.jobs.end(), [&](const ArrivingJob& one) { return ask(one.job) == first; });
  if (same) return first;
  if constexpr (std::is_same_v<Asked, std::string>)
    return Asked("several");
  else
    return Asked{};
}

void add_asked_job(Row& row, const Point& point) {
  using J = const JobSettings&;
  row.colocated = of_jobs(point, [](J j) { return j.colocated; });
  row.workload = of_jobs(point, [](J j) { return j.workload_name; });
  row.sync = of_jobs(point, [](J j) { return j.peers != "none" ? j.peers : j.sync; });
  row.gradients = of_jobs(point, [](J j) { return std::string(j.real_gradients ? "real" : "pattern"); });
  row.learning_settings = of_jobs(point, [](J j) { return learning_text(j); });
  row.sync_settings = of_jobs(point, [](J j) { return j.peers != "none" ? peer_text(j) : settings_text(j); });
  row.server_load = of_jobs(point, [](J j) { return j.server_load; });
  row.load_settings = of_jobs(point, [](J j) { return load_text(j); });
  row.fusion = of_jobs(point, [](J j) { return j.slicing.fusion; });
  row.slice = of_jobs(point, [](J j) { return j.slicing.slice; });
  row.collective = of_jobs(point, [](J j) { return collective_text(j); });
  row.overlap = of_jobs(point, [](J j) { return overlap_text(j.overlap); });
  row.priorities = of_jobs(point, [](J j) { return std::string(j.overlap.by_layer ? "layer" : "none"); });
  row.duration = of_jobs(point, [](J j) { return j.duration; });
  row.compute_model = of_jobs(point, [](J j) { return compute_text(j); });
  row.payload = of_jobs(point, [](J j) { return j.payload; });
  row.workers = of_jobs(point, [](J j) { return j.workers; });
  row.servers = of_jobs(point, [](J j) { return j.collective == "none" && j.peers == "none" ? j.servers : 0; });
  row.iterations = of_jobs(point, [](J j) { return j.iterations; });
  row.compute = of_jobs(point, [](J j) { return j.compute; });
  row.retransmit = of_jobs(point, [](J j) { return j.retransmit; });
}

}  // namespace

Row requested_row(const Point& point) {
  const Policy& policy = find(policies(), point.policy, "policy");
  Row row;
  add_asked_job(row, point);
  row.name = point.name;
  row.policy = point.policy;
  row.scheduler = scheduler_name(point, policy);
  row.placer = placer_of(point).name;
  row.allocation = policy.allocation;
  row.all_stop = point.fabric.all_stop;
  row.planes = point.fabric.planes;
  row.device = point.fabric.device;
  row.switch_name = point.fabric.switch_name;
  row.deaths = point.job.deaths_text;
  row.transport = point.nodes.transport;
  row.seed = point.seed;
  row.ports = point.fabric.ports;
  row.rate_bps = point.fabric.rate_bps;
  row.cycle = point.fabric.cycle;
  row.tuning = to_picos(point.fabric.tuning_cycles, point.fabric.cycle);
  row.locking = to_picos(point.fabric.locking_cycles, point.fabric.cycle);
  row.delta = point.fabric.delta();
  if (point.fabric.program_cycles.n > 0)
    row.programming = {to_picos(point.fabric.program_cycles, point.fabric.cycle), point.fabric.program_lanes};
  if (point.fabric.is_unsteady())
    row.mirrors = {to_picos(point.fabric.jitter_cycles, point.fabric.cycle), point.fabric.mirror_faults_text,
                   point.fabric.receivers_text};
  if (!point.packets && point.fabric.keeps_light()) row.words_shown = 0;
  if (!point.nodes.clock_drift.empty() && point.control.mode == "timetable")
    row.clocks = {point.nodes.clock_drift_ppm, to_picos(point.nodes.clock_sync_cycles, point.fabric.cycle)};
  if (point.fabric.neighbour_times != NeighbourTimes{}) row.neighbours = point.fabric.neighbours_text;
  if (point.fabric.light_levels) row.light = point.fabric.light_text;
  if (point.nodes.farther()) row.extra_fibre = point.nodes.extra_fibre_text;
  row.word = point.fabric.word;
  row.workload_bytes = point.job.workload->total;
  row.time_warp = point.fabric.time_warp;
  row.fidelity = point.fabric.words_cross ? "word" : "burst";
  const Picos cycle = point.fabric.cycle;
  row.control = point.control.mode;
  row.guard = to_picos(point.control.guard_cycles, cycle);
  row.lead = to_picos(point.control.lead_cycles, cycle);
  row.fibre = to_picos(to_cycles(point.fabric.fibre, cycle), cycle);
  row.control_latency = point.nodes.control_latency;
  row.clock_offset = point.nodes.clock_offset_text;
  row.clock_spread = to_picos(to_cycles(point.nodes.clock_spread, cycle), cycle);
  row.node_rates = point.nodes.rates;
  row.rate_trace = point.nodes.rate_trace;
  row.outages = point.fabric.outages_text;
  row.extra_tuning = point.nodes.extra_tuning_text;
  row.charge_planning = point.planning.charge_text;
  row.reproducible = point.planning.charge != PlanningSettings::Charge::measured;
  row.requested = {point.fabric.tuning, point.fabric.locking, point.control.guard,
                   point.control.lead,  point.fabric.fibre,   point.nodes.clock_spread};
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
  scheme.intervals = sync.iteration.count;
  scheme.waits = sync.blocked.count;
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
  NodeRunner* runner = options.runner ? options.runner(point, 0) : nullptr;
  const JobSpec spec = job_spec(point, prepared);
  return runner ? run_job(spec, network, *runner, options.progress, hooks)
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

void add_charges(Row& row, const std::vector<Cycles>& charges) {
  if (charges.empty()) return;
  for (const Cycles charge : charges) row.planning += to_picos(charge, row.cycle);
  row.planning_charges = charges_text(charges, row.cycle);
}

void add_node_time(Row& row, NodeTime& time, std::size_t workers) {
  WorkerTime sum;
  for (const auto& [node, worker] : time.finish(row.sim_time)) {
    sum.compute += worker.compute;
    sum.communication += worker.communication;
    sum.dark += worker.dark;
  }
  const auto count = static_cast<std::int64_t>(workers);
  row.node_compute = {sum.compute.n / count};
  row.node_communication = {sum.communication.n / count};
  row.node_dark = {sum.dark.n / count};
  row.node_waiting = row.sim_time - row.node_compute - row.node_communication - row.node_dark;
}

}  // namespace ocs
