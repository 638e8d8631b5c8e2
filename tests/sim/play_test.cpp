// Whole runs with faults: they repeat to the bit, and what broke something once stays mended.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/play.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "testbed/session/data_folder.hpp"
#include "tests/common/places.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Player player() {
  const std::filesystem::path data = data_folder(nullptr);
  return Player({.data = data, .switches = switches_folder(data), .version = "simulated"});
}

TEST(SimulatedRun, RepeatsToTheBit) {
  Player first = player(), second = player();
  std::set<std::string> traces;
  for (std::uint64_t seed = 40; seed < 48; ++seed) {
    const Verdict once = first.play(first.draw(seed)), again = second.play(second.draw(seed));
    EXPECT_EQ(once.trace, again.trace) << "seed " << seed;
    EXPECT_EQ(once.log, again.log) << "seed " << seed;
    traces.insert(once.trace);
  }
  EXPECT_EQ(traces.size(), 8U);
}

TEST(SimulatedRun, GoesThroughAllTheSeedsThatBrokeSomething) {
  Player here = player();
  std::ifstream lines(test::source_dir() + "/tests/sim/seeds.txt");
  int played = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const Verdict verdict = here.play(parse_scenario(line));
    EXPECT_EQ(verdict.violation, "") << line;
    EXPECT_GT(verdict.faults, 0U) << line;
    ++played;
  }
  EXPECT_GE(played, 4);
}

TEST(SimulatedRun, HoldsUnderDrawnFaults) {
  Player here = player();
  std::uint64_t faults = 0, failed = 0;
  for (std::uint64_t seed = 1000; seed < 1024; ++seed) {
    const Scenario scenario = here.draw(seed);
    const Verdict verdict = here.play(scenario);
    EXPECT_EQ(verdict.violation, "") << to_text(scenario);
    faults += verdict.faults, failed += verdict.failed;
  }
  EXPECT_GT(faults, 15U);
  EXPECT_GT(failed, 3U);
}

/// The log of a scenario in which three rows run with one worker and one server. @param more settings and faults
std::vector<std::string> log_of(const std::string& more) {
  Player here = player();
  const Verdict verdict = here.play(parse_scenario(
      "seed 3; set nodes.transport=tcp; set policy=sunflow; set job.workers=1; set job.servers=1; " + more));
  EXPECT_EQ(verdict.violation, "");
  return verdict.log;
}

TEST(SimulatedRun, EndsWithTheSentenceOfItsFault) {
  EXPECT_THAT(log_of("fault kill-node 0 9 0"),
              ElementsAre(HasSubstr("exit code 1: row 1 (sunflow): the process of node 0 was ended by signal 9"),
                          testing::EndsWith("exit code 0")));
  EXPECT_THAT(log_of("fault corrupt 0 9 70"),
              ElementsAre(HasSubstr("sent what can't be read"), testing::EndsWith("exit code 0")));
  EXPECT_THAT(log_of("fault overtake 0 27 0"), ElementsAre(HasSubstr("when number"), testing::EndsWith("exit code 0")));
  EXPECT_THAT(log_of("fault lose 0 9 0"),
              ElementsAre(HasSubstr("a promise is owed by node 0"), testing::EndsWith("exit code 0")));
  EXPECT_THAT(log_of("fault stop-node 0 9 70000"),
              ElementsAre(HasSubstr("a promise is owed by node 0"), testing::EndsWith("exit code 0")));
  EXPECT_THAT(log_of("fault full 0 45 0"),
              ElementsAre(HasSubstr("database or disk is full"), testing::EndsWith("exit code 0")));
  EXPECT_THAT(log_of("fault kill 0 9 0"), ElementsAre(HasSubstr("killed"), testing::EndsWith("exit code 0")));
}

TEST(SimulatedRun, RidesOutWhatIsShort) {
  for (const char* fault : {"fault late 0 9 90", "fault stop-node 0 9 1500", "fault jump 0 9 70000",
                            "fault stop 0 9 70000", "fault partition 0 9 1500", "fault slow-node 0 9 40000"})
    EXPECT_THAT(log_of(fault), ElementsAre(testing::EndsWith("exit code 0"))) << fault;
}

TEST(SimulatedRun, EndsAsItsExperimentDoesWithoutFaults) {
  const auto died = testing::EndsWith(
      "exit code 1: row 2 (sunflow): node 0 died at 3000000 ps: it is a parameter server, and its "
      "parameters are nowhere else");
  EXPECT_THAT(log_of("set nodes.deaths=['', '0: 3 us']"), ElementsAre(died));
  EXPECT_THAT(log_of("set nodes.deaths=['', '0: 3 us']; fault kill 0 9 0; fault sync 1 0 0"),
              ElementsAre(HasSubstr("killed"), HasSubstr("can't be written"), died));
  EXPECT_THAT(log_of("set fabric.outages=0: 3 us; fault lose 0 9 0"),
              ElementsAre(HasSubstr("a promise is owed by node 0"),
                          testing::EndsWith("waits for port 0, which is dead and never lives again")));
}

TEST(SimulatedRun, RidesOutSlowNodesAndOutages) {
  EXPECT_THAT(log_of("set nodes.rate_trace=file:tiny_rates.csv; set nodes.extra_tuning=0 ns, 5 us; "
                     "set nodes.rates=50 Gbit/s; set fabric.outages=0: 3 us - 9 us; fault late 0 9 90"),
              ElementsAre(testing::EndsWith("exit code 0")));
}

TEST(SimulatedRun, RefusesAnExperimentWithoutNodes) {
  Player here = player();
  EXPECT_EQ(test::refusal([&] { here.play(parse_scenario("seed 1; set job.workers=0")); }),
            "--set job.workers=0: job.workers is 0, but must be a whole number from 1 to 255");
}

}  // namespace
}  // namespace ocs::sim
