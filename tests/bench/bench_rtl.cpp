// How fast the RTL runs: clock edges and cycles a second, against real time, the counter-style core and the C++ model.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

#include "host/core/error.hpp"
#include "ocs_regs.h"
#include "tests/bench/main.hpp"
#include "tests/bench/workload.hpp"

namespace ocs::bench {
namespace {

constexpr double real_time = 195.3125e6;  // cycles a second at 64 byte words and 100 Gbit/s

/// One slot after another until the benchmark has enough.
void run(benchmark::State& state, const std::string& device, int ports, bool warp, const Workload& workload,
         std::int64_t cycles_at_once) {
  try {
    Busy busy(device, ports, warp, workload);
    FabricClock& clock = busy.device().clock();
    clock.run_until(clock.now() + Cycles{3 * busy.slot()});
    const std::int64_t first = clock.now().n;
    const std::uint64_t edges = clock.edges();
    for (auto _ : state) clock.run_until(clock.now() + Cycles{cycles_at_once > 0 ? cycles_at_once : busy.slot()});
    const double cycles = static_cast<double>(clock.now().n - first);
    const double counted = static_cast<double>(clock.edges() - edges);
    state.counters["edges"] = benchmark::Counter(counted, benchmark::Counter::kIsRate);
    state.counters["cycles"] = benchmark::Counter(cycles, benchmark::Counter::kIsRate);
    state.counters["times_real"] = benchmark::Counter(cycles / real_time, benchmark::Counter::kIsRate);
    state.counters["cycles_per_edge"] = cycles / counted;
    if (busy.passed() == 0) state.SkipWithError("no word passed");
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

/// Every input sends in nearly every cycle, and every word crosses: cycles a second, and words that were compared.
void add_words(int ports) {
  const std::string name = "verilated/" + std::to_string(ports) + "/words_of_512_bits";
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    try {
      Busy busy("verilated", ports, true, {"", 10, 10000, 0}, true);
      FabricClock& clock = busy.device().clock();
      clock.run_until(clock.now() + Cycles{1000});
      const std::int64_t first = clock.now().n;
      const std::uint64_t compared = clock.words_compared();
      for (auto _ : state) clock.run_until(clock.now() + Cycles{1000});
      state.counters["cycles"] =
          benchmark::Counter(static_cast<double>(clock.now().n - first), benchmark::Counter::kIsRate);
      state.counters["words"] =
          benchmark::Counter(static_cast<double>(clock.words_compared() - compared), benchmark::Counter::kIsRate);
    } catch (const Error& error) {
      state.SkipWithError(error.what());
    }
  })->Unit(benchmark::kMicrosecond);
}

/// One register access after the other, while the clock stands still.
void add_accesses(int ports) {
  for (const bool writes : {false, true}) {
    const std::string name = "verilated/" + std::to_string(ports) + (writes ? "/writes" : "/reads");
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
      try {
        Busy busy("verilated", ports, true, {"", 10, 10000, 0});
        RegisterBus& bus = busy.device().bus();
        const auto address =
            static_cast<std::uint32_t>(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, SEQ_BASE));
        for (auto _ : state)
          if (writes)
            bus.write(address, 0);
          else
            benchmark::DoNotOptimize(bus.read(address));
        state.counters["accesses"] =
            benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
      } catch (const Error& error) {
        state.SkipWithError(error.what());
      }
    })->Unit(benchmark::kNanosecond);
  }
}

void add(const std::string& device, int ports, bool warp, const Workload& workload, std::int64_t at_once = 0) {
  const std::string name =
      device + "/" + std::to_string(ports) + "/" + workload.name + (warp ? "/warped" : "/every_cycle");
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    run(state, device, ports, warp, workload, at_once);
  })->Unit(benchmark::kMicrosecond);
}

const std::array<Workload, 5> workloads{{
    {"10ms_together", 1953125, 1953125, 0},
    {"10ms_own_cycle", 1953125, 1953125, 2000},
    {"10us_together", 1954, 20000, 0},
    {"10us_own_cycle", 1954, 20000, 20},
    {"4_cycles", 4, 16, 0},
}};

void add_all() {
  for (const int ports : {4, 64}) add_words(ports);
  for (const int ports : {4, 64}) add_accesses(ports);
  for (const char* device : {"verilated", "verilated_counter", "model"})
    for (const int ports : {8, 16, 64, 128, 256}) {
      const std::string name = device;
      if (name == "verilated_counter" && ports > 64) continue;  // slower still
      for (const Workload& workload : workloads) add(name, ports, true, workload);
      if (name != "model") add(name, ports, false, workloads[2], name == "verilated" ? 100000 : 10000);
    }
}

}  // namespace
}  // namespace ocs::bench

int main(int argc, char** argv) { return ocs::bench::run_all(argc, argv, ocs::bench::add_all); }
