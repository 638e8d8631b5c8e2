// Faults of the switch, of the mailbox, of the firmware: it recovers, or answers with a documented code.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "rtl/regs/generated/ocs_regs.h"
#include "tests/common/wide_word.hpp"
#include "tests/firmware/rig.hpp"

namespace ocs::test {
namespace {

constexpr std::uint32_t stuck = OCS_REGS__PORT__FAULTX__STUCK_bm, los = OCS_REGS__PORT__FAULTX__LOS_bm;

class FirmwareFaults : public ::testing::Test {
 protected:
  FirmwareFaults() { EXPECT_EQ(firmware.start(), 0u); }
  std::vector<std::string> told_alarms() {
    std::vector<std::string> all;
    for (const MailboxAnswer& alarm : firmware.alarms) all.push_back(told(alarm));
    return all;
  }
  HostFirmware firmware;
};

TEST_F(FirmwareFaults, AStuckMirrorInABulkMapIsRetriedWithLongerAndLongerPauses) {
  firmware.ask(OCS_MB_RETRIES, {3, 100});
  firmware.ask(OCS_MB_INJECT, {2, stuck});
  EXPECT_EQ(firmware.ask(OCS_MB_MAP, {0, 0, entry(0, 1), entry(2, 3), entry(3, 2)}).status, OCS_MB_OK);
  firmware.run(2);
  EXPECT_EQ(firmware.state(0), OCS_UP) << "the others come up";
  EXPECT_EQ(firmware.state(2), OCS_FAILED);
  const auto tunings = [&] { return wide_word(firmware.ask(OCS_MB_COUNTERS, {2}), 6); };
  std::vector<std::int64_t> at;
  for (std::uint64_t seen = tunings(); firmware.now() < 2000; firmware.run(1))
    if (tunings() != seen) {
      seen = tunings();
      at.push_back(firmware.now());
    }
  ASSERT_EQ(at.size(), 3u);
  EXPECT_NEAR(static_cast<double>(at[1] - at[0]), 200, 5);
  EXPECT_NEAR(static_cast<double>(at[2] - at[1]), 400, 5);
  EXPECT_EQ(told_alarms(), (std::vector<std::string>{"output 2 failed: its mirror is stuck",
                                                     "output 2 failed for good after 3 retries"}));
  const MailboxAnswer log = firmware.ask(OCS_MB_FAULT_LOG, {});
  EXPECT_EQ(log.words[0], 4u);
  EXPECT_EQ(log.words[2], 2u | OCS_CAUSE_STUCK << 16 | 0u << 24);
  EXPECT_EQ(log.words[8], 2u | OCS_CAUSE_STUCK << 16 | 3u << 24);
}

TEST_F(FirmwareFaults, AMirrorThatComesFreeIsUpAgain) {
  firmware.ask(OCS_MB_RETRIES, {5, 100});
  firmware.ask(OCS_MB_INJECT, {2, stuck});
  firmware.ask(OCS_MB_CONNECT, {0, 0, entry(2, 3)});
  firmware.run(150);
  firmware.ask(OCS_MB_INJECT, {2, 0});
  firmware.run(500);
  EXPECT_EQ(firmware.state(2), OCS_UP);
  EXPECT_EQ(told_alarms().back(), "output 2 is up after 2 retries");
}

TEST_F(FirmwareFaults, ARestartForgetsTheRetryThatWaited) {
  firmware.ask(OCS_MB_RETRIES, {5, 100});
  firmware.ask(OCS_MB_INJECT, {2, stuck});
  firmware.ask(OCS_MB_CONNECT, {0, 0, entry(2, 3)});
  firmware.run(20);
  ASSERT_NE(firmware.wake, OCS_APP_NEVER);
  EXPECT_EQ(firmware.start(OCS_MB_RESET_WATCHDOG), 0u);
  ASSERT_EQ(firmware.wake, OCS_APP_NEVER);  // or the machine would wake it at that cycle, for nothing, for ever
  const std::int64_t from = firmware.now();
  firmware.run(500);
  EXPECT_EQ(firmware.now(), from + 500);
}

TEST_F(FirmwareFaults, LightThatComesBackNeedsNoRetry) {
  firmware.ask(OCS_MB_CONNECT, {0, 0, entry(2, 3)});
  firmware.run(5);
  firmware.ask(OCS_MB_INJECT, {3, los});
  firmware.run(5);
  EXPECT_EQ(told_alarms(), (std::vector<std::string>{"output 2 failed: no light"}));
  EXPECT_EQ(firmware.app().next_retry, OCS_APP_NEVER);
  firmware.ask(OCS_MB_INJECT, {3, 0});
  firmware.run(5);
  EXPECT_EQ(firmware.state(2), OCS_UP);
}

TEST_F(FirmwareFaults, TheFaultLogForgetsTheOldest) {
  firmware.ask(OCS_MB_CONNECT, {0, 0, entry(2, 3)});
  firmware.run(5);
  for (int n = 0; n < 40; ++n) {
    firmware.ask(OCS_MB_INJECT, {3, los});
    firmware.run(5);
    firmware.ask(OCS_MB_INJECT, {3, 0});
    firmware.run(5);
  }
  const MailboxAnswer log = firmware.ask(OCS_MB_FAULT_LOG, {});
  EXPECT_EQ(log.words[0], 40u);
  EXPECT_EQ(log.words.size(), 1 + 2 * OCS_MB_FAULTS);
}

TEST_F(FirmwareFaults, GarbageIsDroppedAndAnswered) {
  firmware.post(std::array{0xffffffffu, 1u, 2u, 3u});
  firmware.work();
  const auto answers = firmware.answers();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(told(answers[0]), "OCS_MB_E_FRAME: that was no frame, and what had been sent up to there was dropped");
  EXPECT_EQ(firmware.ask(OCS_MB_VERSION_READ, {}).status, OCS_MB_OK);
}

TEST_F(FirmwareFaults, ACommandWithTheCodeOfAnAlarmIsAnsweredAsNoAlarm) {
  firmware.post(std::vector<std::uint32_t>{OCS_MB_ALARM, 7});
  firmware.work();
  firmware.post(std::vector<std::uint32_t>{0xffffffff, 9});
  firmware.work();
  const auto answers = firmware.answers();
  ASSERT_EQ(answers.size(), 2u);
  for (const MailboxAnswer& answer : answers) {
    EXPECT_FALSE(answer.alarm());
    EXPECT_EQ(answer.code, 0);
  }
  EXPECT_EQ(answers[0].status, OCS_MB_E_COMMAND);
  EXPECT_EQ(answers[0].sequence, 7u);
  EXPECT_EQ(answers[1].status, OCS_MB_E_FRAME);
}

TEST_F(FirmwareFaults, AFrameThatIsShorterThanItSaysIsDropped) {
  firmware.post(std::array{std::uint32_t{OCS_MB_MAP} | 9u << 16, 1u, 0u, 0u});
  firmware.work();
  EXPECT_EQ(firmware.answers().at(0).status, OCS_MB_E_FRAME);
  firmware.post(std::array{std::uint32_t{OCS_MB_VERSION_READ}});
  firmware.work();
  EXPECT_EQ(firmware.answers().at(0).status, OCS_MB_E_FRAME);
}

TEST_F(FirmwareFaults, AHostThatReadsNoAnswersHasItsCommandsWait) {
  for (int n = 0; n < 300; ++n) firmware.send(OCS_MB_VERSION_READ, {});
  firmware.work();
  EXPECT_NE(firmware.tail, firmware.head);
  std::size_t count = 0;
  while (firmware.tail != firmware.head) {
    count += firmware.answers().size();
    firmware.work();
  }
  EXPECT_EQ(count + firmware.answers().size(), 300u);
}

TEST_F(FirmwareFaults, CommandsDuringAResetAreAnswered) {
  firmware.ask(OCS_MB_CONNECT, {0, 0, entry(1, 2)});
  firmware.run(2);
  firmware.send(OCS_MB_HANG, {});
  firmware.work();
  EXPECT_TRUE(firmware.hung);
  firmware.send(OCS_MB_VERSION_READ, {});
  EXPECT_EQ(firmware.start(OCS_MB_RESET_WATCHDOG), 0u);
  const auto answers = firmware.answers();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(told(answers[0]), "OCS_MB_E_RESET: it came while the firmware was starting, and was dropped");
  EXPECT_EQ(told(answers[1]),
            "the firmware was reset by its watchdog and has started again; commands that it dropped: 1");
  EXPECT_EQ(firmware.ask(OCS_MB_CONNECT, {0, 0, entry(3, 2)}).status, OCS_MB_E_CONFLICT)
      << "circuits outlive the firmware";
}

TEST_F(FirmwareFaults, TheModesOfTheSwitchOutliveTheFirmware) {
  const auto status = [&](ocs_mb_command command, std::initializer_list<std::uint32_t> payload) {
    const std::uint32_t code = firmware.ask(command, payload).status;
    firmware.run(2);
    return code;
  };
  EXPECT_EQ(status(OCS_MB_MODES, {OCS_MB_MODE_MULTICAST}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(0, 2), entry(1, 2)}), OCS_MB_OK);
  EXPECT_EQ(firmware.start(OCS_MB_RESET_WATCHDOG), 0u);
  firmware.answers();
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(3, 2)}), OCS_MB_OK) << "a third output of the same input";
  EXPECT_EQ(firmware.selected(3), 2);
  EXPECT_EQ(status(OCS_MB_MODES, {OCS_MB_MODE_MULTICAST}), OCS_MB_OK) << "nothing changes";
  EXPECT_EQ(status(OCS_MB_MODES, {0}), OCS_MB_E_BUSY) << "there are circuits";
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(0, OCS_DARK), entry(1, OCS_DARK), entry(3, OCS_DARK)}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_MODES, {0}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(1, 2)}), OCS_MB_OK) << "no output has the input any more";
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(0, 2)}), OCS_MB_E_CONFLICT);
}

