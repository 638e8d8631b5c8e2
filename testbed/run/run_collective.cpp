// A collective over the network that the point asks for.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run_collective.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "host/scheduler/catalogue.hpp"
#include "testbed/collectives/collective_job.hpp"
#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/run/collective_plans.hpp"
#include "testbed/run/job_row.hpp"
#include "testbed/run/point_network.hpp"
#include "testbed/run/run_copies.hpp"
#include "testbed/run/run_graph.hpp"

namespace ocs {
namespace {

Picos compute_time(const Point& point, std::size_t worker, std::uint32_t iteration) {
  return point.job.compute_model.time(worker, iteration) + point.job.compute_fixed;
}

}  // namespace

void add_iterations(Row& row, const Point& point, const CollectiveResult& run, Picos arrival) {
  SchemeResults& results = row.schemes.emplace();
  std::vector<std::int64_t> times, waits;
  for (std::size_t k = 0; k < run.ends.size(); ++k) {
    const Picos before = k == 0 ? arrival : run.ends[k - 1];
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
  results.intervals = iteration.count;
  results.waits = blocked.count;
}

namespace {

/// Iterations whose traffic is drawn, the first one left out.
void add_later_iterations(CollectiveSpec& spec, const Point& point) {
  if (point.phased == nullptr || !point.phased->phases->changes()) return;
  for (std::uint32_t k = 1; k < spec.iterations; ++k) {
    PointCollective one = collective_of(point, k);
    spec.later.push_back(std::move(one.legs));
    if (!one.phases.empty()) spec.phases.push_back(std::move(one.phases));
    spec.tails.push_back(to_picos(one.tail, point.fabric.cycle));
  }
}

}  // namespace

namespace {

CollectiveSpec spec_of(const Point& point, PointCollective one) {
  constexpr std::uint32_t most_iterations = 1'000'000;
  const bool timed = point.job.duration.n > 0;
  CollectiveSpec spec{.list = std::move(one.list),
                      .sizes = std::move(one.sizes),
                      .legs = std::move(one.legs),
                      .word_bytes = point.fabric.word.n,
                      .iterations = timed ? most_iterations : static_cast<std::uint32_t>(point.job.iterations),
                      .duration = timed ? point.job.duration : never<Picos>,
                      .deaths = point.job.deaths,
                      .compute = [&](std::size_t w, std::uint32_t k) { return compute_time(point, w, k); },
                      .payload = payload_mode(point.job.payload),
                      .seed = point.seed,
                      .attempts = point.job.retransmit ? JobSpec{}.attempts : 1,
                      .control_latency = point.nodes.control_latency,
                      .timeout = std::chrono::milliseconds(point.nodes.timeout.n / 1'000'000'000),
                      .cycle = point.fabric.cycle,
                      .tails = {to_picos(one.tail, point.fabric.cycle)}};
  if (!one.phases.empty()) spec.phases.push_back(std::move(one.phases));
  add_later_iterations(spec, point);
  if (point.job.real_gradients) {
    spec.learning = point.job.learning;
    spec.gradient = point.job.workload->total;
  }
  return spec;
}

}  // namespace

CollectiveSpec collective_spec(const Point& point) { return spec_of(point, collective_of(point)); }

CollectiveSpec copy_spec(const Point& point, std::uint32_t plane) { return spec_of(point, copy_of(point, plane)); }

namespace {

CollectiveResult run(const CollectiveSpec& spec, Network& network, const Point& point, const RunOptions& options) {
  NodeRunner* runner = options.runner ? options.runner(point, 0) : nullptr;
  return runner ? run_collective_job(spec, network, *runner, options.progress)
                : run_collective_job(spec, network, options.progress);
}

}  // namespace

Row run_on_network(const Point& point, const RunOptions& options,
                   const std::function<CollectiveResult(PointNetwork&)>& run) {
  const auto started = std::chrono::steady_clock::now();
  Row row = requested_row(point);
  row.version = options.version;
  PointNetwork network(point, options, find(policies(), point.policy, "policy"), {});
  const CollectiveResult result = run(network);
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  add_job(row, result.job, point.job);
  add_iterations(row, point, result);
  network.add_to(row, result.job);
  return row;
}

Row run_collective(const Point& point, const RunOptions& options) {
  if (graph_of(point)) return run_graph(point, options);
  if (runs_copies(point)) return run_copies(point, options);
  return run_on_network(point, options, [&](PointNetwork& network) {
    CollectiveSpec spec = collective_spec(point);
    spec.compute = network.shown(std::move(spec.compute));
    if (MapCircuits* const maps = network.maps()) {
      spec.maps = {.plans = iteration_plans(point, spec), .preset = point.job.preset};
      maps->are_set_by(spec.maps);
    }
    if (options.watch != nullptr) {
      if (!point.sets_maps()) options.watch->has_legs(static_cast<std::uint32_t>(spec.legs.size()));
      spec.between = [watch = options.watch](std::uint32_t iteration, Picos from, Picos to) {
        watch->computes_between(iteration, from, to);
      };
    }
    return run(spec, network.network(), point, options);
  });
}

}  // namespace ocs
