// How fast schedulers and placers are, how their time grows, and how near to its bound `best` gets.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/lists/sunflow.hpp"
#include "host/scheduler/placers/psscheduler_placer.hpp"
#include "host/scheduler/psscheduler_or_default.hpp"
#include "host/scheduler/search/best.hpp"
#include "host/scheduler/slots/bvn.hpp"
#include "host/scheduler/slots/solstice.hpp"
#include "host/scheduler/splitmix.hpp"

namespace {

using namespace ocs;

Flow flow(std::size_t number, std::uint64_t in, std::uint64_t out, std::int64_t length) {
  Flow made{Id{static_cast<std::uint32_t>(number)}, Id{0}, Input{static_cast<std::uint16_t>(in)}, {}, {length}, {}};
  made.outs.set(out);
  return made;
}

/// Every input to every other output, 1 to 10 ms in ns; delta 10 us.
Problem dense(int ports) {
  Problem problem;
  problem.ports = ports;
  problem.delta = Ticks{10'000};
  std::uint64_t seed = 1;
  const auto n = static_cast<std::uint64_t>(ports);
  for (std::uint64_t in = 0; in < n; ++in)
    for (std::uint64_t out = 0; out < n; ++out)
      if (in != out)
        problem.flows.push_back(
            flow(problem.flows.size(), in, out, 1'000'000 + static_cast<std::int64_t>(splitmix64(seed) % 9'000'000)));
  return problem;
}

/// As many coflows as the published trace of a 150-port cluster has, with its mix of widths: most are narrow, a few use
/// all ports. Drawn, not the trace itself.
std::vector<Problem> trace() {
  std::vector<Problem> coflows;
  std::uint64_t seed = 7;
  for (int c = 0; c < 526; ++c) {
    Problem problem;
    problem.ports = 150;
    problem.delta = Ticks{10'000'000};
    const std::uint64_t kind = splitmix64(seed) % 100, widest = kind < 52 ? 4 : kind < 84 ? 40 : 150;
    const std::uint64_t ins = 1 + splitmix64(seed) % widest, outs = 1 + splitmix64(seed) % widest;
    const std::uint64_t in = splitmix64(seed) % 150, out = splitmix64(seed) % 150;
    for (std::uint64_t a = 0; a < ins; ++a)
      for (std::uint64_t b = 0; b < outs; ++b)
        problem.flows.push_back(flow(problem.flows.size(), (in + a) % 150, (out + b) % 150,
                                     1'000'000 * (1 + static_cast<std::int64_t>(splitmix64(seed) % 1000))));
    coflows.push_back(std::move(problem));
  }
  return coflows;
}

void sunflow_trace(benchmark::State& state) {
  const std::vector<Problem> coflows = trace();
  std::size_t flows = 0;
  for (const Problem& coflow : coflows) flows += coflow.flows.size();
  for (auto _ : state)
    for (const Problem& coflow : coflows) benchmark::DoNotOptimize(Sunflow(FlowOrder::src_dst).plan(coflow));
  state.counters["flows"] = static_cast<double>(flows);
}
BENCHMARK(sunflow_trace)->Unit(benchmark::kMillisecond);

/// Parameter servers on any node of a 64-port switch, rates drawn: the push phase of PSscheduler's placement.
Problem push_phase(std::uint64_t seed) {
  Job job;
  const std::size_t nodes = 64, servers = 4 + splitmix64(seed) % 13;
  for (std::uint16_t v = 0; v < nodes; ++v) {
    job.candidates.push_back(Node{v});
    if (v >= servers) job.workers.push_back(Node{v});
    job.rate_bps.push_back(100'000'000'000 >> (splitmix64(seed) % 3));
  }
  job.servers = servers;
  for (std::uint32_t k = 0; k < 160; ++k)
    job.blocks.push_back({{4 * (1 + static_cast<std::int64_t>(splitmix64(seed) % 600'000))}, k});
  job.delta = Picos{splitmix64(seed) % 2 == 0 ? 10'000'000 : 10'000'000'000};
  Problem problem;
  problem.ports = static_cast<int>(nodes);
  problem.delta = delta_ticks(job);
  problem.flows = push_flows(job, PsschedulerPlacer().place(job));
  problem.seed = seed;
  return problem;
}

void best_64_ports(benchmark::State& state) {
  std::vector<Problem> problems;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) problems.push_back(push_phase(seed));
  problems.push_back(dense(64));
  double sum = 0, worst = 0;
  for (auto _ : state) {
    sum = worst = 0;
    for (const Problem& problem : problems) {
      const Plan plan = Best().plan(problem);
      const double ratio = static_cast<double>(plan_end(plan, {}).n) / static_cast<double>(plan.bound.n);
      sum += ratio;
      worst = std::max(worst, ratio);
    }
  }
  const auto count = static_cast<double>(problems.size());
  state.counters["end_over_bound_mean"] = sum / count;
  state.counters["end_over_bound_worst"] = worst;
  state.counters["problems"] = count;
}
BENCHMARK(best_64_ports)->Unit(benchmark::kMillisecond)->Iterations(1);

void best_dense(benchmark::State& state) {
  const Problem problem = dense(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(Best().plan(problem));
}
BENCHMARK(best_dense)->Arg(16)->Arg(64)->Arg(128)->Unit(benchmark::kMillisecond)->Iterations(1);

Job large_job(std::size_t nodes, std::size_t servers, std::size_t blocks) {
  Job job;
  std::uint64_t seed = 3;
  for (std::uint16_t v = 0; v < nodes; ++v) {
    job.workers.push_back(Node{v});
    job.candidates.push_back(Node{v});
    job.rate_bps.push_back(100'000'000'000 >> (splitmix64(seed) % 3));
  }
  job.servers = servers;
  for (std::uint32_t k = 0; k < blocks; ++k)
    job.blocks.push_back({{4 * (1 + static_cast<std::int64_t>(splitmix64(seed) % 1'000'000))}, k});
  job.delta = Picos{10'000'000'000};
  return job;
}

void psscheduler_256_nodes(benchmark::State& state) {
  const Job job = large_job(256, 16, 2000);
  for (auto _ : state) benchmark::DoNotOptimize(PsschedulerOrDefault().place(job));
}
BENCHMARK(psscheduler_256_nodes)->Unit(benchmark::kMillisecond);

void psscheduler_plan_256_nodes(benchmark::State& state) {
  const Job job = large_job(256, 16, 2000);
  Problem problem;
  problem.ports = 256;
  problem.delta = delta_ticks(job);
  problem.flows = push_flows(job, PsschedulerPlacer().place(job));
  for (auto _ : state) benchmark::DoNotOptimize(Psscheduler().plan(problem));
}
BENCHMARK(psscheduler_plan_256_nodes)->Unit(benchmark::kMillisecond);

void by_ports(benchmark::State& state, const char* name) {
  const Problem problem = dense(static_cast<int>(state.range(0)));
  const auto scheduler = make(schedulers(), name, "scheduler");
  for (auto _ : state) benchmark::DoNotOptimize(scheduler->plan(problem));
  state.SetComplexityN(state.range(0));
}
#define OCS_BY_PORTS(name, most)           \
  BENCHMARK_CAPTURE(by_ports, name, #name) \
      ->RangeMultiplier(2)                 \
      ->Range(8, most)                     \
      ->Complexity()                       \
      ->Unit(benchmark::kMicrosecond)
OCS_BY_PORTS(sunflow, 256);
OCS_BY_PORTS(hlf, 256);
OCS_BY_PORTS(colour, 256);
OCS_BY_PORTS(rotation_list, 256);
OCS_BY_PORTS(psscheduler, 256);
OCS_BY_PORTS(solstice, 128);
OCS_BY_PORTS(bvn, 128);
OCS_BY_PORTS(tms, 64);
OCS_BY_PORTS(edmonds, 64);
OCS_BY_PORTS(eclipse, 32);
OCS_BY_PORTS(adaptive_maxweight, 32);

}  // namespace

BENCHMARK_MAIN();
