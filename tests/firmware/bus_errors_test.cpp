// Accesses that the switch refuses: the driver says so, each command answers it, and nothing is taken for done.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "rtl/regs/generated/ocs_regs.h"
#include "tests/common/wide_word.hpp"
#include "tests/firmware/rig.hpp"

namespace ocs::test {
namespace {

class BusErrors : public ::testing::Test {
 protected:
  static constexpr std::uint32_t commit = offsetof(ocs_regs_t, core.COMMIT), retry = offsetof(ocs_regs_t, core.RETRY);
  static constexpr std::uint32_t shadow = offsetof(ocs_regs_t, port.SHADOW), state = offsetof(ocs_regs_t, port.STATE);
  static constexpr std::uint32_t passed = offsetof(ocs_regs_t, port.PASSED), gap = offsetof(ocs_regs_t, port.GAP);
  static constexpr std::uint32_t source = offsetof(ocs_regs_t, port.SOURCE), ctrl = offsetof(ocs_regs_t, CTRL);
  static constexpr std::uint32_t start = offsetof(ocs_regs_t, core.START),
                                 irq_enable = offsetof(ocs_regs_t, IRQ_ENABLE);

  BusErrors() { EXPECT_EQ(firmware.start(), 0u); }

  /// From now on an access to a port's entry of this array, or to this register, is refused.
  void refuse(std::uint32_t address, std::uint32_t bytes = 4) {
    firmware.refuse = [=](std::uint32_t a) { return a >= address && a < address + bytes; };
  }

