// lightloop under a real Slurm, which each test starts and ends.
// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <chrono>
#include <thread>

#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

using namespace std::chrono_literals;

class Slurm : public Cli {
 protected:
  ~Slurm() override { script("stop", 1); }

  void start(int nodes) const { ASSERT_EQ(script("start", nodes), 0) << read(path("slurm.out")); }

  /// A command of the shell, under this Slurm.
  int shell(const std::string& command) const {
    return std::system(
        ("cd '" + folder() + "' && export SLURM_CONF='" + path("slurm/slurm.conf") + "' && " + command).c_str());
  }
  Outcome under_slurm(const std::string& arguments) const {
    return run(arguments, "SLURM_CONF='" + path("slurm/slurm.conf") + "'");
  }
  std::string study() const { return tiny + " --set seed=[1,2,3] --db s.db"; }

  std::int64_t rows(const std::string& file) const {
    sqlite3* raw = nullptr;
    sqlite3_stmt* statement = nullptr;
    std::int64_t count = -1;
    if (sqlite3_open_v2(path(file).c_str(), &raw, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK &&
        sqlite3_prepare_v2(raw, "SELECT count(*) FROM row WHERE error IS NULL", -1, &statement, nullptr) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
      count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(raw);
    return count;
  }

 private:
  int script(const std::string& word, int nodes) const {
    return std::system((source + "/tests/cluster/slurm_here.sh " + word + " '" + path("slurm") + "' " +
                        std::to_string(nodes) + " >>'" + path("slurm.out") + "' 2>&1")
                           .c_str());
  }
};

TEST_F(Slurm, RunsASweepOnTwoNodesAndMergesIt) {
  start(2);
  const Outcome outcome =
      under_slurm("sweep " + study() + " --slurm --tasks 4 --poll 1 --slurm-args='--exclusive --comment=x'");
  ASSERT_EQ(outcome.code, 0) << outcome.err << read(path("s.db.shards/task-1.log"));
  EXPECT_NE(outcome.err.find("12 of 12 rows are in s.db\n"), std::string::npos) << outcome.err;
  EXPECT_EQ(rows("s.db"), 12);
  const Outcome again = under_slurm("sweep " + study() + " --slurm --tasks 4 --poll 1");
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.err, "lightloop: 12 of 12 rows are in s.db\n");  // no second array
}

TEST_F(Slurm, SizesTheArrayByMeasuredCost) {
  start(1);
  ASSERT_EQ(run("run " + tiny + " --set seed=[1,2,3] --quiet --db costs.db").code, 0);
  const Outcome outcome = under_slurm("sweep " + study() + " --slurm --poll 1 --costs costs.db --task-time '1000 s'");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(": 1 task: "), std::string::npos) << outcome.err;
}

TEST_F(Slurm, SaysWhyATaskFailedAndRunsOnlyWhatIsMissing) {
  start(1);
  // The database of the second shard is a folder, in which no row can be written.
  std::filesystem::copy(source + "/testbed/experiments/tiny.toml", path("tiny.toml"));
  const std::string command = "sweep tiny.toml --set policy=[hlf,sunflow] --db s.db --slurm --tasks 2 --poll 1";
  std::filesystem::copy(source + "/testbed/experiments/tiny.csv", path("tiny.csv"));
  ASSERT_EQ(shell("mkdir -p s.db.shards/2-of-2.db"), 0);
  const Outcome failed = under_slurm(command);
  EXPECT_EQ(failed.code, 1);
  EXPECT_NE(failed.err.find("task 2 of job 1: FAILED: its program failed; the end of its log says why"),
            std::string::npos)
      << failed.err;
  EXPECT_NE(failed.err.find("1 of 2 rows are in s.db; the same command runs those that are missing"), std::string::npos)
      << failed.err;
  ASSERT_EQ(shell("rmdir s.db.shards/2-of-2.db"), 0);
  const Outcome again = under_slurm(command);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.err.find("submitted job 3: 1 task: "), std::string::npos) << again.err;
  EXPECT_EQ(rows("s.db"), 2);
}

TEST_F(Slurm, FindsItsArrayAgainAfterTheRunnerWasKilled) {
  start(1);
  const std::string command =
      "sweep " + tiny + " --set seed=[1,2] --db s.db --slurm --tasks 2 --poll 1 --slurm-args=--begin=now+5";
  {
    setenv("SLURM_CONF", path("slurm/slurm.conf").c_str(), 1);
    Child runner(folder(), {"sweep", tiny, "--set", "seed=[1,2]", "--db", "s.db", "--slurm", "--tasks", "2", "--poll",
                            "1", "--slurm-args=--begin=now+5"});
    unsetenv("SLURM_CONF");
    for (int k = 0; k < 200 && !std::filesystem::exists(path("s.db.shards/job")); ++k)
      std::this_thread::sleep_for(50ms);
    std::this_thread::sleep_for(300ms);
    runner.send(SIGKILL);
    runner.wait();
  }
  const Outcome other = under_slurm("sweep " + tiny + " --set seed=[1,2,3] --db s.db --slurm --tasks 2 --poll 1");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("job 1 of another command still works in"), std::string::npos) << other.err;
  const Outcome outcome = under_slurm(command);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("waits for job 1: 2 tasks"), std::string::npos) << outcome.err;
  EXPECT_EQ(rows("s.db"), 8);
}

