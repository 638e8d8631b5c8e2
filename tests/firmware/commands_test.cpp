// What each command of the mailbox does, and how it is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "rtl/regs/generated/ocs_regs.h"
#include "tests/common/wide_word.hpp"
#include "tests/firmware/rig.hpp"

namespace ocs::test {
namespace {

class Commands : public ::testing::Test {
 protected:
  Commands() { EXPECT_EQ(firmware.start(), 0u); }
  MailboxAnswer ask(ocs_mb_command command, std::initializer_list<std::uint32_t> payload) {
    return firmware.ask(command, payload);
  }
  std::uint32_t status(ocs_mb_command command, std::initializer_list<std::uint32_t> payload) {
    return ask(command, payload).status;
  }
  HostFirmware firmware;
};

TEST_F(Commands, TellTheVersion) {
  const MailboxAnswer answer = ask(OCS_MB_VERSION_READ, {});
  EXPECT_EQ(answer.words,
            (std::vector<std::uint32_t>{OCS_MB_VERSION, OCS_APP_VERSION, 4, 16, OCS_MB_RESET_POWER, 12345}));
}

TEST_F(Commands, ConnectAndDisconnectAtOnce) {
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(1, 2)}), OCS_MB_OK);
  firmware.run(2);
  EXPECT_EQ(firmware.selected(1), 2);
  EXPECT_EQ(firmware.state(1), OCS_UP);
  EXPECT_EQ(status(OCS_MB_DISCONNECT, {0, 0, 1}), OCS_MB_OK);
  firmware.run(2);
  EXPECT_EQ(firmware.selected(1), OCS_DARK);
}

TEST_F(Commands, ConnectInACycleToCome) {
  const MailboxAnswer answer = ask(OCS_MB_CONNECT, {500, 0, entry(1, 2)});
  EXPECT_EQ(wide_word(answer, 0), 500u);
  firmware.run(500);
  EXPECT_EQ(firmware.selected(1), OCS_DARK);
  firmware.run(1);
  EXPECT_EQ(firmware.selected(1), 2);
}

TEST_F(Commands, ConnectInACycleThatIsNearerThanArmingTakes) {
  EXPECT_EQ(status(OCS_MB_CONNECT, {20, 0, entry(1, 2)}), OCS_MB_OK);
  EXPECT_EQ(firmware.now(), 20);
  firmware.run(1);
  EXPECT_EQ(firmware.selected(1), 2);
  EXPECT_TRUE(firmware.alarms.empty());
}

TEST_F(Commands, SayThatAMapIsLate) {
  firmware.run(100);
  EXPECT_EQ(status(OCS_MB_CONNECT, {90, 0, entry(1, 2)}), OCS_MB_OK);
  ASSERT_EQ(firmware.alarms.size(), 1u);
  EXPECT_EQ(told(firmware.alarms[0]), "a map was taken 10 cycles late");
}

TEST_F(Commands, NameTheCircuitThatBlocksAMap) {
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(0, 3), entry(1, 2)}), OCS_MB_OK);
  firmware.run(2);
  const MailboxAnswer answer = ask(OCS_MB_MAP, {0, 0, entry(3, 0), entry(2, 3)});
  EXPECT_EQ(told(answer), "OCS_MB_E_CONFLICT: input 3 would feed output 2, but output 0 has it");
  EXPECT_TRUE(firmware.alerted);
  firmware.run(2);
  EXPECT_EQ(firmware.selected(3), OCS_DARK) << "whole or not at all";
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(3, 0)}), OCS_MB_OK) << "what was refused has left nothing behind";
}

TEST_F(Commands, GiveAnInputToAnotherOutputInOneMap) {
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(0, 3), entry(1, 2)}), OCS_MB_OK);
  firmware.run(2);
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(0, 2), entry(1, 3)}), OCS_MB_OK);
  firmware.run(2);
  EXPECT_EQ(firmware.selected(0), 2);
  EXPECT_EQ(firmware.selected(1), 3);
}

