// Iterations of language models on the engine: plans to the cycle, closed forms, one hash on model and RTL.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/experiment/shown_settings.hpp"
#include "testbed/llm/llm_workload.hpp"
#include "testbed/why/chain.hpp"
#include "tests/common/refusal.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

Experiment llm_experiment(const std::string& workload, const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = {"fabric.device=model", "fabric.ports=16",  "fabric.tuning=10.24 us",
                                  "policy=sunflow",      "job.iterations=1", "job.workload=\"" + workload + "\""};
  all.insert(all.end(), more.begin(), more.end());
  std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
  for (const std::string& each : all) later.push_back(read_override(each));
  apply_overrides(settings, later);
  Names names = all_schemes();
  names.load_phases = [](std::string_view name) { return load_phased_input(name, "."); };
  return resolve(settings, names, "x.toml");
}

Point llm_point(const std::string& workload, const std::vector<std::string>& more = {}) {
  return llm_experiment(workload, more).points.front();
}

std::int64_t cycles_of(const Row& row, const Point& point) { return row.sim_time.n / point.fabric.cycle.n; }

/// All gradients at the end: delta is hidden by the computing, unless circuits change after it.
TEST(LlmRuns, OfReplicasTakeTheirComputingAndOneRing) {
  const std::string workload = "llm:llama2_7b?dp=4,batch=1,seq=1024";
  const std::int64_t words = divide_up(std::int64_t{6'738'415'616} * 2, 64), ring = 2 * words - 2 * (words / 4);
  for (const char* device : {"fabric.device=model", "fabric.device=verilated"}) {
    const Point preset = llm_point(workload, {"collective.reconfigure=always", device});
    const std::int64_t computing = collective_of(preset).legs.front().gap;
    EXPECT_EQ(cycles_of(run_point(preset, {}), preset), computing + 1 + ring);
    const Point later = llm_point(workload, {"collective.reconfigure=always", "collective.preset=false", device});
    EXPECT_EQ(cycles_of(run_point(later, {}), later), computing + 2001 + ring);
    const Point scheduled = llm_point(workload, {device});
    EXPECT_EQ(cycles_of(run_point(scheduled, {}), scheduled), computing + 2001 + ring);
  }
}

/// Computing before each phase is known to nobody but the job.
TEST(LlmRuns, OfEveryPolicyAreExplainedByComputingAndTheSwitch) {
  for (const char* policy : {"scheduler", "always", "never", "optimal"})
    for (const char* preset : {"true", "false"}) {
      if (policy == std::string_view("scheduler") && preset == std::string_view("false")) continue;
      SCOPED_TRACE(std::string(policy) + ", preset " + preset);
      std::vector<std::string> more = {"collective.reconfigure=" + std::string(policy), "job.iterations=2"};
      if (policy != std::string_view("scheduler")) more.push_back(std::string("collective.preset=") + preset);
      const Point point = llm_point("llm:llama2_7b?dp=2,pp=4,batch=3,seq=512", more);
      History history;
      RunOptions options;
      options.watch = &history;
      run_point(point, options);
      const Span first = spans_of(history).front();
      const auto causes = totals_of(chain_of(history, first)).causes;
      std::int64_t computing = 0;
      for (const Between& one : history.between)
        if (one.iteration == 0) computing += (one.to - one.from).n;
      EXPECT_EQ(causes[static_cast<std::size_t>(Cause::compute)].n, computing);
      EXPECT_EQ(causes[static_cast<std::size_t>(Cause::gate)], Picos{0});
      const bool hidden = policy != std::string_view("scheduler") && preset == std::string_view("true");
      EXPECT_EQ(causes[static_cast<std::size_t>(Cause::dark)] == Picos{0}, hidden);
      EXPECT_GT(causes[static_cast<std::size_t>(Cause::communication)], Picos{0});
    }
}

const char* const mixes[] = {"llm:llama2_7b?dp=2,pp=4,batch=3,seq=512",
                             "llm:mixtral_8x7b?dp=4,ep=4,pp=2,seq=64,gini=0.3",
                             "llm:llama3_8b?tp=2,pp=2,dp=2,inside=none,seq=64,data=reduce_scatter"};

/// Cycles of a plan from a dark switch, and the computing after it.
TEST(LlmRuns, OfEveryPolicyTakeTheCyclesOfTheirPlanOnModelAndRtl) {
  for (const char* workload : mixes)
    for (const ReconfigurationPolicy& policy : reconfiguration_policies())
      for (const char* preset : {"true", "false"}) {
        const std::vector<std::string> settings = {"collective.reconfigure=" + std::string(policy.name),
                                                   std::string("collective.preset=") + preset};
        const Point point = llm_point(workload, settings);
        const PointCollective one = collective_of(point);
        const auto plan = policy.plan(leg_sequence(point, one.legs));
        ASSERT_TRUE(plan);
        const Row row = run_point(point, {});
        EXPECT_EQ(cycles_of(row, point), plan->cost.cycles + one.tail.n) << workload << policy.name << preset;
        EXPECT_EQ(row.words_lost + row.words_misrouted, 0);
        if (policy.name != "optimal") continue;
        std::vector<std::string> rtl = settings;
        rtl.emplace_back("fabric.device=verilated");
        EXPECT_EQ(run_point(llm_point(workload, rtl), {}).event_log_hash, row.event_log_hash) << workload << preset;
      }
}

TEST(LlmRuns, ByASchedulerGiveOneHashOnModelAndRtl) {
  for (const char* workload : mixes) {
    const Row row = run_point(llm_point(workload, {"job.iterations=2"}), {});
    const Row rtl = run_point(llm_point(workload, {"job.iterations=2", "fabric.device=verilated"}), {});
    EXPECT_EQ(rtl.event_log_hash, row.event_log_hash) << workload;
    EXPECT_EQ(row.collective, "phases");
    EXPECT_EQ(row.payload, "none");
  }
}

/// 2 (P - 1) M sends one after the other, each alpha + w more than computing; circuits are up beforehand.
TEST(LlmRuns, OfAPipelineTakeItsBubbleAndItsSends) {
  const Point point = llm_point("llm:llama2_7b?pp=2,batch=3,seq=512", {"collective.reconfigure=never"});
  const PointCollective one = collective_of(point);
  std::int64_t computing = one.tail.n;
  for (const Leg& leg : one.legs) computing += leg.gap;
  const std::int64_t send = 512 * 4096 * 2 / 64;
  EXPECT_EQ(one.legs.size(), 6u);
  EXPECT_EQ(cycles_of(run_point(point, {}), point), computing + 6 * (1 + send));
}

/// Iterations whose routing is drawn differ, and each is planned by itself.
TEST(LlmRuns, RouteEachIterationAnew) {
  const std::string workload = "llm:mixtral_8x7b?dp=4,ep=4,seq=64,gini=0.4";
  const auto run = [&](const char* iterations) {
    return run_point(llm_point(workload, {"collective.reconfigure=optimal", iterations}), {});
  };
  const Point point = llm_point(workload);
  EXPECT_NE(collective_of(point, 0).legs.front().transfers, collective_of(point, 1).legs.front().transfers);
  const Row three = run("job.iterations=3");
  std::int64_t words = 0;
  for (std::uint32_t k = 0; k < 3; ++k) words += collective_of(point, k).words;
  EXPECT_GE(three.words_passed, words);
  const Row again = run("job.iterations=3");
  EXPECT_EQ(again.event_log_hash, three.event_log_hash);
}

/// Payload changes no time, and every phase leaves what it promises; the routing of the first mix is drawn.
TEST(LlmRuns, CarryThePayloadOfTheirPhases) {
  struct Mix {
    const char *workload, *payload, *reconfigure;
  };
  for (const Mix& mix : {Mix{"llm:mixtral_8x7b?dp=4,ep=4,seq=8,gini=0.3", "digest", "optimal"},
                         Mix{"llm:llama2_7b?tp=4,pp=2,inside=none,seq=8", "full", "scheduler"},
                         Mix{"llm:llama2_7b?tp=4,pp=2,inside=none,seq=8,tp_algorithm=swing", "full", "never"},
                         Mix{"llm:llama2_7b?pp=4,batch=3,seq=16", "digest", "scheduler"},
                         Mix{"llm:llama2_7b?pp=4,batch=3,seq=16", "full", "never"}}) {
    std::vector<std::string> settings = {"job.iterations=2", std::string("collective.reconfigure=") + mix.reconfigure};
    const Row none = run_point(llm_point(mix.workload, settings), {});
    settings.push_back(std::string("job.payload=") + mix.payload);
    const Row row = run_point(llm_point(mix.workload, settings), {});
    EXPECT_EQ(row.payload, mix.payload);
    EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted, 0) << mix.workload << mix.reconfigure;
    EXPECT_EQ(row.event_log_hash, none.event_log_hash) << mix.workload << mix.reconfigure;
    EXPECT_EQ(row.bytes_delivered, none.bytes_delivered) << mix.workload << mix.reconfigure;
  }
}

TEST(LlmRuns, RefuseMorePayloadThanThereIsRoomFor) {
  const auto complaint = [](const std::string& workload, const std::vector<std::string>& more) {
    return refusal([&] { llm_point(workload, more); });
  };
  const std::int64_t words = divide_up(std::int64_t{6'738'415'616} * 2, 64);
  EXPECT_EQ(complaint("llm:llama2_7b?dp=4,seq=8", {"job.payload=full"}),
            "--set job.payload=full: job.payload is \"full\", but must be \"digest\" or \"none\" with job.workload "
            "\"llm:llama2_7b?dp=4,seq=8\" where all workers together keep more than 1 GB of numbers; they would keep " +
                to_text(words * 4 * 64, Dimension::size));
  // Each of 32 layers has four all_to_alls of 16 blocks, and all replicas have an all_reduce of 4 blocks.
  const std::string drawn = "llm:mixtral_8x7b?dp=4,ep=4,seq=8,gini=0.3";
  llm_point(drawn, {"job.payload=digest", "job.iterations=255"});
  EXPECT_EQ(complaint(drawn, {"job.payload=digest", "job.iterations=1000"}),
            "--set job.payload=digest: job.payload is \"digest\", but must be \"none\" where iterations whose traffic "
            "is drawn have more than 524288 blocks in all; the first 256 have 525312");
}

TEST(LlmRuns, ShowThePayloadOfTheirRow) {
  const std::vector<ShownSetting> shown = shown_settings(llm_experiment("llm:llama2_7b?dp=4,batch=1,seq=1024"), 0);
  const auto payload = std::find_if(shown.begin(), shown.end(), [](const auto& s) { return s.key == "job.payload"; });
  ASSERT_NE(payload, shown.end());
  EXPECT_EQ(payload->value, "none");
}

TEST(LlmRuns, RefuseWhatDoesNotFit) {
  const auto complaint = [](const std::string& workload, const std::vector<std::string>& more = {}) {
    return refusal([&] { llm_point(workload, more); });
  };
  EXPECT_NE(complaint("llm:llama2_70b?dp=4,tp=8,pp=8")
                .find("which has 32 nodes (dp * tp * pp without what stays inside "
                      "a node), but must have at most 16, which is fabric.ports"),
            std::string::npos);
  EXPECT_NE(complaint("llm:llama2_70b?dp=4", {"job.collective=all_reduce"}).find("must be \"none\""),
            std::string::npos);
  EXPECT_NE(complaint("llm:mixtral_8x7b?dp=4,ep=4,gini=0.2", {"job.duration=1 s"}).find("job.duration must be"),
            std::string::npos);
  EXPECT_NE(complaint("llm:llama2_70b?dp=3,dp_algorithm=halving_doubling").find("2, 4, 8"), std::string::npos);
}

TEST(LlmRuns, WarnOfKeysThatTheWorkloadReplaces) {
  const auto sentences = without_effect(llm_experiment("llm:llama2_7b?dp=4", {"job.workers=7", "job.compute=1 ms"}));
  ASSERT_EQ(sentences.size(), 3u) << "and the seed draws nothing";
  EXPECT_NE(sentences[0].find("job.workload says the phases, their ranks and their computing"), std::string::npos);
}

}  // namespace
}  // namespace ocs::test
