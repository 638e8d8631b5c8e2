// Models that peers average cross the switch: one curve wherever nodes and switch run, and that of
// servers where it should be.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "testbed/selection/catalogue.hpp"
#include "tests/learning/picture_files.hpp"
#include "tests/learning/support.hpp"
#include "tests/schemes/processes.hpp"

namespace ocs::test {
namespace {

std::vector<std::string> peers(const std::string& selection, const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = {"policy=multicast", "scheduler=multicast_list",
                                  "job.workers=4",    "job.peers=" + selection,
                                  "peers.p=2",        "learning.every=4"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<std::string> selections() {
  std::vector<std::string> names;
  for (const SelectionEntry& entry : receiver_selections()) names.emplace_back(entry.name);
  return names;
}

TEST(LearningPeerJob, GoesDownWithEverySelection) {
  for (const std::string& selection : selections()) {
    const Row row = learn(peers(selection, {"job.iterations=20", "learning.shards=iid", "compute.fixed=1 us"}));
    EXPECT_EQ(row.crc_errors, 0) << selection;
    EXPECT_EQ(row.gradients, "real");
    EXPECT_NEAR(row.learning->curve.front().loss, std::log(10.0), 1e-9) << "softmax starts with 0";
    EXPECT_EQ(row.learning->curve.back().updates, 20 * 4) << selection;
    EXPECT_LT(row.learning->loss, 1.2) << selection;
    EXPECT_GT(row.learning->accuracy, 0.8) << selection;
    EXPECT_EQ(row.learning->samples, "320 320 320 320") << selection;
    EXPECT_TRUE(row.learning->to_target) << selection;
  }
}

TEST(LearningPeerJob, IsWhatRoundsWithAServerAreWhereEachHearsAll) {
  const std::vector<std::string> more = {"job.iterations=10", "fabric.ports=16", "job.workers=4", "learning.every=4"};
  const Row mesh = learn(peers("mesh", more));
  const Row server = learn(more);
  ASSERT_EQ(server.sync, "bsp_phase");
  ASSERT_EQ(mesh.learning->curve.size(), server.learning->curve.size());
  for (std::size_t k = 0; k < mesh.learning->curve.size(); ++k) {
    EXPECT_EQ(mesh.learning->curve[k].updates, server.learning->curve[k].updates);
    EXPECT_NEAR(mesh.learning->curve[k].loss, server.learning->curve[k].loss, 1e-5) << "point " << k;
  }
}

TEST(LearningPeerJob, HasOneCurveOnEveryDeviceAndWithoutTimeWarp) {
  for (const std::string& selection : selections()) {
    const auto right = curve(learn(peers(selection)));
    for (const char* other : {"fabric.device=verilated_counter", "fabric.device=verilated", "fabric.device=sysc",
                              "fabric.device=sysc-rtl", "fabric.time_warp=false"})
      EXPECT_EQ(curve(learn(peers(selection, {other}))), right) << selection << ", " << other;
  }
}

TEST(LearningPeerJob, HasOneCurveForMulticastsAndForCircuitsToOneButForTime) {
  const Row multicast = learn(peers("random", {"peers.layer=L3"}));
  const Row unicast = learn(peers("random", {"peers.layer=L7"}));
  EXPECT_EQ(scores(multicast), scores(unicast));
  EXPECT_NE(multicast.sim_time, unicast.sim_time);
}

TEST(LearningPeerJob, HasOneCurveInThreadsAndInProcesses) {
  const PictureFiles files;
  const InProcesses ipc("ipc"), tcp("tcp");
  for (const char* model : {"softmax", "mlp"})
    for (const std::string& selection : selections()) {
      Point point = learning_experiment(peers(selection, {"job.workload=" + std::string(model), "job.iterations=3",
                                                          "learning.data=" + files.path()}))
                        .points.front();
      point.job.learning.loaded = std::make_shared<const Dataset>(load_dataset(files.path()));
      const auto right = curve(run_point(point, {}));
      EXPECT_EQ(curve(ipc.run(point)), right) << selection << ", " << model;
      EXPECT_EQ(curve(tcp.run(point)), right) << selection << ", " << model;
    }
}

TEST(LearningPeerJob, ComputesForAsLongAsItIsTold) {
  const Row without = learn(peers("mesh")), with = learn(peers("mesh", {"compute.fixed=1 ms"}));
  EXPECT_EQ(scores(with), scores(without));
  EXPECT_NEAR(static_cast<double>((with.sim_time - without.sim_time).n), 6e9, 6 * 512e3) << "six rounds, to the cycle";
}

TEST(LearningPeerJob, NeedsItsModelAsPayload) {
  EXPECT_THAT(refusal([&] { learning_experiment(peers("mesh", {"job.payload=digest"})); }),
              testing::HasSubstr("job.payload is \"digest\", but must be \"full\" with compute.gradients \"real\""));
  EXPECT_THAT(refusal([&] { learning_experiment(peers("mesh", {"job.workload=alexnet"})); }),
              testing::HasSubstr("but must be \"softmax\" or \"mlp\" with compute.gradients"));
}

}  // namespace
}  // namespace ocs::test