TEST_F(Commands, RefusePortsThatAreNotThereAndOutputsNamedTwice) {
  EXPECT_EQ(told(ask(OCS_MB_MAP, {0, 0, entry(4, 1)})),
            "OCS_MB_E_PORT: it names a port that isn't there (output 4, input 1)");
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(1, 4)}), OCS_MB_E_PORT);
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(1, 0), entry(1, 2)}), OCS_MB_E_TWICE);
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(1, OCS_DARK)}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_DISCONNECT, {0, 0, 4}), OCS_MB_E_PORT);
  for (const auto command : {OCS_MB_COUNTERS, OCS_MB_BURST_STOP}) EXPECT_EQ(status(command, {4}), OCS_MB_E_PORT);
  EXPECT_EQ(status(OCS_MB_STATE, {1, 4}), OCS_MB_E_PORT);
  EXPECT_EQ(status(OCS_MB_STATE, {4, 0}), OCS_MB_E_PORT);
}

TEST_F(Commands, AllowOneInputTwoOutputsWithMulticastAlone) {
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(0, 1), entry(2, 1)}), OCS_MB_E_CONFLICT);
  EXPECT_EQ(status(OCS_MB_MODES, {OCS_MB_MODE_MULTICAST}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(0, 1), entry(2, 1)}), OCS_MB_OK);
  firmware.run(2);
  EXPECT_EQ(status(OCS_MB_MODES, {0}), OCS_MB_E_BUSY) << "circuits stand that it would forbid";
  EXPECT_EQ(status(OCS_MB_MODES, {4}), OCS_MB_E_VALUE);
}

TEST_F(Commands, HoldTheNextMapUntilTheOneBeforeWasTaken) {
  firmware.send(OCS_MB_MAP, {500, 0, entry(0, 1)});
  firmware.send(OCS_MB_MAP, {900, 0, entry(0, 2)});
  firmware.work();
  EXPECT_TRUE(firmware.app().blocked);
  EXPECT_EQ(firmware.answers().size(), 1u);
  firmware.run(600);
  EXPECT_EQ(firmware.selected(0), 1);
  firmware.run(301);
  EXPECT_EQ(firmware.selected(0), 2);
}

TEST_F(Commands, StartABurstThatBeginsInItsCycle) {
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(1, 2)}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_BURST, {2 | 7u << 16, 5, 1000, 0, OCS_MB_GATED | OCS_FULL_RATE}), OCS_MB_OK);
  EXPECT_EQ(told(ask(OCS_MB_BURST, {2, 5, 1000, 0, OCS_FULL_RATE})),
            "OCS_MB_E_BUSY: a burst of that input still runs, or a table is played");
  const auto passed = [&] { return wide_word(ask(OCS_MB_COUNTERS, {1}), 0); };
  firmware.run(1000 - firmware.now());
  EXPECT_EQ(passed(), 0u);
  firmware.run(1);
  EXPECT_EQ(passed(), 1u);
  firmware.run(10);
  EXPECT_EQ(passed(), 5u);
  EXPECT_EQ(status(OCS_MB_BURST, {2, 5, 0, 0, OCS_FULL_RATE}), OCS_MB_OK) << "it has ended";
  EXPECT_EQ(status(OCS_MB_BURST_STOP, {2}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_BURST, {0, 5, 0, 0, 0}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_BURST, {0, 5, 0, 0, OCS_FULL_RATE + 1}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_BURST, {4, 5, 0, 0, OCS_FULL_RATE}), OCS_MB_E_PORT);
  EXPECT_EQ(status(OCS_MB_BURST, {0, 5, 0, 2, OCS_FULL_RATE}), OCS_MB_E_VALUE) << "no gap is so long";
  EXPECT_EQ(status(OCS_MB_BURST, {0, 5, 0, 0, OCS_FULL_RATE / 2}), OCS_MB_OK);
}

TEST_F(Commands, SetDelays) {
  EXPECT_EQ(status(OCS_MB_DELAYS, {1, 10, 4}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_PAIRS, {entry(1, 0), 0, 3, 5, 0}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(1, 2)}), OCS_MB_OK);
  firmware.run(16);
  EXPECT_EQ(firmware.state(1), OCS_LOCKING);
  firmware.run(4);
  EXPECT_EQ(firmware.state(1), OCS_UP);
  EXPECT_EQ(status(OCS_MB_DELAYS, {4, 0, 0}), OCS_MB_E_PORT);
  EXPECT_EQ(status(OCS_MB_DELAYS, {1, 1u << 30, 0}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_PAIRS, {entry(1, 2), 0, 3, 5}), OCS_MB_E_PORT);
  EXPECT_EQ(status(OCS_MB_PAIRS, {entry(1, 2), 1u << 30}), OCS_MB_E_VALUE);
}

