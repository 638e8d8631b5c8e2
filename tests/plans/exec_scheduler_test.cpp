// Programs as schedulers: good ones are used, and each way to misbehave ends in a sentence, without a hang or a zombie.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/exec_scheduler.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/plans/rig.hpp"

namespace ocs {
namespace {

using namespace test;
using std::chrono::milliseconds;

const std::string good = R"({"reservations": [{"flow": 0, "in": 0, "out": 1, "start": 0, "up": 10, "end": 110}, )"
                         R"({"flow": 1, "in": 2, "out": 1, "start": 110, "up": 120, "end": 170}]})";

class Exec : public ::testing::Test {
 protected:
  Exec() {
    std::string name = ::testing::TempDir() + "lightloop_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~Exec() override {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
    EXPECT_EQ(errno, ECHILD);
    std::filesystem::remove_all(folder_);
  }

  /// A scheduler that is this shell script.
  ExecScheduler scheduler(const std::string& script, milliseconds patience = milliseconds{20'000},
                          std::function<void()> pause = {}, const ProcessLimits& limits = {}) const {
    const std::string file = folder_ + "/program";
    std::ofstream(file) << "#!/bin/sh\n" << script << '\n';
    chmod(file.c_str(), 0755);
    return {{file}, "mine", patience, Ticks{1'000'000}, std::move(pause), limits};
  }

  /// What is said of it.
  std::string complaint(const std::string& script, milliseconds patience = milliseconds{20'000},
                        const Problem& problem = small_problem()) const {
    try {
      scheduler(script, patience).plan(problem);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::run);
      return error.what();
    }
    return "nothing";
  }

  static Problem large_problem() {
    Problem problem;
    problem.ports = 256;
    problem.delta = Ticks{10};
    std::uint32_t id = 0;
    for (std::uint16_t in = 0; in < 256; ++in)
      for (std::size_t out = 0; out < 64; ++out) problem.flows.push_back(flow(id++, in, out, 5));
    return problem;
  }

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

TEST_F(Exec, PlanOfAProgramIsUsed) {
  const ExecScheduler mine = scheduler("while read -r problem; do echo '" + good + "'; done");
  for (int k = 0; k < 3; ++k) {
    const Plan plan = mine.plan(small_problem());
    ASSERT_EQ(plan.list.size(), 2u);
    EXPECT_EQ(plan.list[1].end, Ticks{170});
    EXPECT_EQ(plan.bound, Ticks{170}) << "a bound of our own";
  }
}

TEST_F(Exec, ProgramReadsTheProblemAsOneLine) {
  Problem problem = small_problem();
  problem.flows.clear();
  const std::string script = "read -r line; case $line in '" + [&] {
    Json json = {{"request", 1}};
    json.update(to_json(problem));
    return json.dump();
  }() + "') echo '{\"request\": 1, \"reservations\": []}';; *) exit 9;; esac; cat >/dev/null";
  EXPECT_TRUE(scheduler(script).plan(problem).list.empty());
}

TEST_F(Exec, ProgramThatEndsIsSaidToHaveEnded) {
  EXPECT_EQ(complaint("exit 3"), "mine ended with exit code 3 before it answered");
  EXPECT_EQ(complaint("read -r line; exit 0"), "mine ended with exit code 0 before it answered");
  EXPECT_EQ(complaint("read -r line; kill -9 $$"), "mine was ended by signal 9 (Killed) before it answered");
  EXPECT_EQ(complaint("exit 3", milliseconds{20'000}, large_problem()),
            "mine ended with exit code 3 before it answered");
  EXPECT_EQ(complaint("read -r line; printf '{'; exit 4"), "mine ended with exit code 4 before it answered");
  EXPECT_EQ(complaint("sleep 60 & exit 5"), "mine ended with exit code 5 before it answered")
      << "although what it started holds its output";
}

TEST_F(Exec, ProgramThatCannotBeStartedIsSaidSo) {
  const ExecScheduler nothing({"/nowhere/mine"}, "mine", milliseconds{20'000}, Ticks{1'000'000}, {});
  EXPECT_THROW(nothing.plan(small_problem()), Error);
}

TEST_F(Exec, AnswerOfAProgramThatEndsAtOnceCounts) {
  EXPECT_EQ(scheduler("read -r line; echo '" + good + "'").plan(small_problem()).list.size(), 2u);
}

TEST_F(Exec, ProgramThatHangsIsEnded) {
  EXPECT_EQ(complaint("sleep 60", milliseconds{150}), "mine hasn't answered within 150 ms, its planning_timeout");
  EXPECT_EQ(complaint("trap '' TERM; while :; do sleep 1; done", milliseconds{150}, large_problem()),
            "mine hasn't answered within 150 ms, its planning_timeout");
  EXPECT_EQ(complaint("exec <&-; sleep 60", milliseconds{150}, large_problem()),
            "mine hasn't answered within 150 ms, its planning_timeout");
  EXPECT_NE(complaint("exec >&-; sleep 60", milliseconds{20'000}).find("closed its standard output"),
            std::string::npos);
}

TEST_F(Exec, ProgramThatPrintsGarbageIsRefused) {
  EXPECT_EQ(complaint("read -r line; echo hello; cat >/dev/null"),
            "mine, answer 1 is not valid JSON: the error is at byte 1");
  EXPECT_EQ(complaint("read -r line; head -c 300 /dev/zero; echo; cat >/dev/null"),
            "mine, answer 1 is not valid JSON: the error is at byte 1");
  EXPECT_EQ(complaint("read -r line; echo '[]'; cat >/dev/null"), "mine, answer 1 is a list, but must be an object");
  EXPECT_EQ(complaint("read -r line; echo '{}'; cat >/dev/null"), "mine, answer 1 has no \"reservations\"");
  EXPECT_EQ(complaint("read -r line; echo '{\"request\": 2, \"reservations\": []}'; cat >/dev/null"),
            "mine, answer 1.request is 2, but must be a whole number from 1 to 1");
  EXPECT_EQ(complaint("read -r line; echo; cat >/dev/null"),
            "mine, answer 1 is not valid JSON: the error is at byte 1");
}

TEST_F(Exec, ProgramThatPrintsTooMuchIsEnded) {
  EXPECT_EQ(complaint("read -r line; cat /dev/zero", milliseconds{120'000}),
            "mine answers with more than 67108864 bytes, the most allowed");
  EXPECT_EQ(complaint("read -r line; printf '1\\n2\\n'; cat >/dev/null"),
            "mine answers with more than one line; it must write one for each that it reads");
  const ExecScheduler late =
      scheduler("read -r line; echo '" + good + "'; echo more; : >" + folder() + "/written; cat >/dev/null");
  try {
    late.plan(small_problem());
    for (int k = 0; k < 1000 && !std::filesystem::exists(folder() + "/written"); ++k) usleep(20'000);
    late.plan(small_problem());
    ADD_FAILURE() << "a second line was taken for an answer";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("must write one"), std::string::npos) << error.what();
  }
}

TEST_F(Exec, PlanThatBreaksARuleIsRefusedByItsName) {
  std::string bad = good;
  bad.replace(bad.find("\"start\": 110"), 12, "\"start\": 111");
  EXPECT_EQ(complaint("read -r line; echo '" + bad + "'; cat >/dev/null"),
            "mine, answer 1, breaks the rule \"settle\": the plan lets flow 1 (2 -> 1) start at 111 and be up at 120, "
            "but its circuit is not established then and takes 10 to set up");
}

/// Whether a process is still there after two seconds; its number is in a file.
bool lives(const std::string& file) {
  std::string started, stat, state = "?";
  std::getline(std::ifstream(file), started);
  EXPECT_FALSE(started.empty());
  for (int k = 0; k < 100 && state != "" && state != "Z"; ++k) {  // gone, or waits for whoever adopted it
    usleep(20'000);
    stat.clear();
    std::getline(std::ifstream("/proc/" + started + "/stat"), stat);
    state = stat.empty() ? "" : stat.substr(stat.rfind(')') + 2, 1);
  }
  return !state.empty() && state != "Z";
}

TEST_F(Exec, WhatAProgramHasStartedIsEndedWithIt) {
  const std::string file = folder() + "/started", wait = "while [ ! -s " + file + " ]; do sleep 0.01; done; ";
  for (const std::string& start :
       {"sleep 60 & echo $! >" + file + "; ", "setsid sh -c 'echo $$ >" + file + "; exec sleep 60' & " + wait,
        "(setsid sh -c 'echo $$ >" + file + "; exec sleep 60' & ) & " + wait})
    for (const std::string& script : {start + "exit 5", start + "sleep 60", start + "cat >/dev/null"}) {
      std::filesystem::remove(file);
      complaint(script, milliseconds{300});
      EXPECT_FALSE(lives(file)) << script;
    }
}

TEST_F(Exec, EndsOfAProgramPassThroughItsKeeper) {
  EXPECT_EQ(complaint("read -r line; kill -11 $$"),
            "mine was ended by signal 11 (Segmentation fault) before it answered");
  EXPECT_EQ(complaint("read -r line; exec >&-; sleep 0.5; kill -11 $$"),
            "mine was ended by signal 11 (Segmentation fault) before it answered");
  EXPECT_EQ(complaint("kill -9 $PPID; sleep 60"), "mine was ended by signal 9 (Killed) before it answered");
}

TEST_F(Exec, LimitsHold) {
  ProcessLimits tight;
  tight.cpu_s = 1;
  tight.memory_bytes = std::uint64_t{256} << 20;
  tight.file_bytes = 4096;
  tight.files = 20;
  tight.processes = 5000;
  const auto said = [&](const std::string& script) {
    try {
      scheduler(script, milliseconds{20'000}, {}, tight).plan(small_problem());
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(said("while :; do :; done"), "mine was ended by signal 24 (CPU time limit exceeded) before it answered");
  EXPECT_EQ(said("exec head -c 10000 /dev/zero >" + folder() + "/large"),
            "mine was ended by signal 25 (File size limit exceeded) before it answered");
  EXPECT_EQ(said("ulimit -n >" + folder() + "/files; ulimit -v >" + folder() + "/memory; ulimit -c >" + folder() +
                 "/core; awk '/Max processes/ {print $3}' /proc/self/limits >" + folder() + "/processes"),
            "mine ended with exit code 0 before it answered");
  const auto line = [&](const char* name) {
    std::string text;
    std::getline(std::ifstream(folder() + name), text);
    return text;
  };
  EXPECT_EQ(line("/files"), "20");
  EXPECT_EQ(line("/memory"), std::to_string(256 << 10));
  EXPECT_EQ(line("/core"), "0");
  EXPECT_EQ(line("/processes"), "5000");
}

TEST_F(Exec, StandardErrorIsPassedOnUpToALimit) {
  const int before = dup(STDERR_FILENO), file = open((folder() + "/errors").c_str(), O_RDWR | O_CREAT, 0600);
  dup2(file, STDERR_FILENO);
  complaint("echo hello >&2; head -c 50000000 /dev/zero >&2; exit 3");
  dup2(before, STDERR_FILENO);
  close(before), close(file);
  std::ifstream in(folder() + "/errors");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text.substr(0, 6), "hello\n");
  EXPECT_NE(text.find("wrote more than 1 MiB to standard error; the rest is dropped"), std::string::npos);
  EXPECT_LT(text.size(), max_error_bytes + 200);
  EXPECT_GT(text.size(), max_error_bytes);
}

TEST_F(Exec, UserCanEndWhatPlans) {
  const ExecScheduler slow = scheduler("sleep 60", milliseconds{20'000}, [] { throw std::runtime_error("enough"); });
  EXPECT_THROW(slow.plan(small_problem()), std::runtime_error);
}

}  // namespace
}  // namespace ocs
