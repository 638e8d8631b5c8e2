// The checker finds each way in which a plan can be wrong, and says where.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/check_plan.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "host/core/error.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs {
namespace {

using test::circuit;
using test::only;
using test::problem;

Reservation reservation(std::uint32_t flow, std::int64_t in, std::int64_t out, std::int64_t start, std::int64_t up,
                        std::int64_t end, std::int64_t offset = 0) {
  return {Id{flow}, Plane{0}, Input{static_cast<std::uint16_t>(in)}, only(out), {start}, {up}, {end}, {offset}};
}

/// The sentence of the error, "" if the plan passes.
std::string verdict(const Problem& p, const Plan& plan) {
  try {
    check_plan(p, plan);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    return error.what();
  }
}

/// 0 -> 2 twice on one circuit around 1 -> 2's turn, so that set-ups, splits and a kept circuit all occur.
struct Good {
  Problem p = problem(4, 10, {{0, 2, 20}, {1, 2, 5}, {1, 3, 8}, {3, 3, 9}});
  Plan plan{{reservation(0, 0, 2, 0, 10, 22), reservation(2, 1, 3, 0, 10, 18), reservation(0, 0, 2, 25, 25, 33, 12),
             reservation(1, 1, 2, 33, 43, 48)},
            Ticks{45}};
};

void expect_caught(const std::function<void(Good&)>& spoil, const std::string& words) {
  Good good;
  ASSERT_EQ(verdict(good.p, good.plan), "");
  spoil(good);
  const std::string sentence = verdict(good.p, good.plan);
  EXPECT_NE(sentence.find(words), std::string::npos) << "expected \"" << words << "\" in: \"" << sentence << "\"";
}

TEST(PlanChecker, LetsAGoodPlanPass) {
  const Good good;
  EXPECT_EQ(verdict(good.p, good.plan), "");
  EXPECT_EQ(verdict(problem(4, 10, {}), Plan{}), "");
}

TEST(PlanChecker, CatchesPortConflicts) {
  expect_caught([](Good& g) { g.plan.list[3] = reservation(1, 1, 2, 30, 40, 45); },
                "flow 1 (1 -> 2) start at 30 while output 2 is taken until 33 by flow 0 (0 -> 2)");
  expect_caught([](Good& g) { g.plan.list[1] = reservation(2, 1, 3, 40, 50, 58); },
                "flow 2 (1 -> 3) start at 40 while input 1 is taken until 48 by flow 1 (1 -> 2)");
  expect_caught(
      [](Good& g) {
        g.p.up = {{Plane{0}, Input{1}, only(0), Ticks{1}}};
      },
      "input 1 is taken until 1 by a circuit that is up");
}

TEST(PlanChecker, CatchesASetUpThatWasNotPaid) {
  expect_caught([](Good& g) { g.plan.list[3] = reservation(1, 1, 2, 33, 33, 38); },
                "flow 1 (1 -> 2) start at 33 and be up at 33, but its circuit is not established");
  expect_caught([](Good& g) { g.plan.list[3] = reservation(1, 1, 2, 33, 42, 47); }, "takes 10 to set up");
  // 3 -> 2 takes the output of 0 -> 2 between its two parts.
  expect_caught(
      [](Good& g) {
        g.p = problem(4, 1, {{0, 2, 20}, {1, 2, 5}, {1, 3, 8}, {3, 2, 1}});
        g.plan.bound = Ticks{0};
        g.plan.list.push_back(reservation(3, 3, 2, 22, 23, 24));
      },
      "flow 0 (0 -> 2) start at 25 and be up at 25");
}

TEST(PlanChecker, KnowsWhichCircuitsAreUp) {
  Good good;
  good.p.up = {circuit(1, 3)};
  good.plan.list[1] = reservation(2, 1, 3, 0, 0, 8);
  EXPECT_EQ(verdict(good.p, good.plan), "");
  good.p.up = {circuit(1, 2)};
  EXPECT_NE(verdict(good.p, good.plan).find("not established"), std::string::npos);
}

TEST(PlanChecker, CatchesWordsThatAreMissingOrTwice) {
  expect_caught([](Good& g) { g.plan.list.pop_back(), g.plan.bound = Ticks{0}; },
                "flow 1 (1 -> 2, length 5) not at all from 0 to 5");
  expect_caught(
      [](Good& g) { g.plan.list[2].offset = Ticks{11}, g.plan.list[2].end = Ticks{34}, g.plan.list.pop_back(); },
      "flow 0 (0 -> 2, length 20) twice from 11 to 12");
  expect_caught([](Good& g) { g.plan.list[2].up = Ticks{26}, g.plan.list[2].offset = Ticks{13}; },
                "flow 0 (0 -> 2, length 20) not at all from 12 to 13");
  expect_caught([](Good& g) { g.plan.list[2].end = Ticks{32}; }, "not at all from 19 to 20");
}

TEST(PlanChecker, LeavesCoverageAloneForBestEffort) {
  Good good;
  good.plan.list.pop_back();
  good.plan.best_effort = true;
  EXPECT_EQ(verdict(good.p, good.plan), "");
}

TEST(PlanChecker, CatchesDataBeyondItsFlow) {
  expect_caught([](Good& g) { g.plan.list[3].end = Ticks{49}; }, "but its length is 5");
  expect_caught([](Good& g) { g.plan.list[3].offset = Ticks{-1}; }, "from -1");
  expect_caught([](Good& g) { g.plan.list[3].offset = Ticks{6}; }, "from 6");
}

TEST(PlanChecker, CatchesTimesThatDoNotAscend) {
  expect_caught([](Good& g) { g.plan.list[3].start = Ticks{44}; }, "start at 44, be up at 43 and end at 48");
  expect_caught([](Good& g) { g.plan.list[3].end = g.plan.list[3].up; }, "must ascend");
}

TEST(PlanChecker, CatchesWhatStartsTooEarly) {
  expect_caught([](Good& g) { g.p.now = Ticks{1}; }, "may start at 1 at the earliest");
  expect_caught([](Good& g) { g.p.flows[1].release = Ticks{34}; }, "flow 1 (1 -> 2) start at 33");
}

TEST(PlanChecker, CatchesDeadPorts) {
  expect_caught([](Good& g) { g.p.dead_in = {Input{1}}; }, "flow 2 (1 -> 3) use input 1, which is dead");
  expect_caught([](Good& g) { g.p.dead_out = {Output{2}}; }, "flow 0 (0 -> 2) use output 2, which is dead");
}

TEST(PlanChecker, CatchesCircuitsThatNoFlowAskedFor) {
  expect_caught([](Good& g) { g.plan.list[0].flow = Id{9}; }, "flow 9 (0 -> 2) run, which the problem does not have");
  expect_caught([](Good& g) { g.plan.list[0].in = Input{3}; }, "does not lead from the flow's input");
  expect_caught([](Good& g) { g.plan.list[0].outs = only(3); }, "does not lead from the flow's input");
  expect_caught([](Good& g) { g.plan.list[0].outs.reset(); }, "0 -> nowhere");
  expect_caught([](Good& g) { g.plan.list.push_back(reservation(3, 3, 3, 60, 70, 79)); }, "flow 3 (3 -> 3)");
  expect_caught([](Good& g) { g.plan.list[0].plane = Plane{1}; }, "plane 1");
  expect_caught([](Good& g) { g.p.ports = 3; }, "ports beyond the switch's");
}

TEST(PlanChecker, CatchesAPlanThatEndsBeforeItsOwnBound) {
  expect_caught([](Good& g) { g.plan.bound = Ticks{49}; }, "ends at 48, before its own lower bound of 49");
}

TEST(PlanChecker, StopsAllDataWhileAnythingIsSetUpOnAnAllStopSwitch) {
  expect_caught(
      [](Good& g) { g.p.all_stop = true, g.p.up = {circuit(1, 3)}, g.plan.list[1] = reservation(2, 1, 3, 0, 0, 8); },
      "flow 2 (1 -> 3) carry data from 0 to 8 while flow 0 (0 -> 2) is set up from 0 to 10");
  Good good;
  good.p.all_stop = true;
  EXPECT_EQ(verdict(good.p, good.plan), "") << "both circuits are set up at once, 1 -> 2 when nothing runs";
}

TEST(PlanChecker, ChargesEachPairItsOwnSetUp) {
  Good good;
  good.p.pair_delta.assign(16, Ticks{10});
  EXPECT_EQ(verdict(good.p, good.plan), "");
  good.p.pair_delta[1 * 4 + 2] = Ticks{11};
  EXPECT_NE(verdict(good.p, good.plan).find("takes 11 to set up"), std::string::npos);
}

TEST(PlanChecker, CoversEveryOutputOfAMulticast) {
  Problem p = problem(4, 10, {{0, 1, 5}});
  p.flows[0].outs = Outputs(0b1110);
  Plan plan{{reservation(0, 0, 1, 0, 10, 15)}, Ticks{0}};
  plan.list[0].outs = Outputs(0b0110);
  EXPECT_NE(verdict(p, plan).find("(0 -> 3, length 5) not at all from 0 to 5"), std::string::npos);
  plan.list.push_back(reservation(0, 0, 3, 15, 25, 30));
  EXPECT_EQ(verdict(p, plan), "");
}

TEST(PlanChecker, KeepsPlanesApart) {
  Problem p = problem(4, 10, {{0, 2, 5}, {1, 2, 5}});
  p.planes = 2;
  Plan plan{{reservation(0, 0, 2, 0, 10, 15), reservation(1, 1, 2, 0, 10, 15)}, Ticks{0}};
  EXPECT_NE(verdict(p, plan), "");
  plan.list[1].plane = Plane{1};
  EXPECT_EQ(verdict(p, plan), "");
}

TEST(PlanChecker, SaysWhoseFaultItIs) {
  const Good good;
  Plan broken = good.plan;
  broken.list.pop_back();
  try {
    check_plan(good.p, broken, ErrorKind::input);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
  }
}

TEST(PlanChecker, FindsACutWord) {
  Problem p = problem(2, 10, {{0, 1, 12}});
  p.flows[0].word = Ticks{4};
  const auto cut_at = [&](std::int64_t cut) {
    return verdict(p, {{reservation(0, 0, 1, 0, 10, 10 + cut), reservation(0, 0, 1, 30, 30, 42 - cut, cut)}, Ticks{0}});
  };
  EXPECT_EQ(cut_at(8), "");
  EXPECT_EQ(
      cut_at(6),
      "the plan lets flow 0 (0 -> 1) start at 0, be up at 10 and end at 16 with the part from 0, which cuts a word "
      "of 4");
  p.flows[0].word = Ticks{5};
  EXPECT_THROW(check_plan(p, Plan{}), Error) << "the flow itself has a part of a word";
}

TEST(PlanChecker, SurvivesNonsense) {
  Good good;
  for (Reservation& r : good.plan.list) r.offset = Ticks{std::numeric_limits<std::int64_t>::min()};
  EXPECT_NE(verdict(good.p, good.plan), "");
  good.plan.list[0] = reservation(0, 0, 2, 0, std::numeric_limits<std::int64_t>::max(), 5);
  EXPECT_NE(verdict(good.p, good.plan), "");
  good.p.up = {{Plane{7}, Input{300}, only(255), Ticks{0}}};
  EXPECT_THROW(check_plan(good.p, Good().plan), Error);
  good.p.ports = -3;
  EXPECT_THROW(check_plan(good.p, Good().plan), Error);
}

TEST(CircuitsAfter, AreThoseWhosePortsWereNotGivenAway) {
  Good good;
  good.p.up = {circuit(3, 0), circuit(2, 2)};
  const std::vector<EstablishedCircuit> after = circuits_after(good.p, good.plan);
  ASSERT_EQ(after.size(), 2u);
  EXPECT_EQ(after[0].in, Input{1});
  EXPECT_EQ(after[0].outs, only(2));
  EXPECT_EQ(after[0].free_at, Ticks{48});
  EXPECT_EQ(after[1].in, Input{3});
  EXPECT_EQ(after[1].outs, only(0));
}

}  // namespace
}  // namespace ocs
