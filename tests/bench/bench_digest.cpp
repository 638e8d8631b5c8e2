// How long the digest of words takes that nobody carries: in one step, and word by word.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "host/core/word_digest.hpp"

namespace {

using namespace ocs;

/// About so many words at once, other ones each time.
void jump(benchmark::State& state) {
  WordDigest digest(1);
  std::int64_t first = 0;
  for (auto _ : state) {
    const WordRun run{Words{first}, Words{state.range(0) + (first & 0xfff)}};
    digest.add(run);
    first += run.count.n;
    benchmark::DoNotOptimize(digest);
  }
}

void word_by_word(benchmark::State& state) {
  WordDigest digest(1);
  for (auto _ : state) {
    for (std::int64_t k = 0; k < state.range(0); ++k) digest.add({Words{k}, Words{1}});
    benchmark::DoNotOptimize(digest);
  }
}

}  // namespace

BENCHMARK(jump)->Arg(20'000)->Arg(1'000'000);
BENCHMARK(word_by_word)->Arg(20'000);
BENCHMARK_MAIN();
