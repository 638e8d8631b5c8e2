// Schedules of pipelines, routing of tokens, and the phases of an iteration.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "testbed/collectives/routing.hpp"
#include "testbed/llm/llm_workload.hpp"
#include "testbed/llm/pipeline.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::test {
namespace {

constexpr PhaseUnits units{64, Picos{5120}, 1};

PhasedIteration iteration_of(const std::string& name, std::uint32_t number = 0) {
  return make_llm_workload(parse_llm(name))->iteration(number, units);
}

/// (M + P - 1)(f + b): the bubble of 1F1B is that of P - 1 microbatches.
TEST(Pipeline, TakesItsMicrobatchesAndItsBubble) {
  for (const int stages : {1, 2, 3, 4, 8})
    for (const int microbatches : {1, 2, 3, 4, 8, 13}) {
      const std::vector<PassTimes> times(static_cast<std::size_t>(stages), {Picos{10}, Picos{23}});
      Picos end{0};
      const auto passes = one_forward_one_backward(times, microbatches);
      for (const StagePass& pass : passes) end = std::max(end, pass.end);
      EXPECT_EQ(end.n, (microbatches + stages - 1) * 33) << stages << " " << microbatches;
      EXPECT_EQ(passes.size(), static_cast<std::size_t>(2 * stages * microbatches));
    }
}

/// A stage never keeps more microbatches than there are stages from it on.
TEST(Pipeline, KeepsFewMicrobatches) {
  for (const StagePass& pass : one_forward_one_backward(std::vector<PassTimes>(4, {Picos{10}, Picos{20}}), 16)) {
    std::int64_t kept = 0;
    for (const StagePass& other : one_forward_one_backward(std::vector<PassTimes>(4, {Picos{10}, Picos{20}}), 16))
      if (other.stage == pass.stage && other.start <= pass.start) kept += other.backward ? -1 : 1;
    EXPECT_LE(kept, static_cast<std::int64_t>(4 - pass.stage));
  }
}

double gini_of(std::vector<std::int64_t> counts) {
  std::sort(counts.begin(), counts.end());
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += (2.0 * static_cast<double>(i) - static_cast<double>(counts.size()) + 1) * static_cast<double>(counts[i]);
    total += static_cast<double>(counts[i]);
  }
  return sum / total / static_cast<double>(counts.size());
}

TEST(Routing, HasTheGiniCoefficientThatIsAskedForAndChangesWithTheIteration) {
  for (const std::int64_t experts : {2, 8, 64})
    for (const std::int64_t gini : {0, 100, 250, 400}) {
      const auto counts = routed_tokens(1'000'000, experts, gini, 7, 3);
      EXPECT_NEAR(gini_of(counts), static_cast<double>(gini) / 1000, 1e-4) << experts;
      EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), 1'000'000);
      EXPECT_EQ(counts, routed_tokens(1'000'000, experts, gini, 7, 3));
      if (gini == 0 || experts == 2) continue;
      EXPECT_NE(counts, routed_tokens(1'000'000, experts, gini, 7, 4));
      EXPECT_NE(counts, routed_tokens(1'000'000, experts, gini, 8, 3));
    }
  EXPECT_EQ(routed_tokens(8, 4, 0, 1, 0), (std::vector<std::int64_t>{2, 2, 2, 2}));
}

std::int64_t words_of(const TrafficPhase& phase) {
  if (const auto* pairs = std::get_if<PairPhase>(&phase.what)) return pairs->pairs.front().words.n;
  std::int64_t sum = 0;
  const auto& group = std::get<GroupPhase>(phase.what);
  for (std::size_t b = 0; b < group.list.blocks; ++b) sum += group.sizes[b].n;
  return sum;
}

/// Of 2 M (P - 1) sends between stages some are at one time; then the embedding of GPT, then gradients.
TEST(LlmIteration, OfAPipelineSendsActivationsAndGradientsBetweenItsStages) {
  const PhasedIteration one = iteration_of("llm:gpt3_6_7b?dp=2,pp=4,batch=8,seq=2048,micro=1");
  std::size_t sends = 0;
  for (const TrafficPhase& phase : one.phases)
    if (const auto* pairs = std::get_if<PairPhase>(&phase.what)) {
      sends += pairs->pairs.size();
      EXPECT_EQ(pairs->pairs.front().words.n, 2048 * 4096 * 2 / 64);
    }
  EXPECT_EQ(sends, 2u * 8 * 3 * 2);
  ASSERT_GE(one.phases.size(), 2u);
  EXPECT_EQ(words_of(one.phases[one.phases.size() - 2]), 50257 * 4096 * 2 / 64)
      << "the embedding that two stages share";
  const auto& data = std::get<GroupPhase>(one.phases.back().what);
  EXPECT_EQ(data.groups.size(), 4u);
  EXPECT_EQ(words_of(one.phases.back()),
            divide_up(stage_parameters(parse_llm("llm:gpt3_6_7b?dp=2,pp=4"), 0).dense * 2, 64));
}

