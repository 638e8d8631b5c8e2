// Every policy of the catalogue runs a job to the right sums, equal on model and RTL, and no faster than its bounds.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/device/catalogue.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/experiment/run.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

Point tiny(const std::string& policy, const std::vector<std::string>& overrides) {
  Names names = test::few_names();
  names.policies = {policy};
  std::vector<std::string> all = {"policy=" + policy, "fabric.device=model",
                                  "job.workload=file:testbed/experiments/tiny.csv"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return load_experiment(LIGHTLOOP_SOURCE_DIR "/testbed/experiments/tiny.toml", all, names).points.at(0);
}

void expect_sound(const Row& row) {
  EXPECT_EQ(row.sum_errors, 0);
  EXPECT_EQ(row.crc_errors, 0);
  EXPECT_EQ(row.words_lost, 0);
  EXPECT_GE(row.pst_min, row.lp_bound);
  EXPECT_GE(row.pst_mean, row.bound);
  EXPECT_GE(row.pst_pipelined, row.pipelined_bound);
  EXPECT_GT(row.lp_bound, Picos{0});
}

TEST(EveryPolicy, RunsAJobToTheRightSums) {
  for (const Policy& policy : policies())
    for (const char* colocated : {"false", "true"}) {
      SCOPED_TRACE(std::string(policy.name) + ", colocated " + colocated);
      const std::string where = std::string("job.colocated=") + colocated;
      const Row row = run_point(tiny(std::string(policy.name), {where}), {});
      expect_sound(row);
      EXPECT_EQ(row.allocation, policy.allocation);
      EXPECT_EQ(row.colocated, colocated == std::string("true"));
    }
}

TEST(EveryPolicy, GivesEqualResultsOnTheRtl) {
  for (const Policy& policy : policies()) {
    SCOPED_TRACE(policy.name);
    const Row model = run_point(tiny(std::string(policy.name), {}), {});
    const Row rtl = run_point(tiny(std::string(policy.name), {"fabric.device=verilated"}), {});
    EXPECT_EQ(model.pst_mean, rtl.pst_mean);
    EXPECT_EQ(model.event_log_hash, rtl.event_log_hash);
  }
}

TEST(Colocated, PutsServersOnTheFirstWorkers) {
  const PreparedJob prepared = prepare(tiny("sunflow", {"job.colocated=true"}));
  EXPECT_EQ(prepared.job.workers, (std::vector<Node>{Node{0}, Node{1}, Node{2}}));
  EXPECT_EQ(prepared.placement.servers, (std::vector<Node>{Node{0}, Node{1}}));
}

TEST(Colocated, NeedsNoMorePortsThanWorkersAndNoMoreServers) {
  EXPECT_EQ(tiny("sunflow", {"job.colocated=true", "job.workers=5"}).node_count(), 5);
  const auto complaint = [](const std::vector<std::string>& overrides) {
    return test::refusal([&] { tiny("sunflow", overrides); });
  };
  EXPECT_EQ(complaint({"job.colocated=true", "job.servers=4"}),
            "--set job.servers=4: job.servers is 4, but must be at most job.workers, which is 3, when job.colocated is "
            "true");
  EXPECT_NE(
      complaint({"job.colocated=true", "job.workers=6"}).find("the workers must be at most fabric.ports, which is 5"),
      std::string::npos);
  EXPECT_NE(complaint({"job.colocated=yes"}).find("must be true or false"), std::string::npos);
}

}  // namespace
}  // namespace ocs
