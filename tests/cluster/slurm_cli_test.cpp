// lightloop under a real Slurm, which each test starts and ends.
// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sqlite3.h>
#include <sys/socket.h>

#include <chrono>
#include <thread>

#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

using namespace std::chrono_literals;

class Slurm : public Cli {
 protected:
  ~Slurm() override { script("stop", 1); }

  /// @param more lines of slurm.conf
  void start(int nodes, const std::string& more = "") const {
    ASSERT_EQ(script("start", nodes, more), 0) << read(path("slurm.out"));
  }

  /// A command of the shell, under this Slurm.
  int shell(const std::string& command) const {
    return std::system(
        ("cd '" + folder() + "' && export SLURM_CONF='" + path("slurm/slurm.conf") + "' && " + command).c_str());
  }
  Outcome under_slurm(const std::string& arguments) const {
    return run(arguments, "SLURM_CONF='" + path("slurm/slurm.conf") + "'");
  }
  std::string study() const { return tiny + " --set seed=[1,2,3] --db s.db"; }

  /// What a query of a database gives; "" if it can't be asked.
  std::string value(const std::string& file, const std::string& sql) const {
    sqlite3* raw = nullptr;
    std::string text;
    const auto keep = [](void* to, int, char** cells, char**) {
      if (cells[0] != nullptr) *static_cast<std::string*>(to) = cells[0];
      return 0;
    };
    if (sqlite3_open_v2(path(file).c_str(), &raw, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK)
      sqlite3_exec(raw, sql.c_str(), keep, &text, nullptr);
    sqlite3_close(raw);
    return text;
  }
  std::int64_t rows(const std::string& file) const {
    const std::string count = value(file, "SELECT count(*) FROM row WHERE error IS NULL");
    return count.empty() ? -1 : std::stoll(count);
  }
  std::string hashes(const std::string& file) const {
    return value(file, "SELECT group_concat(event_log_hash) FROM (SELECT * FROM row ORDER BY policy)");
  }
  /// lightloop in this folder, under this Slurm.
  Child runner(const std::vector<std::string>& arguments, int err = -1) const {
    const Configured configured(path("slurm/slurm.conf"));
    return {folder(), arguments, -1, err};
  }
  /// A sweep of 1,200 rows in one task.
  Child runner_of_many_rows() const {
    std::string seeds = "seed=[1";
    for (int seed = 2; seed <= 300; ++seed) seeds.append(",").append(std::to_string(seed));
    return runner({"sweep", tiny, "--set", seeds + "]", "--db", "s.db", "--slurm", "--tasks", "1", "--poll", "1",
                   "--slurm-args=--exclusive"});
  }
  void wait_for_some_rows() const {
    for (int k = 0; k < 3000 && rows("s.db.shards/1-of-1.db") < 20; ++k) std::this_thread::sleep_for(20ms);
    ASSERT_GE(rows("s.db.shards/1-of-1.db"), 20);
  }
  /// Slurm delays a requeued task by two minutes; the operator does not. A node refuses a start that falls into the
  /// second in which it ended the task.
  void start_requeued_task() const {
    for (int k = 0; k < 300 && shell("test \"$(squeue --noheader --jobs=1 --format=%T)\" = PENDING") != 0; ++k)
      std::this_thread::sleep_for(100ms);
    for (int k = 0; k < 300 && rows("s.db") < 20; ++k) std::this_thread::sleep_for(100ms);
    EXPECT_GE(rows("s.db"), 20);  // what there is can be seen
    EXPECT_EQ(shell("scontrol update jobid=1 starttime=now+2"), 0);
  }
  void expect_all_rows_once(Child& child) const {
    EXPECT_EQ(child.wait(), 0) << read(path("s.db.shards/task-1.log"));
    EXPECT_EQ(rows("s.db"), 1200);
    const std::string log = read(path("s.db.shards/task-1.log"));
    EXPECT_NE(log.find("rows are there already"), std::string::npos) << log;
    EXPECT_EQ(rows("s.db.shards/1-of-1.db"), 1200);
  }
  void write_slow_suite() const {
    std::ofstream(path("s.toml")) << "[[case]]\nname = \"c\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", "
                                     "\"echo begun >> ran; sleep 600\"]\n";
  }
  /// What the runner of a night says when a command ended its only task while it ran.
  std::string end_of_task(const std::string& arguments, const std::string& command) const {
    write_slow_suite();
    const int err = open(path("err").c_str(), O_WRONLY | O_CREAT, 0644);
    Child child = runner(
        {"regress", "s.toml", "--out", "n", "--slurm", "--tasks", "1", "--poll", "1", "--slurm-args=" + arguments},
        err);
    close(err);
    for (int k = 0; k < 3000 && read(path("ran")) != "begun\n"; ++k) std::this_thread::sleep_for(20ms);
    EXPECT_EQ(shell(command), 0);
    EXPECT_EQ(child.wait(), 1);
    return read(path("err"));
  }

  /// Of the loopback interface, free at the moment.
  static std::string free_port() {
    const int one = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(one, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(getsockname(one, reinterpret_cast<sockaddr*>(&address), &size), 0);
    close(one);
    return std::to_string(ntohs(address.sin_port));
  }

 private:
  /// As long as it lives, what is started is under this Slurm.
  struct Configured {
    explicit Configured(const std::string& file) { setenv("SLURM_CONF", file.c_str(), 1); }
    ~Configured() { unsetenv("SLURM_CONF"); }
    Configured(const Configured&) = delete;
    Configured& operator=(const Configured&) = delete;
  };
  int script(const std::string& word, int nodes, const std::string& more = "") const {
    return std::system((source + "/tests/cluster/slurm_here.sh " + word + " '" + path("slurm") + "' " +
                        std::to_string(nodes) + " '" + more + "' >>'" + path("slurm.out") + "' 2>&1")
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
    Child killed = runner({"sweep", tiny, "--set", "seed=[1,2]", "--db", "s.db", "--slurm", "--tasks", "2", "--poll",
                           "1", "--slurm-args=--begin=now+5"});
    for (int k = 0; k < 200 && !std::filesystem::exists(path("s.db.shards/job")); ++k)
      std::this_thread::sleep_for(50ms);
    std::this_thread::sleep_for(300ms);
    killed.send(SIGKILL);
    killed.wait();
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
  Child sweep = runner_of_many_rows();
  wait_for_some_rows();
  ASSERT_EQ(shell("scontrol requeue 1"), 0);
  start_requeued_task();
  expect_all_rows_once(sweep);
}

TEST_F(Slurm, ContinuesATaskThatAnotherJobPreempted) {
  start(1, "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nPartitionName=urgent Nodes=ALL PriorityTier=9");
  Child sweep = runner_of_many_rows();
  wait_for_some_rows();
  ASSERT_EQ(shell("sbatch --wait --partition=urgent --exclusive --output=/dev/null --wrap true"), 0);
  start_requeued_task();
  expect_all_rows_once(sweep);
}

/// The node takes the task's processes with it; Slurm starts the task on the other one.
TEST_F(Slurm, ContinuesATaskWhoseNodeDied) {
  start(2);
  Child sweep = runner_of_many_rows();
  wait_for_some_rows();
  std::ofstream(path("die.sh")) << "node=$(squeue --noheader --jobs=1 --format=%N)\n"
                                   "kill -9 $(cat slurm/slurmd-$node.pid)\n"
                                   "for each in $(grep -lse --shard /proc/[0-9]*/cmdline); do\n"
                                   "  each=${each%/cmdline}\n"
                                   "  [ \"$(readlink $each/cwd)\" = \"$PWD\" ] || continue\n"
                                   "  task=${each#/proc/}\n"
                                   "  kill -9 $(ps -o ppid= -p $task) $task && echo $task >died\n"
                                   "done\n"
                                   "scontrol update nodename=$node state=down reason=dead\n";
  ASSERT_EQ(shell("sh die.sh"), 0);
  ASSERT_NE(read(path("died")), "");
  start_requeued_task();
  expect_all_rows_once(sweep);
}

TEST_F(Slurm, SaysThatATaskTookTooLong) {
  start(1);
  const std::string ended = end_of_task("--time=1", "scontrol update jobid=1 endtime=now+1");
  EXPECT_NE(ended.find("task 1 of job 1: TIMEOUT: it took longer than its time limit; "), std::string::npos) << ended;
  EXPECT_NE(ended.find(" (reason: TimeLimit), on n1; its log is "), std::string::npos) << ended;
}

TEST_F(Slurm, SaysThatATasksNodeFailed) {
  start(1);
  const std::string ended = end_of_task(
      "--no-requeue", "kill -9 $(cat slurm/slurmd-n1.pid) && scontrol update nodename=n1 state=down reason=dead");
  EXPECT_NE(ended.find("task 1 of job 1: NODE_FAIL: its node failed or does not answer, and Slurm did not start the "
                       "task again (reason: NodeDown), on n1; "),
            std::string::npos)
      << ended;
}

TEST_F(Slurm, SaysThatATaskWasPreempted) {
  start(1, "PreemptType=preempt/partition_prio\nPreemptMode=CANCEL\nPartitionName=urgent Nodes=ALL PriorityTier=9");
  const std::string ended =
      end_of_task("--exclusive", "sbatch --wait --partition=urgent --exclusive --output=/dev/null --wrap true");
  EXPECT_NE(ended.find("task 1 of job 1: PREEMPTED: another job took its node, and the cluster does not start "
                       "preempted jobs again, on n1; "),
            std::string::npos)
      << ended;
}

TEST_F(Slurm, SaysThatATaskMissedItsDeadline) {
  start(1);
  ASSERT_EQ(shell("sbatch --exclusive --output=/dev/null --wrap 'sleep 600'"), 0);
  write_slow_suite();
  const Outcome night =
      under_slurm("regress s.toml --out n --slurm --tasks 1 --poll 1 --slurm-args='--deadline=now+62 --time=1'");
  EXPECT_EQ(night.code, 1);
  EXPECT_NE(night.err.find("task 1 of job 2: DEADLINE: it could not end before its deadline (--deadline)"),
            std::string::npos)
      << night.err;
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
  EXPECT_NE(night.out.find(" regress --reproduce n/night-0001/f001\n"), std::string::npos) << night.out;
  EXPECT_EQ(run("regress --reproduce n/night-0001/f001").code, 1);
  EXPECT_NE(read(path("n/night-0001/f001/failure.txt")).find("--reproduce n/night-0001/f001\n"), std::string::npos);
  EXPECT_EQ(run("trend n --metric words_lost").code, 0);  // what the task measured came along
}

/// With a switch that has counters: to compile it takes minutes.
using SlurmAtNight = Slurm;

TEST_F(SlurmAtNight, AddsUpTheCoverageOfAllTasks) {
  std::ofstream(path("s.toml"))
      << "[[case]]\nname = \"r\"\nkind = \"random_programs\"\ndevices = [\"model\", "
         "\"verilated\"]\nports = 4\nseeds = \"1..4\"\ncoverage = true\ntimeout = \"600 s\"\n";
  const Outcome here = run("regress s.toml --out here");
  ASSERT_EQ(here.code, 0) << here.out << here.err;
  start(2);
  const Outcome night = under_slurm("regress s.toml --out n --slurm --tasks 2 --poll 1 --slurm-args=--exclusive");
  ASSERT_EQ(night.code, 0) << night.out << night.err << read(path("n/night-0001/tasks/task-1.log"));
  for (const std::string task : {"1", "2"})
    EXPECT_TRUE(std::filesystem::exists(path("n/night-0001/tasks/" + task + "/history.db"))) << task;
  const auto coverage = [](const std::string& out) {
    const std::size_t at = out.find("\ncoverage: ");
    return at == std::string::npos ? "none" : out.substr(at, out.find('\n', at + 1) - at);
  };
  EXPECT_NE(coverage(night.out), "none") << night.out;
  EXPECT_EQ(coverage(night.out), coverage(here.out));
  EXPECT_EQ(read(path("n/last/coverage.info")), read(path("here/last/coverage.info")));
  EXPECT_NE(read(path("n/last/coverage.info")).find("/rtl/fast/outputs.svh\n"), std::string::npos);
}

TEST_F(Slurm, ResumesANightWhoseTasksWereCancelled) {
  start(1);
  std::ofstream(path("s.toml"))
      << "[[case]]\nname = \"c\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"echo {n} >> "
         "ran; test -e go || sleep {n}\"]\nmatrix = { n = [\"0\", \"600\"] }\n";
  const int err = open(path("err").c_str(), O_WRONLY | O_CREAT, 0644);
  Child first = runner({"regress", "s.toml", "--out", "n", "--slurm", "--tasks", "1", "--poll", "1"}, err);
  close(err);
  for (int k = 0; k < 400 && read(path("ran")) != "0\n600\n"; ++k) std::this_thread::sleep_for(20ms);
  ASSERT_EQ(shell("scancel 1"), 0);
  EXPECT_EQ(first.wait(), 1);
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

/// The job of docs/cluster.md, with an experiment of five nodes.
TEST_F(Slurm, RunsOneExperimentWhoseNodesAreOnThreeHosts) {
  start(3);
  ASSERT_EQ(run("node --new-key cluster.key").code, 0);
  const std::string program = "'" + ocs::test::built("lightloop") + "'", place = "tcp://127.0.0.1:" + free_port();
  std::ofstream(path("job.sh"))
      << "#!/bin/sh\n#SBATCH --nodes=3\nfirst=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n"
      << "srun --nodes=1 --ntasks=1 --nodelist=\"$first\" " << program << " run '" << tiny
      << "' --set nodes.transport=tcp --set nodes.expect=2 --set nodes.keys='" << path("cluster.key")
      << "' --set nodes.listen=" << place << " --db several.db --quiet &\n"
      << "srun --nodes=2 --ntasks=2 --exclude=\"$first\" sh -c \"" << program << " node --connect " << place
      << " --id \\$((3 + SLURM_PROCID)) --key cluster.key && hostname >>came.\\$SLURM_PROCID\" &\nwait\n";
  ASSERT_EQ(shell("sbatch --wait --exclusive --output=job.log job.sh >/dev/null"), 0) << read(path("job.log"));
  for (const char* node : {"came.0", "came.1"}) EXPECT_NE(read(path(node)), "") << read(path("job.log"));
  ASSERT_EQ(run("run " + tiny + " --db here.db --quiet").code, 0);
  EXPECT_EQ(rows("several.db"), 4) << read(path("job.log"));
  EXPECT_EQ(hashes("several.db"), hashes("here.db"));
}

TEST_F(Slurm, PassesOnWhatSbatchRefuses) {
  start(1);
  const Outcome outcome = under_slurm("sweep " + study() + " --slurm --slurm-args=--partition=none");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("lightloop: sbatch refuses the array: sbatch: error: "), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace ocs::test
