// The job of a point, and the row of its result.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/job_row.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "testbed/experiment/collective.hpp"
#include "testbed/experiment/fit.hpp"
#include "testbed/experiment/learning_keys.hpp"
#include "testbed/experiment/load_keys.hpp"
#include "testbed/experiment/packets.hpp"
#include "testbed/experiment/peer_keys.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/slice_keys.hpp"
#include "testbed/experiment/sync_keys.hpp"

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
  row.collective = collective_text(point);
  row.overlap = overlap_text(point.job.overlap);
  row.priorities = point.job.overlap.by_layer ? "layer" : "none";
  row.duration = point.job.duration;
  row.compute_model = compute_text(point.job);
  row.deaths = point.job.deaths_text;
  row.payload = point.job.payload;
  row.transport = point.nodes.transport;
  row.seed = point.seed;
  row.workers = point.job.workers;
  row.servers = point.collective() || point.peers() ? 0 : point.job.servers;
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

void add_charges(Row& row, const std::vector<Cycles>& charges) {
  if (charges.empty()) return;
  for (const Cycles charge : charges) row.planning += to_picos(charge, row.cycle);
  row.planning_charges = charges_text(charges, row.cycle);
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

}  // namespace ocs
