// What Slurm's commands print, and its states in words.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/core/error.hpp"
#include "host/core/shell_word.hpp"
#include "testbed/cluster/slurm.hpp"

namespace ocs::test {
namespace {

TEST(Squeue, HasALineForEachTask) {
  const SlurmTasks tasks = parse_squeue(
      "1|RUNNING|None|n1\n2|PENDING|Resources|\n3|FAILED|NonZeroExitCode|n2\nN/A|RUNNING|None|n1\nslurm: x\n");
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks.at(1).nodes, "n1");
  EXPECT_EQ(tasks.at(2).reason, "Resources");
  EXPECT_TRUE(is_over(tasks.at(3).state));
  EXPECT_FALSE(is_over(tasks.at(1).state));
}

TEST(Sacct, SaysWhoCancelled) {
  const SlurmTasks tasks = parse_sacct("12_3|CANCELLED by 1000|n4\n12|RUNNING|n1\n12_4|TIMEOUT|n5\n");
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks.at(3).state, "CANCELLED");
  EXPECT_EQ(tasks.at(4).nodes, "n5");
}

TEST(StatesOfSlurm, AreExplained) {
  EXPECT_EQ(explanation_of({"OUT_OF_MEMORY", "OutOfMemory", "n1"}),
            "OUT_OF_MEMORY: it used more memory than it was given; give it more with --slurm-args=--mem=SIZE, or run "
            "fewer rows at the same time (-j) (reason: OutOfMemory), on n1");
  for (const auto& [state, word] : {std::pair{"TIMEOUT", "longer than its time limit"},
                                    {"NODE_FAIL", "its node failed"},
                                    {"PREEMPTED", "another job took its node"},
                                    {"CANCELLED", "scancel"},
                                    {"BOOT_FAIL", "did not boot"}}) {
    EXPECT_NE(explanation_of({state, "", ""}).find(word), std::string::npos) << state;
    EXPECT_TRUE(is_over(state));
  }
}

TEST(ArrayOfSlurm, JoinsNeighbours) {
  EXPECT_EQ(array_text({1, 2, 3, 7, 9, 10}), "1-3,7,9-10");
  EXPECT_EQ(array_text({4}), "4");
}

TEST(KeptJobOfAFolder, IsReadBackOrRefused) {
  const KeptJob kept = parse_kept_job("12 abc 1 2 7\n", "job");
  EXPECT_EQ(kept.id, "12");
  EXPECT_EQ(kept.array_hash, "abc");
  EXPECT_EQ(kept.numbers, (std::vector<std::size_t>{1, 2, 7}));
  for (const char* wrong : {"", "12", "12 abc", "x abc 1", "12 abc 0", "12 abc 1 x", "12 abc -1", "1;rm abc 2"})
    EXPECT_THROW(parse_kept_job(wrong, "job"), Error) << wrong;
}

TEST(WordOfAShell, StaysOneWord) { EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'"); }

}  // namespace
}  // namespace ocs::test
