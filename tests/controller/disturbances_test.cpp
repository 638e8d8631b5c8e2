// Outputs that others disturb: what is lost there is sent again when it is calm.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/disturbances.hpp"

#include <gtest/gtest.h>

#include "tests/controller/rig.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

class Calm : public ::testing::Test {
 protected:
  void enter(EventKind state, std::int64_t at) {
    disturbances_.on({.at = Cycles{at}, .plane = {}, .kind = state, .port = 2, .burst = {}, .words = {}});
  }
  std::int64_t calm(std::size_t out, std::int64_t now, std::uint32_t sent = 1) const {
    return disturbances_.calm(Outputs{}.set(out), Cycles{now}, sent).n;
  }
  Disturbances disturbances_{{.disturbed = Cycles{10}, .distances = 0b101}, 8};
};

TEST_F(Calm, IsWhenTheLastStartNearbyIsLongEnoughAgo) {
  enter(EventKind::tuning, 5);
  EXPECT_EQ(calm(1, 7), 15);
  EXPECT_EQ(calm(3, 7), 15);
  EXPECT_EQ(calm(5, 7), 15);
  EXPECT_EQ(calm(2, 7), 7) << "nobody disturbs itself";
  EXPECT_EQ(calm(4, 7), 7) << "no mirror disturbs at distance 2";
  EXPECT_EQ(calm(1, 20), 20);
  enter(EventKind::locking, 8);
  enter(EventKind::held, 9);
  enter(EventKind::up, 12);
  EXPECT_EQ(calm(1, 7), 15) << "these are no starts";
  enter(EventKind::idle, 13);
  EXPECT_EQ(calm(1, 7), 15) << "a disconnection moves no mirror";
  enter(EventKind::up, 14);
  EXPECT_EQ(calm(1, 7), 24) << "without tuning and locking";
  enter(EventKind::tuning, 15);
  EXPECT_EQ(calm(1, 7), 25) << "a further start counts anew";
}

TEST_F(Calm, IsLaterForWordsThatAreLostAgainAndNotForAllOutputsAlike) {
  EXPECT_EQ(calm(0, 100, 1), 100);
  EXPECT_EQ(calm(0, 100, 2), 110);
  EXPECT_EQ(calm(4, 100, 2), 115);
  EXPECT_EQ(calm(0, 100, 3), 120);
  EXPECT_EQ(calm(4, 100, 3), 130);
  EXPECT_EQ(calm(0, 100, 4'000'000'000), 100 + (std::int64_t{1} << 30));
}

class Disturbed : public ::testing::TestWithParam<std::string> {};

/// Tuning takes 3 cycles and locking 2. Output 2 starts in cycle 50 and disturbs outputs 1 and 3 until cycle 90.
TEST_P(Disturbed, OutputsLoseTheirWordsAndGetThemWhenItIsCalm) {
  Rig r({.device = GetParam(),
         .tuning = 3,
         .locking = 2,
         .neighbours = {.disturbed = Cycles{40}, .distances = 1},
         .online = true});
  r.offer(1, 0, {1}, 10);
  r.offer(2, 3, {2}, 10, 50);
  r.offer(3, 0, {1}, 10, 60);
  EXPECT_EQ(texts_of(r.deliver_all()),
            (Texts{"at 16: 1 to 1 [0+10] final", "at 66: 2 to 2 [0+10] final", "at 71: 3 to 1 [] final"}));
  r.offer_again(4, 0, 1, 10, 71);
  EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 102: 4 to 1 [0+10] final"}));
  EXPECT_EQ(r.plane->counters(1).lost, Words{10});
}

OCS_ON_EVERY_DEVICE(Disturbed);

}  // namespace
}  // namespace ocs::test
