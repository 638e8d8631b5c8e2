// Nodes in processes: the same results as in threads, and a sentence that names who breaks the rules.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <optional>

#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/collective_job.hpp"
#include "tests/nodes/odd_transports.hpp"
#include "tests/nodes/process_support.hpp"

namespace ocs {
namespace {

using namespace std::chrono_literals;
using test::processes_with;
using test::runner_settings;
using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::int64_t> times_of(const JobResult& result) {
  std::vector<std::int64_t> times;
  for (const auto& i : result.iterations) times.insert(times.end(), {i.sync_start.n, i.push_end.n, i.sync_end.n});
  times.insert(times.end(), {result.end.n, result.words_delivered, result.bytes_delivered.n, result.bytes_local.n,
                             result.rounds, result.messages, result.chunks});
  return times;
}

JobResult run_in_threads(const JobSpec& spec) {
  FakeNetwork network(spec.word_bytes);
  return run_job(spec, network);
}

JobResult run(const JobSpec& spec, NodeRunner& runner) {
  FakeNetwork network(spec.word_bytes);
  return run_job(spec, network, runner);
}

class EveryTransport : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Processes, EveryTransport, testing::Values("ipc", "tcp"),
                         [](const auto& instance) { return instance.param; });

TEST_P(EveryTransport, GivesTheResultsOfThreads) {
  const auto runner = make_process_runner(runner_settings(GetParam()));
  for (const bool colocate : {false, true}) {
    const JobSpec spec = small_job(3, 2, colocate);
    const JobResult result = run(spec, *runner);
    EXPECT_EQ(times_of(result), times_of(run_in_threads(spec)));
    EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
  }
}

/// Without payload the blocks of phases are in no layout.
TEST_P(EveryTransport, RunsThePhasesOfACollectiveWithEveryPayload) {
  const auto runner = make_process_runner(runner_settings(GetParam()));
  GroupPhase gather{make_collective(CollectiveKind::all_gather, "ring", 2), {Words{50}, Words{49}}, {{2, 0}}};
  const std::vector<TrafficPhase> phases = {{gather}, {PairPhase{{{1, 0, Words{3000}}, {0, 2, Words{40}}}}, 7}};
  std::optional<Picos> end;
  for (const PayloadMode mode : {PayloadMode::full, PayloadMode::digest, PayloadMode::none}) {
    CollectiveSpec spec;
    spec.list = {CollectiveKind::all_to_all, 3, 0, {}};
    spec.legs = legs_of(phases, 3, 1);
    if (mode != PayloadMode::none) spec.phases = {lists_of(phases, 3)};
    spec.iterations = 2;
    spec.compute = [](std::size_t, std::uint32_t) { return Picos{0}; };
    spec.payload = mode;
    spec.cycle = Picos{5120};
    FakeNetwork network(spec.word_bytes);
    const CollectiveResult result = run_collective_job(spec, network, *runner);
    EXPECT_EQ(result.job.crc_errors + result.job.sum_errors, 0) << name_of(mode);
    EXPECT_EQ(result.job.words_delivered, 2 * (50 + 49 + 3000 + 40)) << name_of(mode);
    EXPECT_EQ(result.job.end, end.value_or(result.job.end)) << name_of(mode);
    end = result.job.end;
  }
}

TEST_P(EveryTransport, GivesThemWhateverTheOrderOfArrivals) {
  ProcessRunnerSettings settings = runner_settings(GetParam(), "all:shuffle");
  settings.hook = [](std::unique_ptr<Transport> inner) {
    return std::make_unique<ShufflingTransport>(std::move(inner), 5);
  };
  const auto runner = make_process_runner(settings);
  for (const bool colocate : {false, true}) {
    const JobSpec spec = small_job(4, 3, colocate);
    const JobResult result = run(spec, *runner);
    EXPECT_EQ(times_of(result), times_of(run_in_threads(spec)));
    EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
  }
}

TEST_P(EveryTransport, GivesTheSameTimesWithEveryPayload) {
  const auto runner = make_process_runner(runner_settings(GetParam()));
  JobSpec spec = small_job(3, 2);
  std::vector<std::int64_t> expected = times_of(run_in_threads(spec));
  for (const PayloadMode mode : {PayloadMode::full, PayloadMode::digest, PayloadMode::none}) {
    spec.payload = mode;
    if (mode == PayloadMode::none) expected.back() = 0;  // chunks
    EXPECT_EQ(times_of(run(spec, *runner)), expected) << name_of(mode);
  }
}

TEST_P(EveryTransport, KeepsItsNodesForJobsOfAnyShape) {
  const auto runner = make_process_runner(runner_settings(GetParam()));
  for (const auto& [workers, servers] : {std::pair{2, 1}, {5, 3}, {1, 1}, {3, 2}})
    for (const std::int64_t chunk : {512, 1'000'000}) {
      JobSpec spec = small_job(workers, servers, true, 20'000);
      spec.chunk = Bytes{chunk};
      const JobResult result = run(spec, *runner);
      EXPECT_EQ(times_of(result), times_of(run_in_threads(spec)));
      EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
    }
}

/// What a run says in whose second job node 3 misbehaves; the first one must be sound, and nobody may be left.
std::string failure(const std::string& transport, const std::string& how,
                    std::chrono::milliseconds timeout = std::chrono::seconds{20}) {
  const TemporaryFolder folder;
  ProcessRunnerSettings settings = runner_settings(transport, "3:" + how + ":2");
  const std::string mark = "--mark=" + folder.file("");
  settings.command.push_back(mark);
  std::string text;
  {
    const auto runner = make_process_runner(settings);
    JobSpec spec = small_job(3, 2);
    spec.timeout = timeout;
    EXPECT_EQ(times_of(run(spec, *runner)), times_of(run_in_threads(spec)));
    EXPECT_EQ(processes_with(mark).size(), 5u);
    try {
      EXPECT_EQ(times_of(run(spec, *runner)), times_of(run_in_threads(spec)));
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 1);
      text = error.what();
    }
  }
  EXPECT_THAT(processes_with(mark), IsEmpty());
  return text;
}

TEST_P(EveryTransport, NamesANodeThatDies) {
  EXPECT_EQ(failure(GetParam(), "die"), "the process of node 3 was ended by signal 9 (Killed)");
  EXPECT_EQ(failure(GetParam(), "exit"), "the process of node 3 ended with exit code 7");
  EXPECT_EQ(failure(GetParam(), "hang up and exit"), "the process of node 3 ended with exit code 7");
  EXPECT_EQ(failure(GetParam(), "die with payload"), "the process of node 3 was ended by signal 9 (Killed)");
}

TEST_P(EveryTransport, NamesANodeThatStalls) {
  EXPECT_THAT(failure(GetParam(), "stop", 1500ms),
              AllOf(HasSubstr("a promise is owed by node 3 at "), HasSubstr("after 1500 ms (nodes.timeout)")));
  EXPECT_THAT(failure(GetParam(), "stop with payload", 1500ms), HasSubstr("no sign of life from node 3 at "));
}

TEST_P(EveryTransport, SaysWhoWaitsForWhomWhenPayloadStandsStill) {
  EXPECT_THAT(failure(GetParam(), "mute", 1500ms),
              AllOf(HasSubstr("payload work stands still"), HasSubstr("node 0 waits for payload of node 3")));
}

TEST_P(EveryTransport, NamesANodeThatAnswersTwice) {
  EXPECT_THAT(failure(GetParam(), "twice"), testing::StartsWith("node 3 "));
}

TEST_P(EveryTransport, NamesANodeThatLiesAboutItsPromise) {
  EXPECT_THAT(failure(GetParam(), "lie"), AllOf(HasSubstr("node 3 promised to act at"), HasSubstr("which is past")));
}

TEST_P(EveryTransport, NamesANodeThatSendsMoreThanItMay) {
  EXPECT_THAT(failure(GetParam(), "flood"), HasSubstr("node 3 sent node"));
}

TEST_P(EveryTransport, NamesANodeWithoutMemory) {
  EXPECT_EQ(failure(GetParam(), "exhaust"),
            "node 3 failed: out of memory; a smaller job, or job.payload = \"none\", needs less");
}

TEST_P(EveryTransport, NamesANodeThatFails) { EXPECT_EQ(failure(GetParam(), "throw"), "node 3 failed: out of paper"); }

/// They speak from connections of their own, which aren't node 3's.
TEST_P(EveryTransport, GoesOnWhenSomebodyElseSpeaksForANode) {
  for (const char* how : {"version", "again", "garbage"}) EXPECT_EQ(failure(GetParam(), how), "") << how;
}

TEST_P(EveryTransport, NamesANodeThatDoesNotStart) {
  ProcessRunnerSettings settings = runner_settings(GetParam(), "3:never comes");
  const auto refusal = [&] {
    const auto runner = make_process_runner(settings);
    try {
      run(small_job(3, 2), *runner);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(), "the process of node 3 ended with exit code 0");
  settings.command = {"/no/such/program"};
  EXPECT_THAT(refusal(), HasSubstr("couldn't be started"));
}

TEST_P(EveryTransport, NamesWhoDoesNotComeFromElsewhere) {
  const TemporaryFolder folder;
  ProcessRunnerSettings settings = runner_settings(GetParam());
  settings.listen = GetParam() == "ipc" ? "ipc://" + folder.file("c") : "tcp://127.0.0.1:*";
  settings.expect = 2;
  settings.timeout = 3s;
  std::string awaited;
  settings.on_wait = [&](const std::string& text) { awaited = text; };
  const auto runner = make_process_runner(settings);
  try {
    run(small_job(3, 2), *runner);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("nodes 3 and 4 didn't come to " + GetParam() + "://"),
                                    HasSubstr("within 3 s (nodes.timeout)")));
  }
  EXPECT_THAT(awaited, HasSubstr("nodes 3 and 4 to come to " + GetParam() + "://"));
}

