// Scenarios as text, how they are drawn, and how a failing one gets smaller.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/scenario.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "testbed/sim/serve/serve_settings.hpp"
#include "testbed/sim/shrink.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::sim {
namespace {

using test::refusal;

Scenario drawn(std::uint64_t seed) { return {seed, draw_settings(seed, 0), draw_faults(seed, 100, 50), false}; }

TEST(SimulatedScenario, IsTheSameAfterItWasWrittenAndRead) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_EQ(parse_scenario(to_text(drawn(seed))), drawn(seed));
    EXPECT_EQ(parse_scenario(to_text(draw_serve(seed))), draw_serve(seed));
  }
}

TEST(SimulatedScenario, DrawsEveryKindOfFaultInItsPlace) {
  std::set<FaultKind> kinds;
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    for (const Fault& fault : drawn(seed).faults) {
      kinds.insert(fault.kind);
      EXPECT_LT(fault.at, at_write(fault.kind) ? 50U : 100U);
    }
  EXPECT_EQ(kinds.size(), kinds_of_a_run);
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    for (const Fault& fault : draw_serve(seed).faults) {
      kinds.insert(fault.kind);
      EXPECT_TRUE(is_of_serve(fault.kind)) << to_text(draw_serve(seed));
    }
  EXPECT_EQ(kinds.size(), fault_names.size());
}

TEST(SimulatedScenario, DrawsNodesThatAreSlowDistantOrGone) {
  std::map<std::string, int> drawn_keys;
  int for_good = 0, several = 0;
  for (std::uint64_t seed = 0; seed < 16 * 600; seed += 16)
    for (const std::string& set : draw_settings(seed, 0)) {
      ++drawn_keys[set.substr(0, set.find('='))];
      if (!set.starts_with("fabric.outages=")) continue;
      const auto intervals = std::ranges::count(set, ':');
      several += intervals > 2;
      for_good += std::ranges::count(set, '-') < intervals;
    }
  for (const char* key : {"nodes.rates", "nodes.rate_trace", "nodes.extra_tuning", "nodes.deaths", "fabric.outages"}) {
    EXPECT_GT(drawn_keys[key], 50) << key;
    EXPECT_LT(drawn_keys[key], 300) << key;
  }
  EXPECT_GT(several, 30);
  EXPECT_GT(for_good, 10);
}

TEST(SimulatedScenario, RefusesWhatItCannotRead) {
  EXPECT_EQ(refusal([] { parse_scenario("seed x"); }),
            "--scenario has \"seed x\", but \"x\" must be a whole number from 0");
  EXPECT_EQ(refusal([] { parse_scenario("seed 1; fault burn 0 0 0"); }),
            "--scenario has \" fault burn 0 0 0\", but there is no fault \"burn\"");
  EXPECT_EQ(refusal([] { parse_scenario("fault lose 9 0 0"); }),
            "--scenario has \"fault lose 9 0 0\", but a run starts at most 9 times");
  EXPECT_EQ(refusal([] { parse_scenario("fault lose 0 0 0 7"); }),
            "--scenario has \"fault lose 0 0 0 7\", but a fault has a name and three numbers");
  const Scenario receivers = parse_scenario("seed 3; set fabric.receivers=warm for 2 us; cold: 1 us; fault lose 0 5 0");
  EXPECT_EQ(receivers.settings, std::vector<std::string>{"fabric.receivers=warm for 2 us; cold: 1 us"});
  EXPECT_EQ(receivers.faults.size(), 1U);
  EXPECT_EQ(refusal([] { parse_scenario("set seed"); }),
            "--scenario has \"set seed\", but a part must be \"seed N\", \"serve\", \"set KEY=VALUE\" or \"fault NAME "
            "START PLACE NUMBER\"");
  EXPECT_EQ(refusal([] { parse_scenario("seed 1; serve; fault lose 0 0 0"); }),
            "--scenario has the fault \"lose\", but there is none such of a server");
  EXPECT_EQ(refusal([] { parse_scenario("seed 1; fault vanish 0 0 0"); }),
            "--scenario has the fault \"vanish\", but there is none such of a run");
}

TEST(SimulatedScenario, ShrinksToFewerFaultsFewerNodesAndEarlier) {
  Scenario failing = parse_scenario(
      "seed 7; set nodes.transport=tcp; set job.workers=4; set policy=[sunflow, hlf]; set job.payload=full; "
      "fault late 1 5 90; fault lose 2 77 3; fault flip 1 0 5");
  // It needs the second fault, from message 5 on, and two workers.
  const auto broken = [](const Scenario& one) {
    const bool lost = std::ranges::any_of(
        one.faults, [](const Fault& fault) { return fault.kind == FaultKind::lose && fault.at >= 5; });
    const bool alone = std::ranges::any_of(
        one.settings, [](const std::string& set) { return set.starts_with("job.workers=") && set != "job.workers=1"; });
    return std::string(lost && alone ? "a row is lost: 17" : lost ? "another thing" : "");
  };
  EXPECT_EQ(to_text(shrink(failing, broken)), "seed 7; set nodes.transport=tcp; set job.workers=2; fault lose 0 5 0");
}

TEST(SimulatedScenario, StopsShrinkingAfterSoManyTries) {
  std::size_t tries = 0;
  shrink(
      drawn(3),
      [&](const Scenario&) {
        ++tries;
        return std::string("always");
      },
      5);
  EXPECT_EQ(tries, 6U);
}

}  // namespace
}  // namespace ocs::sim
