// `lightloop serve` and its clients with faults: they repeat to the bit, and every client is served.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

#include "testbed/sim/serve/model.hpp"
#include "testbed/sim/serve/serve_run.hpp"
#include "testbed/sim/serve/serve_settings.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::sim {
namespace {

using test::refusal;
using testing::ElementsAre;
using testing::EndsWith;
using testing::StartsWith;

TEST(SimulatedServer, RepeatsToTheBit) {
  std::set<std::string> traces;
  for (std::uint64_t seed = 40; seed < 52; ++seed) {
    const Verdict once = play_serve(draw_serve(seed)), again = play_serve(draw_serve(seed));
    EXPECT_EQ(once.trace, again.trace) << "seed " << seed;
    EXPECT_EQ(once.log, again.log) << "seed " << seed;
    traces.insert(once.trace);
  }
  EXPECT_EQ(traces.size(), 12U);
}

TEST(SimulatedServer, HoldsUnderDrawnFaults) {
  std::uint64_t faults = 0, starts = 0;
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    const Scenario scenario = draw_serve(seed);
    const Verdict verdict = play_serve(scenario);
    EXPECT_EQ(verdict.violation, "") << to_text(scenario);
    faults += verdict.faults, starts += verdict.starts;
  }
  EXPECT_GT(faults, 60U);
  EXPECT_GT(starts, 110U);
}

Verdict verdict_of(const std::string& more) {
  return play_serve(parse_scenario("seed 3; serve; set clients=3; set steps=12" + (more.empty() ? "" : "; " + more)));
}

TEST(SimulatedServer, ServesAllClientsThroughEachFault) {
  for (const char* logins : {"set logins=true; set log=true; ", ""})
    for (const char* fault :
         {"fault late 0 40 2500", "fault stranger 0 40 900", "fault reset 0 40 0", "fault kill 0 40 0",
          "fault stop 0 40 2500", "fault partition 0 40 2500", "fault jump 0 40 2500", "fault term 0 40 0",
          "fault vanish 0 40 0", "fault deaf 0 40 2500", "fault flood 0 40 40", "fault guess 0 40 100",
          "fault slow-server 0 40 900"}) {
      const Verdict verdict = verdict_of(std::string(logins) + fault);
      EXPECT_EQ(verdict.violation, "") << logins << fault;
      EXPECT_EQ(verdict.faults, 1U) << logins << fault;
    }
}

TEST(SimulatedServer, IsStartedAgainAfterItWasKilledOrToldToEnd) {
  EXPECT_THAT(verdict_of("").log, ElementsAre(EndsWith("ended")));
  EXPECT_THAT(verdict_of("fault kill 0 40 0").log,
              ElementsAre(EndsWith("killed"), testing::AllOf(StartsWith("start 1: "), EndsWith("ended"))));
  EXPECT_THAT(verdict_of("fault term 0 40 0; fault kill 1 9 0").log,
              ElementsAre(EndsWith("ended"), EndsWith("killed"), EndsWith("ended")));
}

TEST(SimulatedServer, GoesOnWithoutItsLog) {
  EXPECT_EQ(verdict_of("set logins=true; set log=true; fault full 0 1 0").violation, "");
  EXPECT_EQ(verdict_of("set logins=true; set log=true; fault full 0 1 0").faults, 1U);
  EXPECT_EQ(verdict_of("set logins=true; set log=true; fault write 0 0 0").violation, "");
}

TEST(SimulatedServer, RefusesKeysThatItLacks) {
  EXPECT_EQ(refusal([] { verdict_of("set job.workers=2"); }),
            "--scenario has \"set job.workers=2\", but a server has no such key");
  EXPECT_EQ(refusal([] { verdict_of("set clients=9"); }),
            "--scenario has \"set clients=9\", but clients must be a whole number from 1 to 4");
  EXPECT_EQ(refusal([] { verdict_of("set logins=1"); }),
            "--scenario has \"set logins=1\", but logins must be true or false");
}

TEST(SimulatedServer, KnowsWhatASwitchDoes) {
  OwnPorts ports;
  EXPECT_TRUE(apply({.act = Act::add, .in = 0, .out = 1}, ports));
  EXPECT_TRUE(apply({.act = Act::add, .in = 0, .out = 1}, ports));
  EXPECT_FALSE(apply({.act = Act::add, .in = 2, .out = 1}, ports));
  EXPECT_FALSE(apply({.act = Act::replace, .in = 0, .out = 0, .in2 = 2, .out2 = 1}, ports));
  EXPECT_TRUE(apply({.act = Act::replace, .in = 0, .out = 1, .in2 = 2, .out2 = 1}, ports));
  EXPECT_EQ(ports.in_of(1), 2);
  EXPECT_EQ(ports.settled_state(1), "TUNED");
  EXPECT_TRUE(apply({.act = Act::fail, .in = 2}, ports));
  EXPECT_EQ(ports.settled_state(1), "FAILED");
  EXPECT_TRUE(apply({.act = Act::disable, .in = 1, .output = true}, ports));
  EXPECT_EQ(ports.settled_state(1), "BLOCKED");
  EXPECT_TRUE(apply({.act = Act::cut, .in = 2}, ports));
  EXPECT_FALSE(apply({.act = Act::cut, .in = 2}, ports));
}

}  // namespace
}  // namespace ocs::sim