TEST_F(FirmwareFaults, LostEventsMakeItReadTheSwitchAnew) {
  firmware.ask(OCS_MB_CONNECT, {0, 0, entry(1, 2)});
  firmware.ask(OCS_MB_BURST, {2, 5, 0, 0, OCS_FULL_RATE});
  firmware.device().clock().run_until(Cycles{100});
  firmware.lose_events = true;
  firmware.work();
  EXPECT_FALSE(firmware.app().running[2] && firmware.state(1) != OCS_UP);
  EXPECT_EQ(told(firmware.answers().back()), "events were lost; the firmware has read the map anew");
}

TEST_F(FirmwareFaults, ARefusedAccessIsAnAlarm) {
  const std::uint32_t before = firmware.refused;
  firmware.device().bus();
  firmware.refused = before + 1;
  firmware.send(OCS_MB_VERSION_READ, {});
  firmware.work();
  const auto answers = firmware.answers();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(told(answers[1]), "the switch refused an access (OCS_MB_E_BUS) during command version; refused so far: 1");
}

TEST(FirmwareStart, SaysThatThereIsNoSwitch) {
  HostFirmware firmware;
  firmware.lie = [](std::uint32_t) { return 0x12345678u; };
  EXPECT_EQ(firmware.start(), OCS_MB_TEST_IDENTITY);
}

}  // namespace
}  // namespace ocs::test
