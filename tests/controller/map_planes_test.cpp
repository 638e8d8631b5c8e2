// A transfer in parts on several planes whose maps their user sets: when it is there, in which order, and whose it counts.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/planes/map_planes.hpp"

#include <gtest/gtest.h>

#include "host/controller/paper_switch.hpp"

namespace ocs::test {
namespace {

constexpr Picos map_cycle{5120};
constexpr std::int64_t map_tuning = 10;

struct TwoMapPlanes {
  ControlTimes times{.tuning = Cycles{map_tuning}};
  PaperSwitch first{4, 64, map_cycle, times}, second{4, 64, map_cycle, times};
  int settled = 0;
  MapPlanes all{planes(), 64, [this] { ++settled; }};

  std::vector<std::unique_ptr<MapNetwork>> planes() {
    std::vector<std::unique_ptr<MapNetwork>> list;
    for (PaperSwitch* plane : {&first, &second}) list.push_back(std::make_unique<MapNetwork>(*plane, times));
    return list;
  }
};

/// Words 2 to 4 cross plane 0 as soon as it is up, in cycles 11 to 13; words 0 and 1 are asked for in cycle 20 on plane 1,
/// and cross it in 21 and 22.
TEST(MapPlanes, DeliverWholeTransfersWhenTheirLastPartIsIn) {
  TwoMapPlanes two;
  const std::vector<std::int16_t> map = {1};
  two.all.set(0, map);
  two.all.set(1, map);
  two.all.split({{1, map_cycle * 20, Words{2}}, {0, Picos{0}, Words{3}}});
  two.all.offer({.id = Id{7}, .coflow = Id{1}, .from = Node{0}, .to = {Node{1}}, .size = Bytes{5 * 64}, .ready = {}});
  std::vector<Delivery> came;
  while (came.empty()) two.all.advance(two.all.next(), came);
  ASSERT_EQ(came.size(), 1u);
  EXPECT_EQ(came[0].transfer, Id{7});
  EXPECT_EQ(came[0].at, map_cycle * 23);
  EXPECT_EQ(came[0].began, map_cycle * 11) << "on plane 0, whose part has come first";
  ASSERT_EQ(came[0].arrived.size(), 2u);
  EXPECT_EQ(came[0].arrived[0].first, Words{0});
  EXPECT_EQ(came[0].arrived[0].count, Words{2});
  EXPECT_EQ(came[0].arrived[1].first, Words{2});
  EXPECT_EQ(came[0].arrived[1].count, Words{3});
  for (const Node node : {Node{0}, Node{1}}) {
    EXPECT_EQ(two.all.use(node).bytes, Bytes{5 * 64});
    EXPECT_EQ(two.all.use(node).busy, map_cycle * 5);
  }
  EXPECT_EQ(two.all.use(Node{2}).bytes, Bytes{0});
  EXPECT_GT(two.settled, 0);
  EXPECT_EQ(two.all.next(), never<Picos>);
}

}  // namespace
}  // namespace ocs::test