TEST_F(Commands, ReadStates) {
  ask(OCS_MB_DELAYS, {1, 10, 0});
  ask(OCS_MB_CONNECT, {0, 0, entry(1, 2)});
  firmware.run(2);
  const MailboxAnswer answer = ask(OCS_MB_STATE, {0, 3});
  ASSERT_EQ(answer.words.size(), 3u);
  EXPECT_EQ(answer.words[0], OCS_IDLE | 0xffff0000u);
  EXPECT_EQ(answer.words[1], OCS_TUNING | 2u << 16);
}

TEST_F(Commands, KeepAndRecallPresets) {
  EXPECT_EQ(status(OCS_MB_PRESET_RECALL, {0, 0, 1}), OCS_MB_E_OPTION);
  EXPECT_EQ(status(OCS_MB_PRESET_STORE, {1, entry(0, 2), entry(3, 2)}), OCS_MB_E_CONFLICT);
  EXPECT_EQ(status(OCS_MB_PRESET_STORE, {1, entry(0, 2), entry(3, 1)}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_PRESET_STORE, {4, entry(0, 2)}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_PRESET_RECALL, {0, 0, 4}), OCS_MB_E_VALUE);
  ask(OCS_MB_CONNECT, {0, 0, entry(1, 1)});
  firmware.run(2);
  EXPECT_EQ(status(OCS_MB_PRESET_RECALL, {0, 0, 1}), OCS_MB_OK);
  firmware.run(2);
  EXPECT_EQ(firmware.selected(0), 2);
  EXPECT_EQ(firmware.selected(1), OCS_DARK);
  EXPECT_EQ(firmware.selected(3), 1);
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(2, 1)}), OCS_MB_E_CONFLICT);
}

TEST_F(Commands, PlayATable) {
  EXPECT_EQ(status(OCS_MB_TABLE_ENTRY, {0, 0, entry(0, 1)}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_TABLE_ENTRY, {1, 50, entry(0, 2)}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_TABLE_ENTRY, {16, 50, entry(0, 2)}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_TABLE_ENTRY, {1, 50, entry(0, 2), entry(1, 2)}), OCS_MB_E_CONFLICT);
  EXPECT_EQ(status(OCS_MB_TABLE_GO, {100, 0, 17, 0}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_TABLE_GO, {100, 0, 2, 200}), OCS_MB_OK);
  firmware.run(110);
  EXPECT_EQ(firmware.selected(0), 1);
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(3, 3)}), OCS_MB_E_BUSY);
  firmware.run(50);
  EXPECT_EQ(firmware.selected(0), 2);
  EXPECT_EQ(status(OCS_MB_TABLE_STOP, {}), OCS_MB_OK);
  firmware.run(2);
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(3, 2)}), OCS_MB_E_CONFLICT) << "circuits stay";
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(3, 3)}), OCS_MB_OK);
}

TEST_F(Commands, RefuseWrongLengths) {
  EXPECT_EQ(status(OCS_MB_CONNECT, {0, 0}), OCS_MB_E_LENGTH);
  EXPECT_EQ(status(OCS_MB_VERSION_READ, {1}), OCS_MB_E_LENGTH);
  EXPECT_EQ(status(OCS_MB_BURST, {1, 2, 3, 4, 5, 6}), OCS_MB_E_LENGTH);
  EXPECT_EQ(status(static_cast<ocs_mb_command>(OCS_MB_RETRY + 1), {}), OCS_MB_E_COMMAND);
  EXPECT_EQ(status(static_cast<ocs_mb_command>(0), {}), OCS_MB_E_COMMAND);
}

TEST_F(Commands, RefuseRetriesThatNeverPause) {
  EXPECT_EQ(status(OCS_MB_RETRIES, {3, 0}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_RETRIES, {256, 1}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_INJECT, {4, 1}), OCS_MB_E_PORT);
  EXPECT_EQ(status(OCS_MB_INJECT, {1, 16}), OCS_MB_E_VALUE);
}

}  // namespace
}  // namespace ocs::test
