// Gradients that workers sum over the switch without servers: one curve wherever nodes and switch run, and that of bsp.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/policies.hpp"
#include "tests/learning/picture_files.hpp"
#include "tests/learning/support.hpp"
#include "tests/schemes/processes.hpp"

namespace ocs::test {
namespace {

using testing::HasSubstr;

/// Four workers; an evaluation each round.
std::vector<std::string> all_reduce(const std::string& algorithm, const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = {"job.collective=all_reduce", "job.algorithm=" + algorithm, "job.workers=4",
                                  "learning.every=4"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<std::string> algorithms() {
  std::vector<std::string> names;
  for (const CollectiveEntry& entry : algorithms_of(CollectiveKind::all_reduce)) names.emplace_back(entry.name);
  return names;
}

TEST(LearningAllReduce, GoesDownWithEveryAlgorithm) {
  for (const std::string& algorithm : algorithms()) {
    const Row row = learn(all_reduce(algorithm, {"job.iterations=20", "learning.shards=iid"}));
    EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << algorithm;
    EXPECT_EQ(row.gradients, "real");
    EXPECT_THAT(row.learning_settings, HasSubstr("model=softmax shards=iid rate=1/2 batch=16 every=4"));
    EXPECT_NEAR(row.learning->curve.front().loss, std::log(10.0), 1e-9) << "softmax starts with 0";
    EXPECT_EQ(row.learning->curve.back().updates, row.schemes->updates) << algorithm;
    EXPECT_EQ(row.learning->curve.back().at, row.sim_time) << algorithm;
    EXPECT_LT(row.learning->loss, 1.2) << algorithm;
    EXPECT_GT(row.learning->accuracy, 0.8) << algorithm;
    EXPECT_EQ(row.learning->samples, "320 320 320 320") << algorithm;
    EXPECT_TRUE(row.learning->to_target) << algorithm;
  }
}

/// The same gradients in the same rounds; sums are rounded in another order.
TEST(LearningAllReduce, HasTheCurveOfBspButForRounding) {
  for (const std::string model : {"softmax", "mlp"})
    for (const std::string& algorithm : algorithms()) {
      const std::vector<std::string> same = {"job.workload=" + model, "job.iterations=12", "fabric.ports=8"};
      const Row row = learn(all_reduce(algorithm, same));
      auto servers = same;
      servers.insert(servers.end(), {"job.sync=bsp", "job.workers=4", "learning.every=4"});
      const Row bsp = learn(servers);
      ASSERT_EQ(row.learning->curve.size(), bsp.learning->curve.size());
      for (std::size_t k = 0; k < bsp.learning->curve.size(); ++k) {
        SCOPED_TRACE(model + ", " + algorithm + ", point " + std::to_string(k));
        EXPECT_EQ(row.learning->curve[k].updates, bsp.learning->curve[k].updates);
        EXPECT_NEAR(row.learning->curve[k].loss, bsp.learning->curve[k].loss, 1e-5);
        EXPECT_NEAR(row.learning->curve[k].accuracy, bsp.learning->curve[k].accuracy, 0.005) << "one picture of 200";
      }
      EXPECT_EQ(row.learning->samples, bsp.learning->samples);
    }
}

TEST(LearningAllReduce, HasOneCurveOnEveryDeviceAndWithoutTimeWarp) {
  for (const std::string& algorithm : algorithms()) {
    const auto right = curve(learn(all_reduce(algorithm)));
    for (const char* other : {"fabric.device=verilated_counter", "fabric.device=verilated", "fabric.device=sysc",
                              "fabric.device=sysc-rtl", "fabric.time_warp=false"})
      EXPECT_EQ(curve(learn(all_reduce(algorithm, {other}))), right) << algorithm << ", " << other;
  }
}

TEST(LearningAllReduce, HasOneCurveInThreadsAndInProcesses) {
  const PictureFiles files;
  const InProcesses ipc("ipc"), tcp("tcp");
  for (const char* model : {"softmax", "mlp"})
    for (const std::string& algorithm : algorithms()) {
      Point point = learning_experiment(all_reduce(algorithm, {"job.workload=" + std::string(model), "job.iterations=3",
                                                               "learning.data=" + files.path()}))
                        .points.front();
      point.job.learning.loaded = std::make_shared<const Dataset>(load_dataset(files.path()));
      const auto right = curve(run_point(point, {}));
      EXPECT_EQ(curve(ipc.run(point)), right) << algorithm << ", " << model;
      EXPECT_EQ(curve(tcp.run(point)), right) << algorithm << ", " << model;
    }
}

/// Ranks relay what has no circuit; another policy is another time, and the same model.
TEST(LearningAllReduce, HasOneCurveUnderEveryPolicyOfCircuitsButForTime) {
  for (const std::string& algorithm : algorithms()) {
    const Row scheduled = learn(all_reduce(algorithm));
    for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
      const Row row = learn(all_reduce(algorithm, {"collective.reconfigure=" + std::string(policy.name)}));
      EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << algorithm << ", " << policy.name;
      EXPECT_EQ(scores(row), scores(scheduled)) << algorithm << ", " << policy.name;
    }
    const Row packets = learn(all_reduce(algorithm, {"network=packet"}));
    EXPECT_EQ(scores(packets), scores(scheduled)) << algorithm << " over packets";
    EXPECT_NE(packets.sim_time, scheduled.sim_time);
  }
}

TEST(LearningAllReduce, LearnsTheSameThroughAPortThatFails) {
  const std::vector<std::string> job = all_reduce("halving_doubling", {"job.iterations=10"});
  const Row whole = learn(job);
  auto dark = job;
  dark.emplace_back("fabric.outages=0: 2 ms - 4 ms");
  const Row cut = learn(dark);
  EXPECT_GT(cut.words_retransmitted, 0);
  EXPECT_EQ(scores(cut), scores(whole));
  EXPECT_GT(cut.learning->curve.back().at, whole.learning->curve.back().at);
}

TEST(LearningAllReduce, EndsWithTheRoundThatItsDurationCuts) {
  const Row row = learn(all_reduce("ring", {"job.duration=2 ms"}));
  ASSERT_GT(row.schemes->updates, 8);
  EXPECT_EQ(row.learning->curve.back().updates, row.schemes->updates);
  EXPECT_EQ(scores(row).size(), static_cast<std::size_t>(row.schemes->updates / 4 + 1));
}

TEST(LearningAllReduce, IsOneOfSeveralJobsWithTimesFromItsArrival) {
  const auto jobs = [](const std::string& arrival) {
    return learn({"fabric.ports=8", "learning.every=0",
                  "jobs='[{workers = 2, servers = 1, iterations = 2}, {collective = \"all_reduce\", workers = 4, "
                  "first_node = 4, arrival = \"" +
                      arrival + "\"}]'"})
        .jobs;
  };
  const Row alone = learn(all_reduce("ring", {"fabric.ports=8", "learning.every=0"}));
  for (const char* arrival : {"0 us", "5 ms"}) {
    const JobEntry entry = jobs(arrival).at(1);
    EXPECT_EQ(entry.kind, "collective");
    EXPECT_EQ(entry.loss, alone.learning->loss);
    ASSERT_EQ(entry.curve.size(), alone.learning->curve.size());
    for (std::size_t k = 0; k < entry.curve.size(); ++k) EXPECT_EQ(entry.curve[k].loss, alone.learning->curve[k].loss);
    EXPECT_EQ(entry.curve.back().at, entry.end - entry.arrival);
  }
}

TEST(LearningAllReduce, RefusesOtherCollectivesAndListsThatAddInSeveralOrders) {
  const auto refused = [](const std::vector<std::string>& more) { return refusal([&] { learning_experiment(more); }); };
  EXPECT_EQ(refused({"job.collective=all_gather"}),
            "--set job.collective=all_gather: job.collective is \"all_gather\", but must be \"all_reduce\" or \"none\" "
            "with compute.gradients \"real\": no other collective gives every worker the sum of all gradients");
  EXPECT_THAT(refused({"job.collective=reduce_scatter"}),
              HasSubstr("job.collective is \"reduce_scatter\", but must be"));
  EXPECT_EQ(refused({"fabric.ports=8", "job.collective=all_reduce", "job.workers=8", "job.algorithm=swing_latency"}),
            "--set job.algorithm=swing_latency: job.collective is \"all_reduce\", but job.algorithm must add in one "
            "order at every worker with compute.gradients \"real\": else models drift apart by rounding");
  EXPECT_NO_THROW(learning_experiment(all_reduce("swing_latency"))) << "four workers add in one order";
  EXPECT_THAT(refused(all_reduce("ring", {"job.payload=digest"})), HasSubstr("job.payload is \"digest\", but must be"));
  EXPECT_THAT(refused(all_reduce("ring", {"job.workload=alexnet"})),
              HasSubstr("must be \"softmax\" or \"mlp\" with compute.gradients"));
}

}  // namespace
}  // namespace ocs::test
