// Settings of schemes that can't be, and what schemes don't go with: one sentence each.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

std::string complaint(const std::vector<std::string>& overrides) {
  return refusal([&] { scheme_experiment(overrides); });
}

TEST(SchemeSettings, OutOfRangeAreRefusedByTheirKeys) {
  EXPECT_EQ(complaint({"sync.s=1000001"}),
            "--set sync.s=1000001: sync.s is 1000001, but must be a whole number from 0 to 1000000");
  EXPECT_EQ(complaint({"sync.quota=0"}),
            "--set sync.quota=0: sync.quota is 0, but must be a whole number from 1 to 256");
  EXPECT_EQ(complaint({"sync.ahead=65"}),
            "--set sync.ahead=65: sync.ahead is 65, but must be a whole number from 1 to 64");
  EXPECT_EQ(complaint({"sync.k=-1"}), "--set sync.k=-1: sync.k is -1, but must be a whole number from 0 to 1000000");
  EXPECT_EQ(complaint({"sync.k=some"}),
            "--set sync.k=some: sync.k is \"some\", but must be a whole number from 0 to 1000000");
  EXPECT_EQ(complaint({"sync.ema_shift=17"}),
            "--set sync.ema_shift=17: sync.ema_shift is 17, but must be a whole number from 0 to 16");
  EXPECT_EQ(complaint({"sync.objective=best"}),
            "--set sync.objective=best: sync.objective is \"best\", but must be one of range, total");
  for (const char* r : {"\"1.2.3\"", "x", "\"1/0\"", "\"0.1234567\"", "\"-1\"", "\"\""})
    EXPECT_EQ(complaint({std::string("sync.r=") + r}).find("but must be a fraction such as") != std::string::npos, true)
        << r;
}

TEST(SchemeSettings, ThatDontGoTogetherAreRefused) {
  EXPECT_EQ(complaint({"job.sync=dssp", "sync.s_lo=5"}),
            "--set sync.s_lo=5: sync.s_lo is 5, but must be from 0 to 4 with job.sync \"dssp\"");
  EXPECT_EQ(complaint({"job.sync=p_of_n", "sync.p=9", "job.workers=8"}),
            "--set sync.p=9: sync.p is 9, but must be from 1 to 8 with job.sync \"p_of_n\"");
  EXPECT_EQ(complaint({"job.sync=r2sp", "sync.r=3/2"}),
            "--set sync.r=3/2: sync.r is 3/2, but must be from 0 to 1 with job.sync \"r2sp\"");
  EXPECT_EQ(complaint({"job.sync=r2sp", "sync.batch=4", "sync.batch_min=5"}),
            "--set sync.batch=4: sync.batch_min is 5, but must be from 1 to 4 with job.sync \"r2sp\"");
}

TEST(SchemeSettings, AreReadAsTheyAreWritten) {
  EXPECT_EQ(parse_fraction("0.8"), std::pair(4u, 5u));
  EXPECT_EQ(parse_fraction("4/5"), std::pair(4u, 5u));
  EXPECT_EQ(parse_fraction("1"), std::pair(1u, 1u));
  EXPECT_EQ(parse_fraction("0.000001"), std::pair(1u, 1'000'000u));
  EXPECT_EQ(run_scheme("p_of_n", {"sync.p=2", "sync.k=any"}).sync_settings, "p=2 k=any");
  EXPECT_EQ(run_scheme("r2sp", {"sync.r=1/2", "sync.strict=true"}).sync_settings, "r=1/2 strict=1 ema_shift=2");
  EXPECT_EQ(run_scheme("asp").sync_settings, "");
}

TEST(Schemes, AreRefusedWithWhatPlansForPhases) {
  const std::string why = " with job.sync \"asp\", whose transfers are planned as they come";
  EXPECT_EQ(complaint({"job.sync=asp", "fabric.all_stop=true"}),
            "--set fabric.all_stop=true: fabric.all_stop is true, but must be false" + why);
  EXPECT_EQ(
      complaint({"job.sync=asp", "scheduler=solstice"}).substr(0, 122),
      "--set scheduler=solstice: policy is \"sunflow_equal\" with scheduler \"solstice\", but with job.sync \"asp\" "
      "it must be one that");
}

TEST(Deaths, AreRefusedWhenTheyCantBe) {
  EXPECT_EQ(complaint({"nodes.deaths=99: 1 s"}),
            "--set nodes.deaths=99: 1 s: nodes.deaths names node 99, but must name nodes below 16");
  EXPECT_EQ(complaint({R"(nodes.deaths="3")"}),
            R"(--set nodes.deaths="3")"
            ": nodes.deaths is \"3\", but must be nodes and when they die, \"3: 2 s, 5: 7 s\"");
  EXPECT_EQ(complaint({"nodes.deaths=3: 1 s, 3: 2 s"}),
            "--set nodes.deaths=3: 1 s, 3: 2 s: nodes.deaths is \"3: 1 s, 3: 2 s\", but must let node 3 die once");
}

}  // namespace
}  // namespace ocs::test
