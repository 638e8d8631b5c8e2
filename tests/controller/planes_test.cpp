// Planes side by side: a plane's circuits, several receivers and stops are its own.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/controller/planes/plane_network.hpp"
#include "tests/controller/rig.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

/// Two switches of four ports, and the network over both.
struct TwoPlanes {
  TwoPlanes(const RigConfig& config, SplitRule rule) {
    std::vector<std::unique_ptr<CircuitNetwork>> networks;
    for (int plane = 0; plane < 2; ++plane) {
      rigs.push_back(std::make_unique<Rig>(config, std::make_unique<OneByOne>()));
      networks.push_back(std::move(rigs.back()->network));
    }
    network = std::make_unique<PlaneNetwork>(std::move(networks), PlaneSplit(2, config.ports, rule, Words{5}),
                                             Picos{cycle_ps}, 64);
  }

  void offer(std::uint32_t id, std::uint16_t from, std::vector<Node> to, std::int64_t words, std::int64_t ready = 0) {
    network->offer({.id = Id{id},
                    .coflow = Id{1},
                    .from = Node{from},
                    .to = std::move(to),
                    .size = Bytes{64 * words},
                    .ready = Picos{ready * cycle_ps}});
  }

  Texts deliver_all() {
    std::vector<Delivery> all;
    while (network->next() != never<Picos>) network->advance(Picos{1'000'000 * cycle_ps}, all);
    return texts_of(all);
  }

  std::vector<std::unique_ptr<Rig>> rigs;
  std::unique_ptr<PlaneNetwork> network;
};

/// @param at cycle of the first event of this kind on the port; -1: none.
std::int64_t first(const Rig& rig, EventKind kind, std::uint16_t port) {
  for (const Event& event : rig.events)
    if (event.kind == kind && event.port == port) return event.at.n;
  return -1;
}

class PlaneNetworks : public testing::TestWithParam<const char*> {};

TEST_P(PlaneNetworks, CarryAPartToAllReceiversOnEachPlane) {
  TwoPlanes planes({.device = GetParam(), .tuning = 3, .locking = 2, .multicast = true}, SplitRule::equal);
  planes.offer(1, 0, {Node{3}, Node{1}}, 7);
  EXPECT_EQ(planes.deliver_all(), (Texts{"at 10: 1 to 3 [0+4 4+3] final", "at 10: 1 to 1 [0+4 4+3] final"}));
  for (std::size_t plane = 0; plane < 2; ++plane)
    for (const std::uint16_t output : {std::uint16_t{1}, std::uint16_t{3}}) {
      const Counters counters = planes.rigs[plane]->plane->counters(output);
      EXPECT_EQ(counters.passed.n, plane == 0 ? 4 : 3) << plane << output;
      EXPECT_EQ(counters.lost.n, 0) << plane << output;
    }
}

TEST_P(PlaneNetworks, CarryWholeTransfersToAllReceiversOnOnePlane) {
  TwoPlanes planes({.device = GetParam(), .tuning = 3, .locking = 2, .multicast = true}, SplitRule::longest);
  planes.offer(1, 0, {Node{3}, Node{1}}, 6);
  planes.offer(2, 0, {Node{2}, Node{1}}, 4);
  EXPECT_EQ(planes.deliver_all(), (Texts{"at 10: 2 to 2 [0+4] final", "at 10: 2 to 1 [0+4] final",
                                         "at 12: 1 to 3 [0+6] final", "at 12: 1 to 1 [0+6] final"}));
}

TEST_P(PlaneNetworks, StopNoLightOfTheOtherPlane) {
  const RigConfig config{.device = GetParam(), .tuning = 3, .locking = 2, .all_stop = true};
  TwoPlanes planes(config, SplitRule::longest);
  planes.offer(1, 0, {Node{2}}, 100);
  planes.offer(2, 0, {Node{3}}, 10, 50);
  EXPECT_EQ(planes.deliver_all(), (Texts{"at 66: 2 to 3 [0+10] final", "at 106: 1 to 2 [0+100] final"}));
  EXPECT_EQ(first(*planes.rigs[1], EventKind::up, 3), 56);
  EXPECT_EQ(first(*planes.rigs[0], EventKind::held, 2), -1);
}

/// Of two transfers in halves on both planes.
TEST_P(PlaneNetworks, MeasureAndRankAllPartsOfATransfer) {
  TwoPlanes planes({.device = GetParam(), .tuning = 3, .locking = 2, .multicast = true}, SplitRule::equal);
  planes.offer(1, 0, {Node{2}}, 100);
  planes.network->prioritise(Id{1}, -5);
  std::vector<Delivery> none;
  planes.network->advance(Picos{26 * cycle_ps}, none);
  EXPECT_EQ(planes.network->sent(Id{1}).n, 2 * 20) << "the first word of each half left at the end of cycle 6";
  planes.network->prioritise(Id{1}, 7);
  EXPECT_EQ(planes.deliver_all(), Texts{"at 56: 1 to 2 [0+50 50+50] final"});
  EXPECT_EQ(planes.network->use(Node{0}).bytes.n, 100 * 64);
  EXPECT_EQ(planes.network->use(Node{2}).bytes.n, 100 * 64);
  EXPECT_EQ(planes.network->use(Node{0}).busy.n, 100 * cycle_ps) << "of two ports, half of it each";
  EXPECT_EQ(planes.network->sent(Id{1}).n, 0);
  EXPECT_THROW(planes.network->prioritise(Id{1}, 0), Error);
}

INSTANTIATE_TEST_SUITE_P(Every, PlaneNetworks, testing::Values("model", "verilated_counter", "verilated"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace ocs::test
