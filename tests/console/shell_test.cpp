// Every command of the shell, on the model.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "tests/common/places.hpp"
#include "tests/console/rig.hpp"

namespace ocs {
namespace {

using Shell = test::ShellTest;

const std::string golden = ocs::test::source_dir() + "/tests/goldens/switch/";

TEST_F(Shell, ReadsRegistersAndFields) {
  EXPECT_EQ(run("read VERSION.MAJOR CAP_SIZE.PORTS CYCLE_PS"),
            "VERSION.MAJOR  1\nCAP_SIZE.PORTS  8\nCYCLE_PS  5120 (0x1400)\n");
  EXPECT_EQ(run("read STATE[1]"), "STATE[1]  0x00000000  STATE=0 (idle) CAUSE=0 (none) DISTURBED=0 DIM=0\n");
  EXPECT_EQ(run("read SEG_FULL[0]"), "SEG_FULL[0]  0x00000000\n");
}

TEST_F(Shell, WritesInEveryNotation) {
  run("write BASE[0:1] 0x10");
  run("write LOCK[2] 0b101");
  run("write PAIR[1][2] 10.24 us  # two thousand cycles");
  EXPECT_EQ(run("read BASE[0:2]"), "BASE[0]  16 (0x10)\nBASE[1]  16 (0x10)\nBASE[2]  0\n");
  EXPECT_EQ(run("read LOCK[2] PAIR[1][2]"), "LOCK[2]  5\nPAIR[1][2]  2000 (0x7d0)\n");
  run("write COMMIT_AT 0x123456789a");
  EXPECT_EQ(run("read COMMIT_AT"), "COMMIT_AT  78187493530 (0x123456789a)\n");
}

TEST_F(Shell, WritesAFieldAlone) {
  run("write BURST[3] 0x1002a");
  run("write BURST[3].TAG 7");
  EXPECT_EQ(run("read BURST[3]"), "BURST[3]  0x00010007  TAG=7 GATED=1 START=0\n");
}

TEST_F(Shell, SaysWhatTheSwitchDidNotTake) {
  EXPECT_EQ(run("write SHADOW[5].INPUT 3"),
            "note: SHADOW[5].INPUT reads 0 after the write of 3: the switch ignores what it has no place for, and some "
            "fields as long as another is 0\n");
  EXPECT_EQ(run("write SHADOW[5].VALID 1"), "");
  EXPECT_EQ(run("write SHADOW[5].INPUT 3"), "");
  EXPECT_EQ(run("write BASE[5] 0xffffffff"),
            "note: BASE[5] reads 1073741823 (0x3fffffff) after the write of 4294967295: the switch ignores what it has "
            "no place for, and some fields as long as another is 0\n");
  EXPECT_EQ(refused("write BASE[5] 10 s"),
            "BASE is written 10 s, 1953125000 cycles, but must be at most 1073741823 cycles");
  EXPECT_EQ(run("read BASE[5]"), "BASE[5]  1073741823 (0x3fffffff)\n");
}

TEST_F(Shell, ClearsOneStickyBitOfSeveral) {
  EXPECT_EQ(refused("write BASE[8] 1", 1),
            "access to BASE at address 0x8c20 refused: the switch has no such port, only ports 0 to 7");
  run("write SHADOW[0].INPUT 3");  // no circuit without VALID
  run("write SHADOW[0] 0x80000064");
  run("write COMMIT 1");
  run("advance 1");
  EXPECT_EQ(run("read ERROR.RANGE ERROR.ACCESS"), "ERROR.RANGE  1\nERROR.ACCESS  1\n");
  run("write ERROR.RANGE 1");
  EXPECT_EQ(run("read ERROR.RANGE ERROR.ACCESS"), "ERROR.RANGE  0\nERROR.ACCESS  1\n");
}

TEST_F(Shell, AdvancesByCyclesAndTimesWhetherAnInterruptIsHighOrNot) {
  run("write IRQ_ENABLE 7");
  run("write COMMIT 1");
  run("advance 100");
  run("advance 10.24 ns");
  EXPECT_EQ(run("read TIME IRQ_ENABLE.EVENT"), "TIME  102 (0x66)\nIRQ_ENABLE.EVENT  1\n");
}

TEST_F(Shell, WaitsForAnInterrupt) {
  run("write BASE[2] 5");
  run("write SHADOW[2] 0x80000001");
  run("write COMMIT 1");
  EXPECT_EQ(refused("wait 10", 1), "no interrupt is enabled; write IRQ_ENABLE 7 enables all");
  run("write IRQ_ENABLE.EVENT 1");
  EXPECT_EQ(run("wait"), "cycle 1  interrupt: EVENT\n");
  EXPECT_EQ(run("wait"), "cycle 1  interrupt: EVENT\n") << "it still waits to be read";
  EXPECT_EQ(run("events"), "cycle 1  commit taken (software)\ncycle 1  output 2 tuning\n");
  EXPECT_EQ(refused("wait 4", 1), "no interrupt came within 4 cycles, 20.48 ns");
  EXPECT_EQ(run("wait 1 us"), "cycle 6  interrupt: EVENT\n");
  EXPECT_EQ(run("events 9"), "cycle 6  output 2 up\n");
  EXPECT_EQ(run("events"), "no events\n");
}

TEST_F(Shell, TakesAsManyEventsAsAskedFor) {
  run("write SHADOW[0] 0x80000001");
  run("write COMMIT 1");
  run("write LEN[1] 2");
  run("write START[0] 2");
  run("advance 10");
  EXPECT_EQ(run("events 1"), "cycle 1  commit taken (software)\n");
  EXPECT_EQ(run("events"), "cycle 1  output 0 up\ncycle 3  input 1 burst done\n");
}

TEST_F(Shell, DumpsAllAGroupOrARegister) {
  run("write BASE[1:2] 9");
  EXPECT_EQ(run("dump BASE"), "BASE[0]         0\nBASE[1:2]       9\nBASE[3:7]       0\n");
  const std::string config = run("dump config"), all = run("dump");
  EXPECT_EQ(config.substr(0, 3), "ID ");
  EXPECT_EQ(config.find("\nTIME "), std::string::npos);
  EXPECT_NE(all.find("\nTIME            0\n"), std::string::npos);
  EXPECT_NE(all.find("UNROUTED[0:7]   0\n"), std::string::npos);
  EXPECT_EQ(all.find("EVENT  "), std::string::npos) << "a read of EVENT takes one";
}

TEST_F(Shell, TellsWhatHasChangedSinceTheLastDump) {
  EXPECT_EQ(refused("diff"), "diff has nothing to compare with: dump or snapshot comes first");
  EXPECT_EQ(run("snapshot"), "");
  EXPECT_EQ(run("diff"), "no change\n");
  run("write BASE[3] 77");
  run("advance 5");
  EXPECT_EQ(run("diff"), "TIME            0  ->  5\nBASE[3]         0  ->  77 (0x4d)\n");
  run("dump config");
  EXPECT_EQ(run("diff"), "no change\n");
}

TEST_F(Shell, ExpectsWhatIsThere) {
  run("write BASE[*] 4");
  EXPECT_EQ(run("expect BASE[*] 4"), "");
  run("write BASE[5] 6");
  EXPECT_EQ(refused("expect BASE[*] 4", 1), "BASE[5] is 6, but must be 4");
  EXPECT_EQ(refused("expect STATE[0].STATE 3", 1), "STATE[0].STATE is 0 (idle), but must be 3");
}

TEST_F(Shell, RunsRegisterPrograms) {
  EXPECT_EQ(run("run " + golden + "flap.json").find("deviates"), std::string::npos);
  std::ifstream in(golden + "gated-burst.json");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string file = ::testing::TempDir() + "wrong.json";
  text.replace(text.find("\"time\":") + 7, 1, " 9");
  std::ofstream(file) << text;
  EXPECT_NE(refused("run " + file, 1).find("1 of 1 programs in"), std::string::npos);
  EXPECT_NE(out_.str().find(": deviates\n"), std::string::npos);
}

TEST_F(Shell, CarriesOutScriptsAndSaysWhereTheyFail) {
  const std::string inner = ::testing::TempDir() + "inner.regs", outer = ::testing::TempDir() + "outer.regs";
  std::ofstream(outer) << "source " << inner << "\nread BASE[0]\nquit\nread LOCK[0]\n";
  std::ofstream(inner) << "read TIME\nwrite BASE[0]\n";
  EXPECT_EQ(refused("source " + outer),
            outer + ":1: " + inner + ":2: write must have a register and a value, such as write BASE[0] 10 ms");
  std::ofstream(inner) << "source " << inner << "\n";
  EXPECT_NE(refused("source " + inner).find("scripts are nested more than 16 deep"), std::string::npos);
  std::ofstream(inner) << "# a comment\n\nwrite BASE[0] 3\n";
  EXPECT_EQ(run("source " + outer), "BASE[0]  3\n");
}

TEST_F(Shell, HelpsWithCommandsAndRegisters) {
  const std::string all = run("help");
  for (const char* command : {"read", "write", "expect", "advance", "wait", "events", "dump", "snapshot", "diff", "run",
                              "source", "info", "help", "quit"})
    EXPECT_EQ(run(std::string("help ") + command).find(command), 0u) << command;
  EXPECT_NE(all.find("advance N "), std::string::npos);
  EXPECT_EQ(run("help CTRL").substr(0, 35), "CTRL  RW, 32 bits at 0x00018: Modes");
  EXPECT_NE(run("help registers").find("PAIR[o][i]"), std::string::npos);
}

TEST_F(Shell, SaysWhatTheSwitchIs) {
  EXPECT_EQ(run("info"),
            "8 ports, word 64 B, cycle 5120 ps, 16 sequencer entries, FIFO of 64 records, register map 1.6\n"
            "options: PAIR JITTER RATE MULTICAST ALL_STOP EXTERNAL FAULTS SERIAL RECEIVER NEIGHBOURS POSITIONS POWER\n"
            "now: 0 cycles, 0 ps\n");
}

TEST_F(Shell, CompletesCommandsThenNames) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(shell_.completions("s"), (Words{"snapshot", "source"}));
  EXPECT_EQ(shell_.completions("read BAS"), Words{"BASE["});
  EXPECT_EQ(shell_.completions("read TIME CTRL.M"), Words{"CTRL.MULTICAST"});
  EXPECT_EQ(shell_.completions("dump co"),
            (Words{"config", "core", "COMMIT_TAG", "COMMIT_AT", "COMMITS", "COMMIT", "COMMIT_CANCEL"}));
}

TEST_F(Shell, EndsWithQuit) {
  EXPECT_TRUE(shell_.execute(" # nothing"));
  EXPECT_FALSE(shell_.execute("q"));
}

}  // namespace
}  // namespace ocs
