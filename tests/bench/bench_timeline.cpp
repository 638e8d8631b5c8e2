// Events of a timeline a second, written to a file.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>

#include "testbed/timeline/trace_writer.hpp"

namespace {

using namespace ocs;

void write_slices(benchmark::State& state) {
  const std::string file = std::filesystem::temp_directory_path() / ("bench_timeline_" + std::to_string(getpid()));
  for (auto _ : state) {
    TraceWriter out(file, state.range(1) != 0);
    for (std::int64_t k = 0; k < state.range(0); ++k)
      out.slice({10, static_cast<int>(k % 64)}, "words", Picos{k * 5120}, Picos{(k + 3) * 5120},
                {{"input", k % 64}, {"words", 3}});
    out.finish();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::filesystem::file_size(file)));
  std::filesystem::remove(file);
}

}  // namespace

BENCHMARK(write_slices)->Args({10'000'000, 0})->Args({1'000'000, 1})->ArgNames({"events", "gzip"});
BENCHMARK_MAIN();