TEST(LlmIteration, OfTensorParallelRanksHasFourAllReducesALayer) {
  const PhasedIteration one = iteration_of("llm:llama2_7b?tp=8,inside=none,batch=2,seq=1024");
  EXPECT_EQ(one.phases.size(), 2u * 4 * 32);
  for (const TrafficPhase& phase : one.phases) EXPECT_EQ(words_of(phase), 1024 * 4096 * 2 / 64);
  EXPECT_TRUE(std::ranges::all_of(one.phases, [](const TrafficPhase& phase) { return phase.gap > 0; }));
}

/// In a layer tokens go to experts and back, once forward and once backward; a rank keeps what its own experts get.
TEST(LlmIteration, OfExpertsExchangesItsTokens) {
  const PhasedIteration one = iteration_of("llm:mixtral_8x7b?dp=4,ep=4,batch=1,seq=1024");
  ASSERT_EQ(one.phases.size(), 4u * 32 + 1);
  const auto& dispatch = std::get<GroupPhase>(one.phases.front().what);
  EXPECT_EQ(dispatch.list.kind, CollectiveKind::all_to_all);
  EXPECT_EQ(dispatch.sizes[1].n, 1024 * 2 / 4 * 4096 * 2 / 64) << "a quarter of the tokens of both experts of a token";
}

/// 2 (N - 1) / N of an all-reduce are two times (N - 1) / N of its halves.
TEST(LlmIteration, MayScatterGradientsAndGatherParameters) {
  const PhasedIteration one = iteration_of("llm:llama2_7b?dp=4,data=reduce_scatter");
  ASSERT_EQ(one.phases.size(), 2u);
  EXPECT_EQ(std::get<GroupPhase>(one.phases[0].what).list.kind, CollectiveKind::reduce_scatter);
  EXPECT_EQ(std::get<GroupPhase>(one.phases[1].what).list.kind, CollectiveKind::all_gather);
  EXPECT_EQ(words_of(one.phases[0]), divide_up(std::int64_t{6'738'415'616} * 2, 64));
}

TEST(LlmIteration, ComputesAsLongAsItsOperationsTake) {
  const LlmSettings settings = parse_llm("llm:llama2_7b?dp=4,batch=3,seq=4096,tflops=100,mfu=0.5");
  const TokenOperations per = token_operations(settings.model, 4096);
  const double seconds = 3.0 * 3 * 4096 * static_cast<double>(32 * (per.attention + per.expert) + per.head) / 50e12;
  EXPECT_NEAR(
      static_cast<double>(iteration_of("llm:llama2_7b?dp=4,batch=3,seq=4096,tflops=100,mfu=0.5").phases[0].gap) *
          5120e-12,
      seconds, 1e-6 * seconds);
}

TEST(LlmIteration, TakesTheTimesOfATable) {
  LlmSettings settings = parse_llm("llm:llama2_7b?pp=2,batch=4,tp=8");
  settings.times = {{Picos{51'200}, Picos{102'400}}, {Picos{51'200}, Picos{102'400}}};
  const PhasedIteration one = make_llm_workload(settings)->iteration(0, units);
  std::int64_t cycles = one.tail.n;
  for (const TrafficPhase& phase : one.phases) cycles += phase.gap;
  EXPECT_EQ(cycles, (4 + 1) * 30);
}

/// The node of a rank: the first dimension of the order varies fastest.
TEST(LlmIteration, PlacesRanksInItsOrder) {
  const auto first_pair = [](const char* order) {
    const auto one = iteration_of(std::string("llm:llama2_7b?dp=2,pp=2,order=") + order);
    return std::get<PairPhase>(one.phases.front().what).pairs.front();
  };
  EXPECT_EQ(first_pair("tp-dp-pp").receiver, 2);
  EXPECT_EQ(first_pair("tp-pp-dp").receiver, 1);
}

/// All-reduces inside a node take 2 (n - 1) / n of their bytes at its rate.
TEST(LlmIteration, AddsTheTrafficInsideANodeIfItHasARate) {
  const auto gap = [](const char* more) {
    return iteration_of(std::string("llm:llama2_7b?dp=2,tp=8,batch=1,seq=1024") + more).phases.front().gap;
  };
  const std::int64_t bytes = 1024 * 4096 * 2, ps = 2 * bytes / 8 * 7 * 8000 / 2400;
  EXPECT_NEAR(static_cast<double>(gap("&inside_gbps=2400") - gap("")), 4.0 * 32 * static_cast<double>(ps) / 5120, 128);
}

TEST(LlmIteration, RefusesSkewThatSoFewExpertsCannotHave) {
  EXPECT_EQ(refusal([] { make_llm_workload(parse_llm("llm:mixtral_8x7b?dp=4,ep=4,gini=0.9")); }),
            "must have gini at most 653 thousandths with 8 experts");
}

}  // namespace
}  // namespace ocs::test
