// The main() of benchmarks that are registered when the program runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

namespace ocs::bench {

/// @param add_all registers the benchmarks. @returns what main() returns: 2 for an argument that nobody knows.
inline int run_all(int argc, char** argv, void (*add_all)()) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  add_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace ocs::bench
