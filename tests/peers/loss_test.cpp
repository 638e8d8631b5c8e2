// Peers whose words are lost, by clocks that are off and by a dead port: they are sent again, and means stay exact.
// SPDX-License-Identifier: Apache-2.0
#include "tests/common/refusal.hpp"
#include "tests/peers/models.hpp"

namespace ocs::test {
namespace {

void clocks_off(CircuitConfig& config) {
  config.times.mode = ControlMode::timetable;
  config.times.guard = Cycles{2};
  config.times.clock_offset = {Cycles{5}, Cycles{-4}, Cycles{0}, Cycles{9}, Cycles{-2}, Cycles{1}};
}

void port_fails(CircuitConfig& config) {
  for (std::int64_t at = 4'000; at < 30'000; at += 300) {
    config.outages.push_back({Cycles{at}, 2, true});
    config.outages.push_back({Cycles{at + 20}, 2, false});
  }
}

struct LossCase {
  const char* policy;
  Layer layer;
  void (*network)(CircuitConfig&);
};

class PeersThatLoseWords : public ::testing::TestWithParam<LossCase> {};

TEST_P(PeersThatLoseWords, AverageWholeModelsToTheBit) {
  PeerSettings settings;
  settings.p = 2;
  settings.k = 6;
  settings.layer = GetParam().layer;
  const ModelRun all =
      run_models(GetParam().policy, settings, {20, 30, 5, 9}, "inproc://node-", {}, {.network = GetParam().network});
  expect_exact(all);
  EXPECT_GT(all.result.job.retransmissions, 0);
  EXPECT_GE(all.result.job.words_retransmitted, all.result.job.retransmissions);
  EXPECT_EQ(all.result.pairs, all.result.job.sync.updates + all.result.aborted + all.result.unused);
}

INSTANTIATE_TEST_SUITE_P(Of, PeersThatLoseWords,
                         ::testing::Values(LossCase{"random", Layer::application, clocks_off},
                                           LossCase{"selmcast", Layer::network, clocks_off},
                                           LossCase{"selmcast_ssp", Layer::network, clocks_off},
                                           LossCase{"selmcast_ssp", Layer::application, clocks_off},
                                           LossCase{"random", Layer::application, port_fails},
                                           LossCase{"selmcast", Layer::network, port_fails},
                                           LossCase{"selmcast_ssp", Layer::application, port_fails}),
                         [](const auto& one) {
                           return std::string(one.param.policy) + (one.param.layer == Layer::network ? "_L3" : "_L7") +
                                  (one.param.network == clocks_off ? "_clocks" : "_port");
                         });

TEST(PeersThatMayNotSendAgain, EndWithASentence) {
  PeerSettings settings;
  settings.p = 2;
  settings.layer = Layer::application;
  const std::string said = sentence(
      1, [&] { run_models("random", settings, {20}, "inproc://node-", {}, {.network = clocks_off, .attempts = 1}); });
  EXPECT_NE(said.find("words too few; nothing sends them again"), std::string::npos) << said;
}

}  // namespace
}  // namespace ocs::test
