// How long the main job takes with its nodes called directly, in threads, and in processes: medians and their ratios.
// "tcp_curve" is tcp with encryption, as between hosts.
//   bench_transport [--benchmark_repetitions=N] [--benchmark_filter=full]
// Runs are interleaved, because what else a machine does comes and goes.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>

#include "host/transport/node_key.hpp"
#include "testbed/coordinator/runners/direct_runner.hpp"
#include "testbed/coordinator/runners/process_runner.hpp"
#include "testbed/run/run.hpp"
#include "testbed/session/names.hpp"
#include "tests/common/places.hpp"

namespace {

using namespace ocs;

/// All rows of the main job, from making the runner to its end.
void main_job(benchmark::State& state, const std::string& transport, const std::string& payload) {
  const std::string folder = ocs::test::source_dir() + "/testbed";
  const std::vector<std::string> overrides{"nodes.transport=" + (transport == "direct"      ? "inproc"
                                                                 : transport == "tcp_curve" ? "tcp"
                                                                                            : transport),
                                           "job.payload=" + payload};
  const Experiment experiment = load_experiment(folder + "/experiments/main.toml", overrides,
                                                known_names({.data = folder, .version = {}}, folder + "/experiments"));
  const std::string key =
      (std::filesystem::temp_directory_path() / ("bench_transport." + std::to_string(getpid()))).string();
  if (transport == "tcp_curve") write_new_node_key(key);
  for (auto _ : state) {
    std::unique_ptr<NodeRunner> runner;
    RunOptions options;
    options.runner = [&](const Point&, std::size_t) -> NodeRunner* {
      if (transport == "direct") runner = make_direct_runner();
      if (transport != "direct" && transport != "inproc" && !runner)
        runner = make_process_runner({.transport = transport == "ipc" ? "ipc" : "tcp",
                                      .listen = {},
                                      .keys = transport == "tcp_curve" ? key : "",
                                      .expect = 0,
                                      .command = {ocs::test::built("lightloop"), "node"},
                                      .on_wait = {},
                                      .hook = {}});
      return runner.get();
    };
    for (const Point& point : experiment.points) {
      const Row row = run_point(point, options);
      if (row.crc_errors + row.sum_errors != 0) state.SkipWithError("payload was damaged");
    }
  }
  std::filesystem::remove(key);
}

/// The usual table, and the medians.
class Medians : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs)
      if (run.aggregate_name == "median") seconds_[run.run_name.function_name] = run.GetAdjustedRealTime() * 1e-3;
  }
  void print(const std::string& payload) const {
    const auto ratio = [&](const std::string& a, const std::string& b, const char* bound) {
      const auto over = seconds_.find(payload + "/" + a), under = seconds_.find(payload + "/" + b);
      if (over == seconds_.end() || under == seconds_.end()) return;
      std::printf("%-6s payload: %s / %s = %.2f%s\n", payload.c_str(), a.c_str(), b.c_str(),
                  over->second / under->second, payload == "full" ? bound : "");
    };
    ratio("inproc", "direct", " (at most 1.10)");
    ratio("ipc", "inproc", " (at most 2.00)");
    ratio("tcp", "inproc", "");
    ratio("tcp_curve", "tcp", " (at most 1.30)");
  }

 private:
  std::map<std::string, double> seconds_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> given(argv, argv + argc);
  given.insert(given.begin() + 1, {"--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=5",
                                   "--benchmark_report_aggregates_only=true"});
  std::vector<char*> arguments;
  for (std::string& argument : given) arguments.push_back(argument.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  for (const char* payload : {"full", "none"})
    for (const char* transport : {"direct", "inproc", "ipc", "tcp", "tcp_curve"})
      benchmark::RegisterBenchmark((std::string(payload) + "/" + transport).c_str(),
                                   [=](benchmark::State& state) { main_job(state, transport, payload); })
          ->Unit(benchmark::kMillisecond)
          ->Iterations(1)
          ->UseRealTime();
  Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);
  for (const char* payload : {"full", "none"}) medians.print(payload);
}
