// Peers that hold real numbers, in threads that talk over ZeroMQ: means to the bit, whole models or none.
// SPDX-License-Identifier: Apache-2.0
#include "tests/peers/models.hpp"

namespace ocs::test {
namespace {

TEST(Models, AreMeansToTheBit) {
  PeerSettings settings;
  settings.p = 2;
  for (const Layer layer : {Layer::network, Layer::application})
    for (const char* policy : {"selmcast", "random", "mesh"}) {
      SCOPED_TRACE(policy);
      settings.layer = layer;
      expect_exact(run_models(policy, settings, {20, 30}));
    }
}

TEST(Models, AreTheSameOverEveryTransport) {
  PeerSettings settings;
  settings.p = 2;
  const ModelRun threads = run_models("selmcast", settings, {20, 30, 5});
  EXPECT_EQ(threads.means, run_models("selmcast", settings, {20, 30, 5}, "ipc://@lightloop-peers-test-").means);
}

TEST(Models, OfRoundsHaveAllReceiversOfTheRound) {
  PeerSettings settings;
  settings.p = 3;
  settings.k = 1;
  const ModelRun all = run_models("selmcast", settings, {20});
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> last;  // round in which it was served
  for (const Order& order : all.orders)
    for (const PeerRound& other : order.fields.models) {
      EXPECT_EQ(other.round, order.fields.round);
      last[{index(other.node), order.self}] = order.fields.round;
    }
  for (std::size_t i = 0; i < model_peers; ++i)
    for (std::size_t j = 0; j < model_peers; ++j)
      if (i != j) {
        EXPECT_GE((last[{i, j}]), model_rounds - 2) << i << " to " << j;  // once in k + 1 rounds
      }
}

}  // namespace
}  // namespace ocs::test
