// lightloop regs as a user starts it: scripts, standard input, exit codes, a terminal.
// SPDX-License-Identifier: Apache-2.0
#include <pty.h>

#include "tests/common/places.hpp"
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

using Regs = Cli;

TEST_F(Regs, CarriesOutAScript) {
  std::ofstream(path("a.regs"))
      << "write BASE[0] 10 us\nwrite SHADOW[0] 0x80000001\nwrite COMMIT 1\nwrite IRQ_ENABLE 7\n"
         "wait\nevents\nwait\nevents\nexpect STATE[0].STATE 3\n";
  for (const std::string device : {"model", "verilated", "verilated_counter"}) {
    const Outcome outcome = run("regs " + device + " a.regs --ports 4");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out,
              "cycle 1  interrupt: EVENT\ncycle 1  commit taken (software)\ncycle 1  output 0 tuning\n"
              "cycle 1955  interrupt: EVENT\ncycle 1955  output 0 up\n")
        << device;
  }
}

TEST_F(Regs, EndsAScriptAtItsFirstErrorWithTheLine) {
  std::ofstream(path("a.regs")) << "read TIME\n\nread BASE[99]\nread TIME\n";
  const Outcome refused_by_switch = run("regs verilated a.regs");
  EXPECT_EQ(refused_by_switch.code, 1);
  EXPECT_EQ(refused_by_switch.out, "TIME  0\n");
  EXPECT_EQ(refused_by_switch.err, "lightloop: a.regs:3: the switch refused a read at address 0x08d8c (SLVERR)\n");
  std::ofstream(path("b.regs")) << "raed TIME\n";
  EXPECT_EQ(refused("regs model b.regs"), "b.regs:1: unknown command \"raed\"; did you mean \"read\"?\n");
  EXPECT_EQ(refused("regs model nowhere.regs"), "script \"nowhere.regs\" can't be read: No such file or directory\n");
}

TEST_F(Regs, ReadsStandardInputAndSingleCommands) {
  std::ofstream(path("in")) << "read CAP_SIZE.PORTS\nquit\nbogus\n";
  const std::string piped =
      "'" + ocs::test::built("lightloop") + "' regs model --ports 4 <'" + path("in") + "' >'" + path("out") + "'";
  EXPECT_EQ(std::system(piped.c_str()), 0);
  EXPECT_EQ(read(path("out")), "CAP_SIZE.PORTS  4\n");
  EXPECT_EQ(run("regs model --ports 4 -c 'read CAP_SIZE.PORTS' -c 'write BASE[0] 3' -c 'read BASE[0]'").out,
            "CAP_SIZE.PORTS  4\nBASE[0]  3\n");
  EXPECT_EQ(refused("regs model -c 'read QQQQQQ'"), "there is no register \"QQQQQQ\"; `help registers` lists them\n");
}

TEST_F(Regs, SetsTheDelaysOfANamedSwitch) {
  EXPECT_EQ(run("regs model --switch mordia -c 'read BASE[0] LOCK[15] PAIR[0][1]'").out,
            "BASE[0]  547 (0x223)\nLOCK[15]  1700 (0x6a4)\nPAIR[0][1]  0\n");
  EXPECT_EQ(run("regs model --tuning '10 us' --locking 5.12ns -c 'read BASE[3] LOCK[3]'").out,
            "BASE[3]  1954 (0x7a2)\nLOCK[3]  1\n");
}

TEST_F(Regs, RunsRegisterProgramsOnTheDevice) {
  const Outcome outcome = run("regs verilated --ports 4 -c 'run " + source + "/tests/goldens/switch/gated-burst.json'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "gated-burst: as expected\n");
}

TEST_F(Regs, RefusesDevicesThatCantBeBuilt) {
  EXPECT_EQ(refused("regs bogus"),
            "unknown device \"bogus\"; known: model, verilated, verilated_counter, soc, sysc, sysc-rtl, mapped, uart, "
            "verilated_fast\n");
  EXPECT_NE(refused("regs model --ports 1").find("--ports"), std::string::npos);
  EXPECT_NE(refused("regs model --word 3x").find("--word is \"3x\", but must be a size"), std::string::npos);
  EXPECT_NE(refused("regs model --rate '7 bit/s'").find("--rate: fabric.rate is 7 bit/s"), std::string::npos);
  EXPECT_EQ(refused("regs model --ports 64 --switch mordia"),
            "--switch: switch \"mordia\" has 24 ports, but fabric.ports is 64\n");
  EXPECT_NE(refused("regs model --switch mordia --tuning '1 ms'").find("can't be given with --tuning"),
            std::string::npos);
  EXPECT_NE(refused("regs model --switch mordai").find("did you mean \"mordia\"?"), std::string::npos);
}

/// The program on a terminal of its own. What is typed comes once the text before it has been seen, as people do.
struct Typed {
  std::string after, keys;
};
std::string talk(const std::string& folder, const std::vector<Typed>& lines,
                 const std::vector<std::string>& arguments) {
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (pid == 0) {
    setenv("HOME", folder.c_str(), 1);
    setenv("TERM", "dumb", 1);
    std::vector<std::string> words = arguments;
    words.insert(words.begin(), ocs::test::built("lightloop"));
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    execv(raw[0], raw.data());
    _exit(127);
  }
  std::string seen;
  std::array<char, 256> chunk{};
  const auto read_until = [&](const std::string& word) {
    for (std::size_t from = seen.size(); word.empty() || seen.find(word, from) == std::string::npos;) {
      const ssize_t got = ::read(terminal, chunk.data(), chunk.size());
      if (got <= 0) return;
      seen.append(chunk.data(), static_cast<std::size_t>(got));
    }
  };
  for (const auto& [after, keys] : lines) {
    read_until(after);
    EXPECT_EQ(::write(terminal, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  read_until("");  // to its end
  close(terminal);
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << seen;
  return seen;
}

TEST_F(Regs, CompletesAtATerminalGoesOnAfterAnErrorAndKeepsTheHistory) {
  const std::string seen = talk(folder(),
                                {{"regs> ", "rea\tCTRL.M\t\n"},
                                 {"CTRL.MULTICAST  0", "bogus\n"},
                                 {"unknown command", "read TI\t\n"},
                                 {"TIME  0", "quit\n"}},
                                {"regs", "model", "--ports", "4"});
  EXPECT_NE(seen.find("4 ports, word 64 B"), std::string::npos) << seen;
  EXPECT_NE(seen.find("CTRL.MULTICAST  0"), std::string::npos) << seen;
  EXPECT_NE(seen.find("unknown command \"bogus\""), std::string::npos) << seen;
  EXPECT_NE(seen.find("TIME  0"), std::string::npos) << seen;
  const std::string kept = read(path(".lightloop_history"));
  EXPECT_NE(kept.find("bogus"), std::string::npos) << kept;
}

}  // namespace
}  // namespace ocs::test