/// Slurm takes the task away and starts it again: it continues its own database.
TEST_F(Slurm, ContinuesATaskThatWasRequeued) {
  start(1);
  setenv("SLURM_CONF", path("slurm/slurm.conf").c_str(), 1);
  std::string seeds = "seed=[1";
  for (int seed = 2; seed <= 300; ++seed) seeds.append(",").append(std::to_string(seed));
  Child runner(folder(),
               {"sweep", tiny, "--set", seeds + "]", "--db", "s.db", "--slurm", "--tasks", "1", "--poll", "1"});
  unsetenv("SLURM_CONF");
  for (int k = 0; k < 400 && rows("s.db.shards/1-of-1.db") < 20; ++k) std::this_thread::sleep_for(20ms);
  ASSERT_EQ(shell("scontrol requeue 1"), 0);
  // Slurm delays a requeued task by two minutes; the operator does not.
  for (int k = 0; k < 100; ++k) {
    std::this_thread::sleep_for(200ms);
    if (shell("scontrol update jobid=1 starttime=now >/dev/null 2>&1") == 0) break;
  }
  EXPECT_EQ(runner.wait(), 0) << read(path("s.db.shards/task-1.log"));
  EXPECT_EQ(rows("s.db"), 1200);
  const std::string log = read(path("s.db.shards/task-1.log"));
  EXPECT_NE(log.find("rows are there already"), std::string::npos) << log;
  EXPECT_EQ(rows("s.db.shards/1-of-1.db"), 1200);  // none was run twice
}

TEST_F(Slurm, FinishesASweepWithADeadNode) {
  start(2);
  ASSERT_EQ(shell("kill -9 $(cat slurm/slurmd-n2.pid) && scontrol update nodename=n2 state=down reason=dead"), 0);
  const Outcome outcome = under_slurm("sweep " + study() + " --slurm --tasks 3 --poll 1");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(rows("s.db"), 12);
}

TEST_F(Slurm, RunsTheCasesOfANightAndKeepsTheirFailures) {
  start(2);
  std::ofstream(path("s.toml"))
      << "[[case]]\nname = \"c\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"echo {n} >> "
         "ran; test {n} != 4\"]\nmatrix = { n = [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\"] }\n"
         "[[case]]\nname = \"pst\"\nkind = \"experiment\"\nexperiment = \""
      << tiny << "\"\nexpect = [\"words_lost == 0\"]\n";
  const Outcome night = under_slurm("regress s.toml --out n --slurm --tasks 3 --poll 1");
  EXPECT_EQ(night.code, 1) << night.err;
  EXPECT_NE(night.out.find("night 1: 7 cases, 6 passed, 1 failed, 0 flaky\n"), std::string::npos)
      << night.out << night.err;
  EXPECT_NE(night.out.find("\n  lightloop regress --reproduce n/night-0001/f001\n"), std::string::npos) << night.out;
  EXPECT_EQ(run("regress --reproduce n/night-0001/f001").code, 1);
  EXPECT_NE(read(path("n/night-0001/f001/failure.txt")).find("--reproduce n/night-0001/f001\n"), std::string::npos);
  EXPECT_EQ(run("trend n --metric words_lost").code, 0);  // what the task measured came along
}

TEST_F(Slurm, ResumesANightWhoseTasksWereCancelled) {
  start(1);
  std::ofstream(path("s.toml"))
      << "[[case]]\nname = \"c\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"echo {n} >> "
         "ran; test -e go || sleep {n}\"]\nmatrix = { n = [\"0\", \"600\"] }\n";
  setenv("SLURM_CONF", path("slurm/slurm.conf").c_str(), 1);
  const int err = open(path("err").c_str(), O_WRONLY | O_CREAT, 0644);
  Child runner(folder(), {"regress", "s.toml", "--out", "n", "--slurm", "--tasks", "1", "--poll", "1"}, -1, err);
  unsetenv("SLURM_CONF");
  for (int k = 0; k < 400 && read(path("ran")) != "0\n600\n"; ++k) std::this_thread::sleep_for(20ms);
  ASSERT_EQ(shell("scancel 1"), 0);
  EXPECT_EQ(runner.wait(), 1);
  EXPECT_NE(read(path("err")).find("1 of 2 cases have no result; --resume runs them; task 1 of job 1: CANCELLED: "),
            std::string::npos)
      << read(path("err"));
  std::ofstream(path("go")) << "";
  const Outcome night = under_slurm("regress s.toml --out n --slurm --tasks 1 --poll 1 --resume");
  EXPECT_EQ(night.code, 0) << night.err;
  EXPECT_NE(night.out.find("2 cases, 2 passed, 0 failed, 0 flaky; 1 were finished before"), std::string::npos)
      << night.out;
  EXPECT_EQ(read(path("ran")), "0\n600\n600\n");
}

TEST_F(Slurm, PassesOnWhatSbatchRefuses) {
  start(1);
  const Outcome outcome = under_slurm("sweep " + study() + " --slurm --slurm-args=--partition=none");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("lightloop: sbatch refuses the array: sbatch: error: "), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace ocs::test
