// Processes of cases: outcomes, crashes, time-outs, memory.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/case_processes.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <new>

#include "tests/common/sanitized.hpp"

namespace ocs::regress {
namespace {

constexpr std::int64_t gigabyte = 1'000'000'000;
constexpr std::chrono::seconds a_minute{60};

Outcome outcome_of(const std::function<Outcome()>& work, std::chrono::milliseconds time = a_minute) {
  CaseProcesses processes;
  processes.start(7, [&](CaseNote&) { return work(); }, {.time = time, .memory_bytes = gigabyte});
  EXPECT_EQ(processes.memory_bytes(), gigabyte);
  for (;;)
    for (CaseProcesses::Finished& each : processes.wait(std::chrono::seconds{1})) {
      EXPECT_EQ(each.number, 7u);
      EXPECT_EQ(processes.running(), 0u);
      return each.outcome;
    }
}

TEST(CaseProcesses, SendBackTheWholeOutcome) {
  const std::string log(1'000'000, 'x');
  const Outcome got = outcome_of([&] {
    return Outcome{.verdict = Verdict::failed,
                   .sentence = "s \xff",
                   .cause = "c",
                   .log = log,
                   .program = "p",
                   .measures = {{2, "edges", 1.5}}};
  });
  EXPECT_EQ(got.verdict, Verdict::failed);
  EXPECT_EQ(got.sentence, "s \xEF\xBF\xBD");
  EXPECT_EQ(got.cause + got.program, "cp");
  EXPECT_EQ(got.log, log);
  ASSERT_EQ(got.measures.size(), 1u);
  EXPECT_EQ(got.measures[0].value, 1.5);
}

TEST(CaseProcesses, SurviveACrash) {
  const Outcome got = outcome_of([]() -> Outcome {
    raise(SIGKILL);
    return {};
  });
  EXPECT_EQ(got.verdict, Verdict::broken);
  EXPECT_EQ(got.sentence, "its process was ended by signal 9 (Killed)");
}

TEST(CaseProcesses, EndWhatHangs) {
  const Outcome got = outcome_of(
      []() -> Outcome {
        for (;;) pause();
      },
      std::chrono::milliseconds{50});
  EXPECT_EQ(got.verdict, Verdict::timed_out);
  EXPECT_EQ(got.sentence, "it did not end within 50 ms");
  EXPECT_LT(got.seconds, 30);
}

TEST(CaseProcesses, SayWhatACaseDidWhenItsTimeWasOver) {
  CaseProcesses processes;
  const auto work = [](CaseNote& note) -> Outcome {
    note.say("model, warped: program \"a longer name than the next one\"");
    note.say("model, unwarped: program \"a\"");
    note.begins({CaseNote::Access::Kind::read, 0});
    note.begins({CaseNote::Access::Kind::advance, 812});
    for (;;) pause();
  };
  processes.start(1, work, {.time = std::chrono::seconds{1}, .memory_bytes = gigabyte});
  std::vector<CaseProcesses::Finished> finished;
  while (finished.empty()) finished = processes.wait(std::chrono::seconds{1});
  EXPECT_EQ(finished[0].outcome.sentence,
            "model, unwarped: program \"a\", on the way to cycle 812, did not end within 1 s");
}

TEST(CaseProcesses, LimitMemory) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers reserve more address space than any limit";
  const Outcome got = outcome_of([]() -> Outcome {
    try {
      const std::string large(3 * gigabyte, 'x');
      return {.sentence = large.substr(0, 1)};
    } catch (const std::bad_alloc&) {
      return {.verdict = Verdict::broken, .sentence = "out of memory"};
    }
  });
  EXPECT_EQ(got.sentence, "out of memory");
}

}  // namespace
}  // namespace ocs::regress
