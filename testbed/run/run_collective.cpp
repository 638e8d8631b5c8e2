// A collective over the circuits of a switch.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run_collective.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "testbed/collectives/carry.hpp"
#include "testbed/engine/profiled.hpp"
#include "testbed/experiment/collective.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/nodes/memory_use.hpp"
#include "testbed/run/circuits.hpp"
#include "testbed/run/job_row.hpp"

namespace ocs {
namespace {

Picos compute_time(const Point& point, std::size_t worker, std::uint32_t iteration) {
  return point.job.compute_model.time(worker, iteration) + point.job.compute_fixed;
}

void add_iterations(Row& row, const Point& point, const CollectiveRun& run) {
  SchemeResults& results = row.schemes.emplace();
  std::vector<std::int64_t> times, waits;
  for (std::size_t k = 0; k < run.ends.size(); ++k) {
    const Picos before = k == 0 ? Picos{0} : run.ends[k - 1];
    if (k > 0) times.push_back((run.ends[k] - before).n);
    for (int w = 0; w < point.job.workers; ++w) {
      const Picos computed = compute_time(point, static_cast<std::size_t>(w), static_cast<std::uint32_t>(k));
      waits.push_back((run.begins[k] - before - computed).n);
    }
  }
  const Spread iteration = spread_of(times), blocked = spread_of(waits);
  results.updates = results.steps = static_cast<std::int64_t>(run.ends.size()) * point.job.workers;
  results.iteration_mean = {iteration.mean};
  results.iteration_p99 = {iteration.p99};
  results.iteration_max = {iteration.max};
  if (!times.empty()) results.iteration_last = {times.back()};
  results.blocked_mean = {blocked.mean};
  results.blocked_p99 = {blocked.p99};
  results.blocked_max = {blocked.max};
}

}  // namespace

Row run_collective(const Point& point, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  reset_peak_rss();
  const PointCollective one = collective_of(point);
  const auto scheduler = make_scheduler(point, find(policies(), point.policy, "policy"), options.pause);
  Row row = asked_row(point);
  row.version = options.version;
  row.eager = true;
  Profile* const profile = options.profile;
  Fabric fabric(fabric_spec(point), fabric_hooks(options));
  std::optional<ProfiledScheduler> profiled_scheduler;
  const ChargedScheduler charged(before(profiled_scheduler, std::as_const(*scheduler), profile), point);
  Circuits circuits(point, options, fabric, charged, {});
  std::optional<ProfiledNetwork> profiled_network;
  Network& network = before(profiled_network, circuits.network(), profile);
  Peers peers(one.list, one.sizes, point.fabric.word.n, payload_mode(point.job.payload), point.seed);
  const CollectiveJob job{.collective = one.list,
                          .sizes = one.sizes,
                          .legs = one.legs,
                          .word_bytes = point.fabric.word.n,
                          .iterations = static_cast<std::uint32_t>(point.job.iterations),
                          .compute = [&](std::size_t w, std::uint32_t k) { return compute_time(point, w, k); },
                          .control_latency = point.nodes.control_latency};
  const std::string waiting = "the switch";
  const CollectiveRun run = carry(job, network, peers, [&](std::uint32_t iteration, Picos now) {
    if (options.progress) options.progress->tick({now, (iteration + 1.0) / point.job.iterations, waiting, {}});
  });
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  row.peak_rss = peak_rss();
  add_iterations(row, point, run);
  fabric.add_to(row);
  add_charges(row, charged.charged());
  row.crc_errors = peers.crc_errors;
  row.sum_errors = peers.sum_errors;
  row.words_misrouted = row.words_passed - run.words;
  row.bytes_delivered = Bytes{run.words * point.fabric.word.n};
  row.sim_time = row.sync_time = run.end;
  row.slices = static_cast<std::int64_t>(one.legs.size());
  return row;
}

}  // namespace ocs