  /// Refused by the bus: answered without a payload, and by one alarm that names the command.
  void expect_refused(ocs_mb_command command, std::initializer_list<std::uint32_t> payload) {
    firmware.alarms.clear();
    const MailboxAnswer answer = firmware.ask(command, payload);
    EXPECT_EQ(answer.status, OCS_MB_E_BUS) << mailbox_command_name(command);
    EXPECT_TRUE(answer.words.empty());
    ASSERT_EQ(firmware.alarms.size(), 1u);
    EXPECT_EQ(firmware.alarms[0].words[0], OCS_MB_ALARM_BUS);
    EXPECT_EQ(firmware.alarms[0].words[2], command);
    firmware.refuse = nullptr;
  }
  HostFirmware firmware;
};

TEST_F(BusErrors, AreTheAnswerOfEveryCommandThatMeetsOne) {
  refuse(ctrl);
  expect_refused(OCS_MB_MODES, {OCS_MB_MODE_ALL_STOP});
  refuse(offsetof(ocs_regs_t, port.BASE) + 4);
  expect_refused(OCS_MB_DELAYS, {1, 5, 5});
  refuse(offsetof(ocs_regs_t, PAIR), 16);
  expect_refused(OCS_MB_PAIRS, {0, 7});
  refuse(shadow + 4);
  expect_refused(OCS_MB_CONNECT, {0, 0, entry(1, 2)});
  refuse(commit);
  expect_refused(OCS_MB_CONNECT, {0, 0, entry(1, 2)});
  refuse(offsetof(ocs_regs_t, core.COMMIT_AT), 8);
  expect_refused(OCS_MB_CONNECT, {9000, 0, entry(1, 2)});
  refuse(state + 8);
  expect_refused(OCS_MB_STATE, {0, 4});
  refuse(passed + 8, 8);
  expect_refused(OCS_MB_COUNTERS, {1});
  refuse(offsetof(ocs_regs_t, core.STOP));
  expect_refused(OCS_MB_BURST_STOP, {1});
  refuse(offsetof(ocs_regs_t, port.FAULT));
  expect_refused(OCS_MB_INJECT, {0, 0});
  EXPECT_EQ(firmware.ask(OCS_MB_TABLE_ENTRY, {0, 0, entry(0, 1)}).status, OCS_MB_OK);
  refuse(offsetof(ocs_regs_t, core.SEQ_STORE));
  expect_refused(OCS_MB_TABLE_ENTRY, {1, 5, entry(0, 1)});
  refuse(offsetof(ocs_regs_t, core.SEQ_GO));
  expect_refused(OCS_MB_TABLE_GO, {100, 0, 1, 0});
  refuse(offsetof(ocs_regs_t, core.SEQ_STOP));
  expect_refused(OCS_MB_TABLE_STOP, {});
  EXPECT_EQ(firmware.ask(OCS_MB_PRESET_STORE, {0, entry(2, 3)}).status, OCS_MB_OK);
  refuse(shadow + 8);
  expect_refused(OCS_MB_PRESET_RECALL, {0, 0, 0});
}

TEST_F(BusErrors, LeaveTheMapThatTheSwitchHas) {
  EXPECT_EQ(firmware.ask(OCS_MB_CONNECT, {0, 0, entry(0, 1)}).status, OCS_MB_OK);
  firmware.run(2);
  refuse(shadow + 12);  // the second of two additions
  expect_refused(OCS_MB_MAP, {0, 0, entry(2, 2), entry(3, 3)});
  firmware.run(5);
  EXPECT_EQ(firmware.selected(2), OCS_DARK);
  EXPECT_EQ(firmware.ask(OCS_MB_CONNECT, {0, 0, entry(1, 1)}).status, OCS_MB_E_CONFLICT) << "output 0 has input 1";
  EXPECT_EQ(firmware.ask(OCS_MB_CONNECT, {0, 0, entry(1, 2)}).status, OCS_MB_OK) << "input 2 is free";
  firmware.run(5);
  EXPECT_EQ(firmware.selected(2), OCS_DARK) << "the shadow map has forgotten what was refused";
  EXPECT_EQ(firmware.selected(1), 2);
  refuse(commit);
  expect_refused(OCS_MB_CONNECT, {0, 0, entry(2, 3)});
  EXPECT_EQ(firmware.ask(OCS_MB_CONNECT, {0, 0, entry(3, 3)}).status, OCS_MB_OK) << "input 3 is free";
}

TEST_F(BusErrors, AreNoBurst) {
  for (const std::uint32_t where : {source + 8, gap + 8, start}) {
    if (where == source + 8) firmware.ask(OCS_MB_BURST, {2, 1, 0, 0, 20'000});
    firmware.run(10);
    refuse(where);
    expect_refused(OCS_MB_BURST, {2, 5, static_cast<std::uint32_t>(firmware.now() + 5000), 0, OCS_FULL_RATE});
    EXPECT_FALSE(firmware.app().running[2]);
  }
  refuse(offsetof(ocs_regs_t, port.LEN) + 8);
  expect_refused(OCS_MB_BURST, {2, 7, 0, 0, OCS_FULL_RATE});
  EXPECT_EQ(firmware.ask(OCS_MB_BURST, {2, 7, 0, 0, OCS_FULL_RATE}).status, OCS_MB_OK);
  firmware.run(10);
  EXPECT_EQ(wide_word(firmware.ask(OCS_MB_COUNTERS, {2}), 10), 8u) << "what was refused is written again";
}

TEST_F(BusErrors, PutARetryOff) {
  firmware.ask(OCS_MB_RETRIES, {3, 100});
  firmware.ask(OCS_MB_INJECT, {2, OCS_REGS__PORT__FAULTX__STUCK_bm});
  firmware.ask(OCS_MB_CONNECT, {0, 0, entry(2, 3)});
  firmware.run(20);
  firmware.ask(OCS_MB_INJECT, {2, 0});
  refuse(retry);
  firmware.alarms.clear();
  firmware.run(120);
  EXPECT_EQ(firmware.state(2), OCS_FAILED);
  ASSERT_EQ(firmware.alarms.size(), 1u);
  EXPECT_EQ(told(firmware.alarms[0]),
            "the switch refused an access (OCS_MB_E_BUS) during no command; refused so far: 1");
  firmware.refuse = nullptr;
  firmware.run(120);
  EXPECT_EQ(firmware.state(2), OCS_UP);
}

TEST_F(BusErrors, AtTheStartAreAFailedSelfTest) {
  refuse(irq_enable);
  EXPECT_EQ(firmware.start(OCS_MB_RESET_WATCHDOG), OCS_MB_TEST_BUS);
  refuse(offsetof(ocs_regs_t, port.ENGINE));
  EXPECT_EQ(firmware.start(OCS_MB_RESET_WATCHDOG), OCS_MB_TEST_BUS);
  refuse(ctrl);
  EXPECT_EQ(firmware.start(OCS_MB_RESET_WATCHDOG), OCS_MB_TEST_BUS);
  refuse(shadow + 12);
  EXPECT_EQ(firmware.start(OCS_MB_RESET_WATCHDOG) & OCS_MB_TEST_SHADOW, OCS_MB_TEST_SHADOW);
  firmware.refuse = nullptr;
  EXPECT_EQ(firmware.start(OCS_MB_RESET_WATCHDOG), 0u);
}

TEST_F(BusErrors, AreNotNeededForARestartToDistrustTheRegisters) {
  firmware.ask(OCS_MB_BURST, {2, 5, static_cast<std::uint32_t>(firmware.now() + 5000), 0, 20'000});
  firmware.run(2);
  firmware.ask(OCS_MB_BURST_STOP, {2});
  firmware.run(10);
  EXPECT_EQ(firmware.start(OCS_MB_RESET_WATCHDOG), 0u);
  firmware.answers();
  EXPECT_EQ(firmware.ask(OCS_MB_BURST, {2, 5, 0, 0, OCS_FULL_RATE}).status, OCS_MB_OK);
  firmware.run(10);
  EXPECT_EQ(wide_word(firmware.ask(OCS_MB_COUNTERS, {2}), 10), 5u)
      << "without the gap and the rate of before the restart";
}

}  // namespace
}  // namespace ocs::test
