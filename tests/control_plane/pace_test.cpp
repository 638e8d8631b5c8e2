// Virtual time that follows the wall clock: exactly, so many times faster, or as well as the switch can.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/pace.hpp"

#include "tests/control_plane/rig.hpp"

namespace ocs::test {
namespace {

using namespace serve;
using namespace std::chrono_literals;

std::chrono::nanoseconds wall_now = 0ns;  // Pace takes a plain function
std::chrono::nanoseconds wall() { return wall_now; }
/// Each look at it takes a millisecond.
std::chrono::nanoseconds slow_wall() { return wall_now += 1ms; }

TEST(Pace, FollowsTheWallClockToTheCycle) {
  Rig rig;
  wall_now = 7s;
  Pace pace(rig.service, ClockKind::virtual_time, 1, wall);
  for (int k = 0; k < 1000; ++k) {
    wall_now += 1234567ns;
    pace.keep_up(1ms);
  }
  EXPECT_EQ(rig.service.now(), Cycles{1234567000LL * 1000 / 5120});
  EXPECT_FALSE(pace.behind());
}

TEST(Pace, GoesSoManyTimesFaster) {
  Rig rig;
  Pace pace(rig.service, ClockKind::virtual_time, 1000, wall);
  wall_now += 100ms;
  pace.keep_up(1ms);
  EXPECT_EQ(rig.service.now(), Cycles{100'000'000'000'000LL / 5120});
}

TEST(Pace, MakesUpHalfASecondAtMost) {
  Rig rig;
  Pace pace(rig.service, ClockKind::virtual_time, 1, wall);
  wall_now += 1h;
  pace.keep_up(1ms);
  EXPECT_EQ(rig.service.now(), Cycles{500'000'000'000 / 5120});
}

TEST(Pace, StopsWhenItsTimeIsUp) {
  Rig rig;
  Pace pace(rig.service, ClockKind::virtual_time, 1, slow_wall);
  wall_now += 400ms;
  pace.keep_up(3ms);
  EXPECT_TRUE(pace.behind());
  EXPECT_GT(rig.service.now(), Cycles{0});
  EXPECT_GT(pace.lag(), Cycles{0});
}

TEST(Pace, WaitsForTheWallClockAfterACommandThatTookTime) {
  Rig rig;
  Pace pace(rig.service, ClockKind::virtual_time, 1, wall);
  rig.pass(1000000);
  wall_now += 1ms;
  pace.keep_up(1ms);
  EXPECT_EQ(rig.service.now(), Cycles{1000000});
  wall_now += 9ms;
  pace.keep_up(1ms);
  EXPECT_EQ(rig.service.now(), Cycles{10'000'000'000LL / 5120});
}

}  // namespace
}  // namespace ocs::test
