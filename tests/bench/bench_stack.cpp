// How fast whole jobs run, against real time: driver, controller, scheduler, nodes; without payload.
//   bench_stack [--benchmark_filter=10us] [--benchmark_format=json]
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "testbed/run/run.hpp"
#include "testbed/session/names.hpp"
#include "tests/bench/main.hpp"
#include "tests/common/places.hpp"

namespace ocs::bench {
namespace {

struct Case {
  const char* name;
  int workers, servers;
  const char* policy;
};

constexpr Case cases[] = {
    {"60_workers_4_servers", 60, 4, "psscheduler"},
    {"48_workers_16_servers", 48, 16, "psscheduler"},  // the main job, four times as large
    {"60_workers_4_servers/sunflow", 60, 4, "sunflow"},
};

Experiment experiment_of(const Case& job, const std::string& device, const std::string& tuning) {
  const std::string folder = ocs::test::source_dir() + "/testbed";
  const std::vector<std::string> keys{"name=" + tuning,
                                      "policy=" + std::string(job.policy),
                                      "fabric.device=" + device,
                                      "fabric.ports=64",
                                      "fabric.tuning=" + tuning,
                                      "job.workers=" + std::to_string(job.workers),
                                      "job.servers=" + std::to_string(job.servers),
                                      "job.iterations=8",
                                      "job.compute=0 ns",
                                      "job.payload=none"};
  return load_experiment(folder + "/experiments/main.toml", keys,
                         known_names({.data = folder, .version = {}}, folder + "/experiments"));
}

/// Time is that of the row: from placing the job to its end, with making the device and all nodes.
void whole_job(benchmark::State& state, const Case& job, const std::string& device, const std::string& tuning) {
  try {
    const Experiment experiment = experiment_of(job, device, tuning);
    double simulated = 0;
    std::int64_t circuits = 0, cycles = 0, edges = 0;
    for (auto _ : state) {
      const Row row = run_point(experiment.points.front(), {});
      state.SetIterationTime(row.wall_time_s);
      simulated += static_cast<double>(row.sync_time.n) * 1e-12;
      circuits += row.reconfigurations;
      cycles += row.cycles.n;
      edges += static_cast<std::int64_t>(row.edges);
    }
    state.counters["times_real"] = benchmark::Counter(simulated, benchmark::Counter::kIsRate);
    state.counters["circuits"] = benchmark::Counter(static_cast<double>(circuits), benchmark::Counter::kIsRate);
    state.counters["edges_per_circuit"] = static_cast<double>(edges) / static_cast<double>(circuits);
    state.counters["cycles_per_edge"] = static_cast<double>(cycles) / static_cast<double>(edges);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void add_all() {
  for (const Case& job : cases)
    for (const std::string device : {"verilated", "model"})
      for (const std::string tuning : {"10 ms", "100 us", "10 us"}) {
        std::string name = device + "/" + job.name + "/" + tuning;
        std::erase(name, ' ');
        benchmark::RegisterBenchmark(name.c_str(),
                                     [=](benchmark::State& state) { whole_job(state, job, device, tuning); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
      }
}

}  // namespace
}  // namespace ocs::bench

int main(int argc, char** argv) { return ocs::bench::run_all(argc, argv, ocs::bench::add_all); }
