// Lines that are wrong: one sentence each, and the session goes on.
// SPDX-License-Identifier: Apache-2.0
#include "tests/console/rig.hpp"

namespace ocs {
namespace {

using RefusingShell = test::ShellTest;

TEST_F(RefusingShell, RefusesUnknownAndAmbiguousCommands) {
  EXPECT_EQ(refused("raed TIME"), "unknown command \"raed\"; did you mean \"read\"?");
  EXPECT_EQ(refused("bogus"), "unknown command \"bogus\"; `help` lists them");
  EXPECT_EQ(refused("s"), "command \"s\" could be snapshot, source");
  EXPECT_EQ(refused("help bogus"), "there is no register \"bogus\"; `help registers` lists them");
  EXPECT_EQ(run("read TIME"), "TIME  0\n");
}

TEST_F(RefusingShell, RefusesMissingAndSurplusWords) {
  for (const char* line :
       {"read", "write", "write TIME", "expect TIME", "advance", "run", "source", "source a b", "run a b"})
    EXPECT_NE(refused(line).find("must have"), std::string::npos) << line;
  for (const char* line : {"diff x", "snapshot x", "quit x", "info x", "dump a b", "events 1 2"})
    EXPECT_NE(refused(line).find(" takes "), std::string::npos) << line;
  EXPECT_EQ(run("read TIME"), "TIME  0\n");
}

TEST_F(RefusingShell, RefusesValuesThatAreNone) {
  const std::string right = " must be a number (decimal, 0x, 0b) or a time such as 10 ms";
  for (const char* value : {"x", "-1", "0x", "0xg", "0b2", ".5 us"})
    EXPECT_EQ(refused(std::string("write BASE[0] ") + value), "value \"" + std::string(value) + "\"" + right) << value;
  EXPECT_EQ(refused("write BASE[0] 99999999999999999999"),
            "value \"99999999999999999999\" must be a number (decimal, 0x, 0b) or a time such as 10 ms");
  EXPECT_NE(refused("write BASE[0] 10 min").find("\"min\" is not one of them"), std::string::npos);
}

TEST_F(RefusingShell, RefusesValuesThatDontFit) {
  EXPECT_EQ(refused("write BASE[0] 4294967296"), "BASE[0] is written 4294967296, but must be at most 4294967295");
  EXPECT_EQ(refused("write BURST[1].TAG 65536"), "BURST[1].TAG is written 65536, but must be at most 65535");
  EXPECT_EQ(refused("write CTRL.ALL_STOP 2"), "CTRL.ALL_STOP is written 2, but must be at most 1");
}

TEST_F(RefusingShell, RefusesWhatTheAccessForbids) {
  EXPECT_EQ(refused("write TIME 3"), "TIME can only be read");
  EXPECT_EQ(refused("write STATE[0].STATE 3"), "STATE[0].STATE can only be read");
  EXPECT_EQ(refused("read COMMIT"), "register COMMIT can only be written");
}

TEST_F(RefusingShell, HandsOnWhatTheSwitchRefuses) {
  EXPECT_EQ(refused("read BASE[8]", 1),
            "access to BASE at address 0x8c20 refused: the switch has no such port, only ports 0 to 7");
  EXPECT_EQ(refused("write SEQ_STORE 16", 1), "write of entry 16 to SEQ_STORE refused: a bank has entries 0 to 15");
}

TEST_F(RefusingShell, RefusesWaysWithoutEnd) {
  EXPECT_EQ(refused("advance 18446744073709551615"), "a way of 18446744073709551615 cycles must end below cycle 2^53");
  EXPECT_EQ(refused("advance 9007199254740993"), "a way of 9007199254740993 cycles must end below cycle 2^53");
  EXPECT_EQ(refused("read " + std::string(5000, 'x')), "a line has 5005 characters, but must have at most 4096");
}

TEST_F(RefusingShell, RefusesFilesThatCantBeRead) {
  EXPECT_NE(refused("source /nowhere/x").find("script \"/nowhere/x\" can't be read"), std::string::npos);
  EXPECT_NE(refused("run /nowhere/x.json").find("program \"/nowhere/x.json\" can't be read"), std::string::npos);
  EXPECT_NE(refused("run /etc/hostname").find("not JSON"), std::string::npos);
}

}  // namespace
}  // namespace ocs