/// The coordinator in a process of its own, so that it can be killed.
TEST_P(EveryTransport, LeavesNobodyBehindWhenTheCoordinatorIsKilled) {
  const TemporaryFolder folder;
  const std::string mark = "--mark=" + folder.file("");
  const pid_t coordinator = fork();
  if (coordinator == 0) {
    ProcessRunnerSettings settings = runner_settings(GetParam(), "3:hang");
    settings.command.push_back(mark);
    const auto runner = make_process_runner(settings);
    run(small_job(3, 2), *runner);
    _exit(0);
  }
  while (processes_with(mark).size() < 5) usleep(10'000);
  usleep(200'000);  // node 3 is deaf, the others wait
  kill(coordinator, SIGKILL);
  waitpid(coordinator, nullptr, 0);
  for (int i = 0; i < 500 && !processes_with(mark).empty(); ++i) usleep(10'000);
  const std::vector<int> left = processes_with(mark);
  EXPECT_THAT(left, IsEmpty());
  for (const int id : left) kill(id, SIGKILL);
}

TEST(Processes, SixtyFourStartAndFinish) {
  const auto start = std::chrono::steady_clock::now();
  {
    const auto runner = make_process_runner(runner_settings("ipc"));
    JobSpec spec = small_job(60, 4, false, 4000);
    spec.ports = 64;
    const JobResult result = run(spec, *runner);
    EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("64 processes started and finished in %.1f s\n", took.count());
}

/// Each node may hold two chunks a peer beyond the sums of its servers, and the one that it is making.
TEST(Processes, KeepTheMemoryBound) {
  for (const char* transport : {"ipc", "tcp"}) {
    const auto runner = make_process_runner(runner_settings(transport));
    for (const int iterations : {1, 6}) {
      JobSpec spec = small_job(6, 3, false, 400'000);
      spec.iterations = iterations;
      const JobResult result = run(spec, *runner);
      constexpr int workers = 6, servers = 3, window = 2, sums = 4, making = 1;
      EXPECT_LE(result.payload_buffers, workers * (window * servers + making) + servers * (sums + window * workers))
          << transport;
      EXPECT_GE(result.payload_buffers, workers + servers) << transport;
    }
  }
}

}  // namespace
}  // namespace ocs
