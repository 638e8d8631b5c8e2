// How long Sunflow takes to plan coflows that arrive over time: a synthetic trace, on paper. Planning alone is timed.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "host/controller/circuits/circuit_network.hpp"
#include "host/controller/paper_switch.hpp"
#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/jobs/coflows_job.hpp"
#include "tests/common/places.hpp"

namespace ocs {
namespace {

/// The output of tools/coflow-trace.
CoflowTrace made_trace() {
  std::string text;
  FILE* pipe = popen((ocs::test::source_dir() + "/tools/coflow-trace").c_str(), "r");
  if (pipe == nullptr) throw Error(ErrorKind::internal, "tools/coflow-trace can't be started");
  char part[4096];
  while (const std::size_t got = fread(part, 1, sizeof part, pipe)) text.append(part, got);
  if (pclose(pipe) != 0) throw Error(ErrorKind::internal, "tools/coflow-trace failed");
  return parse_coflow_trace(text, "made", "tools/coflow-trace");
}

class TimedScheduler final : public Scheduler {
 public:
  explicit TimedScheduler(const Scheduler& inner) : inner_(inner) {}
  Plan plan(const Problem& problem) const override {
    const auto from = std::chrono::steady_clock::now();
    Plan plan = inner_.plan(problem);
    spent_ += std::chrono::steady_clock::now() - from;
    return plan;
  }
  std::chrono::duration<double> spent() const { return spent_; }

 private:
  const Scheduler& inner_;
  mutable std::chrono::steady_clock::duration spent_{};
};

/// 526 coflows, 150 ports, 64-byte words; delta 10 ms; arg: Gbit/s.
void trace_on_paper(benchmark::State& state, const char* scheduler) {
  const Picos cycle{512'000 / state.range(0)};
  const auto works = work_of(made_trace(), cycle, Bytes{64});
  const auto rule = make(schedulers(), scheduler, "scheduler");
  CircuitConfig config;
  config.times.tuning = to_cycles(Picos{10'000'000'000}, cycle);
  config.online = config.at_ends = true;
  config.check = [](const Problem&, const Plan&) {};
  const CoflowsSpec spec{.works = works, .cycle = cycle};
  NetworkStats stats;
  for (auto _ : state) {
    PaperSwitch paper(150, spec.word_bytes, cycle, config.times);
    const TimedScheduler timed(*rule);
    CircuitNetwork network(paper, timed, config);
    benchmark::DoNotOptimize(run_coflows(spec, network, nullptr, nullptr));
    state.SetIterationTime(timed.spent().count());
    stats = network.stats();
  }
  double flows = 0;
  for (const PlanRecord& plan : stats.plans) flows += static_cast<double>(plan.flows);
  state.counters["plans"] = static_cast<double>(stats.plans.size());
  state.counters["circuits"] = static_cast<double>(stats.reservations);
  state.counters["flows_a_plan"] = flows / static_cast<double>(stats.plans.size());
}

BENCHMARK_CAPTURE(trace_on_paper, sunflow_inter, "sunflow_inter")
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace ocs
