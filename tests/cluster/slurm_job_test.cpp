// Which end of a task is its last one, and how each is explained: by programs in place of sbatch, squeue and sacct.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "testbed/cluster/slurm.hpp"

namespace ocs::test {
namespace {

using std::filesystem::path;

class SlurmTasksSeen : public ::testing::Test {
 protected:
  SlurmTasksSeen() : before_(std::getenv("PATH")) {
    std::string name = ::testing::TempDir() + "slurm_XXXXXX";
    folder_ = mkdtemp(name.data());
    std::filesystem::create_directory(folder_ / "bin");
    setenv("PATH", ((folder_ / "bin").string() + ":" + before_).c_str(), 1);
    answers("sbatch", {"7"});
    answers("sacct", {""});
  }
  ~SlurmTasksSeen() override {
    setenv("PATH", before_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }

  /// What a program answers when it is started for the first time, the second, ...; the last one for ever. "!": it fails.
  void answers(const std::string& program, const std::vector<std::string>& texts) const {
    const path data = folder_ / program;
    std::filesystem::create_directory(data);
    for (std::size_t k = 0; k < texts.size(); ++k) std::ofstream(data / std::to_string(k + 1)) << texts[k] << '\n';
    std::ofstream(data / "starts") << "0\n";
    const path file = folder_ / "bin" / program;
    std::ofstream(file) << "#!/bin/sh\ncd '" << data.string()
                        << "' && read starts <starts && starts=$((starts + 1)) && echo $starts >starts\n[ -e $starts ] "
                           "|| starts="
                        << texts.size() << "\nread first <$starts\n[ \"$first\" != '!' ] || exit 1\ncat $starts\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  int starts(const std::string& program) const {
    int count = -1;
    std::ifstream(folder_ / program / "starts") >> count;
    return count;
  }
  SlurmJob submitted(const std::vector<std::size_t>& numbers = {1}) const {
    std::filesystem::remove(folder_ / "job");
    SlurmArray array;
    array.name = "x";
    array.script = "#!/bin/sh\n";
    array.numbers = [numbers] { return numbers; };
    return {folder_, array};
  }
  /// Waits until the job is settled. @return its failures
  static std::vector<std::string> waited(SlurmJob& job) {
    wait_for(
        job, std::chrono::milliseconds{0}, [] {}, [] {});
    return job.failures();
  }
  std::string log_text() const { return "; its log is \"" + (folder_ / "task-1.log").string() + "\""; }

 private:
  path folder_;
  std::string before_;
};

TEST_F(SlurmTasksSeen, AreWaitedForWhenTheyAreStartedAgainAfterAnEnd) {
  for (const std::string end : {"FAILED|NonZeroExitCode|n1", "NODE_FAIL|NodeDown|n1", "BOOT_FAIL|None|n1",
                                "PREEMPTED|None|n1", "CANCELLED|None|n1"}) {
    answers("squeue",
            {"1|RUNNING|None|n1", "1|" + end, "1|PENDING|BeginTime|", "1|RUNNING|None|n2", "1|COMPLETED|None|n2"});
    SlurmJob job = submitted();
    EXPECT_TRUE(waited(job).empty()) << end;
    EXPECT_EQ(job.tasks().at(1).state, "COMPLETED") << end;
    EXPECT_EQ(starts("squeue"), 5) << end;
  }
}

TEST_F(SlurmTasksSeen, HaveFailedWhenTwoLooksThatWereAnsweredShowIt) {
  const std::string failed = "1|FAILED|NonZeroExitCode|n1";
  answers("squeue", {"1|RUNNING|None|n1", failed, "!", "!", failed});
  SlurmJob job = submitted();
  EXPECT_EQ(waited(job),
            std::vector<std::string>{"task 1 of job 7: FAILED: its program failed; the end of its log says "
                                     "why, on n1" +
                                     log_text()});
  EXPECT_EQ(starts("squeue"), 5);
}

TEST_F(SlurmTasksSeen, AreOverAtOnceWhenTheyAreCompleted) {
  answers("squeue", {"1|COMPLETED|None|n1\n2|COMPLETED|None|n1"});
  SlurmJob job = submitted({1, 2});
  EXPECT_TRUE(waited(job).empty());
  EXPECT_EQ(starts("squeue"), 1);
}

TEST_F(SlurmTasksSeen, GoOnWhenSlurmHasForgottenOthers) {
  answers("squeue", {"1|RUNNING|None|n1\n2|RUNNING|None|n2", "2|RUNNING|None|n2", "2|RUNNING|None|n2"});
  SlurmJob job = submitted({1, 2});
  for (int look = 0; look < 3; ++look) job.look();
  EXPECT_EQ(job.tasks().at(1).state, "UNKNOWN");
  EXPECT_EQ(job.tasks().at(2).state, "RUNNING");
  EXPECT_FALSE(job.over());
}

TEST_F(SlurmTasksSeen, AreFoundInAnAccountingThatIsLate) {
  answers("squeue", {"1|RUNNING|None|n1", ""});
  answers("sacct", {"", "7_1|COMPLETED|n1"});
  SlurmJob job = submitted();
  EXPECT_TRUE(waited(job).empty());
  EXPECT_EQ(job.tasks().at(1).state, "COMPLETED");
}

TEST_F(SlurmTasksSeen, HaveStatesThatAreExplained) {
  struct Said {
    std::string state, words;
  };
  const std::vector<Said> all{
      {"BOOT_FAIL", "its node did not boot; Slurm starts the task again if it may"},
      {"CANCELLED", "somebody cancelled it, with scancel or by a limit of the cluster"},
      {"DEADLINE", "it could not end before its deadline (--deadline)"},
      {"FAILED", "its program failed; the end of its log says why"},
      {"NODE_FAIL", "its node failed or does not answer, and Slurm did not start the task again"},
      {"OUT_OF_MEMORY",
       "it used more memory than it was given; give it more with --slurm-args=--mem=SIZE, or run fewer rows at the "
       "same time (-j)"},
      {"PREEMPTED", "another job took its node, and the cluster does not start preempted jobs again"},
      {"REVOKED", "another cluster of the federation has it"},
      {"TIMEOUT",
       "it took longer than its time limit; give it more with --slurm-args=--time=LIMIT, or divide the work into more "
       "tasks"},
      {"NEW_STATE", "Slurm says nothing else of it"},
  };
  for (const Said& said : all) {
    const std::string sentence = "task 1 of job 7: " + said.state + ": " + said.words;
    answers("squeue", {"1|RUNNING|None|n1", "1|" + said.state + "|Why|n1"});
    SlurmJob listed = submitted();
    EXPECT_EQ(waited(listed), std::vector<std::string>{sentence + " (reason: Why), on n1" + log_text()});
    EXPECT_EQ(listed.summary(), "1 task: 0 wait, 0 run, 0 have ended, 1 has failed");
    // squeue has forgotten it, and the accounting adds who cancelled
    answers("squeue", {"1|RUNNING|None|n1", ""});
    answers("sacct", {"7_1|" + said.state + (said.state == "CANCELLED" ? " by 1000" : "") + "|n1"});
    SlurmJob accounted = submitted();
    EXPECT_EQ(waited(accounted), std::vector<std::string>{sentence + ", on n1" + log_text()});
  }
}

}  // namespace
}  // namespace ocs::test
