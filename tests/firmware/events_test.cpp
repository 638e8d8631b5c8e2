// Events that come faster than they are served, late, or not at all: commands have their turn, and nothing is mistaken.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "rtl/regs/generated/ocs_regs.h"
#include "tests/firmware/rig.hpp"

namespace ocs::test {
namespace {

/// Output 1 enters UP in every cycle, and the firmware needs many cycles for an event.
class Flapping : public ::testing::Test {
 protected:
  Flapping() {
    EXPECT_EQ(firmware.start(), 0u);
    firmware.device().bus().write(offsetof(ocs_regs_t, port.FLAP) + 4, 1);
    EXPECT_EQ(firmware.ask(OCS_MB_CONNECT, {0, 0, entry(1, 2)}).status, OCS_MB_OK);
    firmware.event_cycles = 60;
  }
  HostFirmware firmware{4, 64};
};

TEST_F(Flapping, LeavesCommandsTheirTurnBeforeTheWatchdogBites) {
  for (int n = 0; n < 5; ++n) {
    const std::int64_t before = firmware.now();
    EXPECT_EQ(firmware.ask(OCS_MB_VERSION_READ, {}).status, OCS_MB_OK);
    EXPECT_LE(firmware.now(), before + 2 * firmware.event_cycles * OCS_APP_EVENTS);
    ASSERT_FALSE(firmware.bitten);
  }
}

TEST_F(Flapping, KeepsNoMapFromBeingTaken) {
  const auto at = static_cast<std::uint32_t>(firmware.now() + 3000);
  EXPECT_EQ(firmware.ask(OCS_MB_CONNECT, {at, 0, entry(3, 3)}).status, OCS_MB_OK);
  firmware.send(OCS_MB_CONNECT, {0, 0, entry(0, 1)});
  for (int n = 0; n < 500 && firmware.tail != firmware.head; ++n) {
    firmware.lose_one = true;  // as a queue that is full loses events
    firmware.work();
  }
  EXPECT_EQ(firmware.tail, firmware.head);
  EXPECT_EQ(firmware.selected(3), 3);
}

TEST_F(Flapping, TellsTheHostOnceThatEventsAreLostForLong) {
  for (int n = 0; n < 10; ++n) {
    firmware.lose_one = true;
    firmware.work();
  }
  const auto told_of = [](const MailboxAnswer& a) { return a.alarm() && a.words[0] == OCS_MB_ALARM_EVENTS; };
  const auto answers = firmware.answers();
  EXPECT_EQ(std::count_if(answers.begin(), answers.end(), told_of), 1);
}

TEST_F(Flapping, AnEventOfTheBurstBeforeEndsNoBurst) {
  EXPECT_EQ(firmware.ask(OCS_MB_BURST, {3, 60, 0, 0, OCS_FULL_RATE}).status, OCS_MB_OK);
  firmware.lose_one = true;  // the end of the burst is read from the switch, and stands behind many other events
  EXPECT_EQ(firmware.ask(OCS_MB_BURST, {3, 1'000'000, 0, 0, OCS_FULL_RATE}).status, OCS_MB_OK);
  for (int n = 0; n < 200; ++n) firmware.work();
  EXPECT_TRUE(firmware.app().running[3]);
  EXPECT_EQ(firmware.ask(OCS_MB_BURST, {3, 1, 0, 0, OCS_FULL_RATE}).status, OCS_MB_E_BUSY);
}

TEST_F(Flapping, AnEventOfTheMapBeforeDisarmsNoMap) {
  const auto soon = static_cast<std::uint32_t>(firmware.now() + 2500);
  ASSERT_EQ(firmware.ask(OCS_MB_CONNECT, {soon, 0, entry(3, 3)}).status, OCS_MB_OK);
  ASSERT_TRUE(firmware.app().armed);
  while (firmware.app().armed) {
    firmware.lose_one = true;  // that it was taken is read from the switch
    firmware.work();
  }
  const auto later = static_cast<std::uint32_t>(firmware.now() + 100'000'000);
  ASSERT_EQ(firmware.ask(OCS_MB_CONNECT, {later, 0, entry(0, 1)}).status, OCS_MB_OK);
  for (int n = 0; n < 200; ++n) firmware.work();
  EXPECT_TRUE(firmware.app().armed);
}

TEST(LostEvents, LeaveTheShadowMapToTheMapThatIsArmed) {
  HostFirmware firmware;
  ASSERT_EQ(firmware.start(), 0u);
  const auto at = static_cast<std::uint32_t>(firmware.now() + 3000);
  firmware.ask(OCS_MB_CONNECT, {at, 0, entry(3, 3)});
  firmware.lose_events = true;
  firmware.work();
  firmware.run(3100);
  EXPECT_EQ(firmware.selected(3), 3);
}

TEST(LostEvents, OfAStuckMirrorKeepNoRetryFromBeingMade) {
  HostFirmware firmware;
  ASSERT_EQ(firmware.start(), 0u);
  firmware.ask(OCS_MB_RETRIES, {3, 100});
  firmware.ask(OCS_MB_INJECT, {2, OCS_REGS__PORT__FAULTX__STUCK_bm});
  firmware.ask(OCS_MB_CONNECT, {0, 0, entry(2, 3)});
  firmware.device().clock().run_until(Cycles{50});
  firmware.lose_events = true;
  firmware.work();
  firmware.ask(OCS_MB_INJECT, {2, 0});
  firmware.run(500);
  EXPECT_EQ(firmware.state(2), OCS_UP);
}

}  // namespace
}  // namespace ocs::test
