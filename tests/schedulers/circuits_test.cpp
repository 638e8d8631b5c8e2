// Circuit schedulers on small problems worked out by hand, closed forms, and the ends of the number range.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/colour.hpp"
#include "host/scheduler/lists/hlf.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/lists/rotation.hpp"
#include "host/scheduler/lists/sunflow.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs {
namespace {

using test::all_to_all;
using test::circuit;
using test::Decision;
using test::decisions;
using test::problem;

Problem shifted(Problem p, std::int64_t now) {
  p.now = Ticks{now};
  for (Flow& flow : p.flows) flow.release = p.now;
  return p;
}

TEST(Sunflow, CarriesMergedFlowsBackToBackOnOneCircuit) {
  const Problem p = problem(4, 10, {{0, 2, 15}, {1, 2, 4}, {0, 2, 5}});
  const Plan plan = Sunflow(FlowOrder::given).plan(p);
  check_plan(p, plan);
  ASSERT_EQ(plan.list.size(), 3u);
  EXPECT_EQ(plan.list[0].flow, Id{0});
  EXPECT_EQ(plan.list[1].flow, Id{2});
  EXPECT_EQ(decisions(plan), (std::vector<Decision>{{0, 2, 0, 10, 25}, {0, 2, 25, 25, 30}, {1, 2, 30, 40, 44}}));
  for (const Reservation& r : plan.list) EXPECT_EQ(r.offset, Ticks{0});
}

TEST(Sunflow, KeepsACircuitThatIsStillNeeded) {
  Problem p = problem(4, 10, {{0, 2, 20}, {1, 3, 20}});
  p.up = {circuit(0, 2)};
  EXPECT_EQ(decisions(Sunflow(FlowOrder::src_dst).plan(p)),
            (std::vector<Decision>{{0, 2, 0, 0, 20}, {1, 3, 0, 10, 30}}));
}

TEST(Sunflow, LosesACircuitWhoseInputIsGivenAway) {
  Problem p = problem(4, 10, {{0, 1, 5}, {0, 2, 20}});
  p.up = {circuit(0, 2)};
  EXPECT_EQ(decisions(Sunflow(FlowOrder::given).plan(p)),
            (std::vector<Decision>{{0, 1, 0, 10, 15}, {0, 2, 15, 25, 45}}));
}

TEST(Sunflow, DrawsTheSameOrderFromTheSameSeed) {
  Problem p = problem(8, 10, all_to_all({0, 8}, {0, 8}, 20));
  const Sunflow random(FlowOrder::random);
  p.seed = 1;
  const auto first = decisions(random.plan(p));
  EXPECT_EQ(first, decisions(random.plan(p)));
  p.seed = 2;
  EXPECT_NE(first, decisions(random.plan(p)));
}

TEST(Schedulers, CountFromNow) {
  const Problem cold = problem(6, 10, {{0, 3, 10}, {0, 4, 50}, {1, 3, 50}, {1, 5, 10}, {2, 4, 10}, {2, 5, 50}});
  for (const auto& entry : schedulers()) {
    const auto scheduler = entry.make();
    std::vector<Decision> expected = decisions(scheduler->plan(cold));
    for (Decision& d : expected)
      for (const std::size_t time : {2u, 3u, 4u}) d[time] += 1000;
    const Plan plan = scheduler->plan(shifted(cold, 1000));
    EXPECT_EQ(decisions(plan), expected) << entry.name;
    EXPECT_EQ(plan.bound, scheduler->plan(cold).bound) << entry.name;
  }
}

TEST(Schedulers, PlanNothingForNothing) {
  for (const auto& entry : schedulers()) {
    const Plan plan = entry.make()->plan(problem(4, 10, {{1, 1, 50}, {0, 1, 0}}));
    EXPECT_TRUE(plan.list.empty()) << entry.name;
    EXPECT_EQ(plan.bound, Ticks{0}) << entry.name;
  }
}

TEST(Schedulers, CarryFlowsOf2To40Bytes) {
  const std::int64_t length = (std::int64_t{1} << 40) * 8000;  // 2^40 bytes at 1 Gb/s in picoseconds
  const Problem p = problem(16, 10'000'000'000, all_to_all({0, 16}, {0, 16}, length));
  for (const auto& entry : schedulers()) {
    if (!test::fits(entry.name, p)) continue;
    const Plan plan = entry.make()->plan(p);
    EXPECT_NO_THROW(check_plan(p, plan)) << entry.name;
    EXPECT_GE(plan_end(plan, p.now), plan.bound) << entry.name;
    EXPECT_EQ(plan.bound, Ticks{15 * (length + 10'000'000'000)}) << entry.name;
  }
}

TEST(Rotation, TakesAsLongAsTheLongerSideForWorkersAndDedicatedServers) {
  for (int workers = 1; workers <= 7; ++workers)
    for (int servers = 1; servers <= 7; ++servers) {
      const Problem p = problem(14, 10, all_to_all({0, workers}, {7, 7 + servers}, 20));
      const Plan plan = RotationList().plan(p);
      EXPECT_EQ(plan_end(plan, p.now), Ticks{std::max(workers, servers) * 30}) << workers << " and " << servers;
    }
}

TEST(Rotation, TakesOneTurnLessThanThereAreNodesForAllToAll) {
  for (int nodes = 2; nodes <= 9; ++nodes) {
    const Problem p = problem(nodes, 10, all_to_all({0, nodes}, {0, nodes}, 20));
    EXPECT_EQ(plan_end(RotationList().plan(p), p.now), Ticks{(nodes - 1) * 30}) << nodes;
    EXPECT_EQ(plan_end(RotationAllstop().plan(p), p.now), Ticks{(nodes - 1) * 30}) << nodes;
  }
}

TEST(Rotation, FollowsTheOrderOfItsPorts) {
  const Problem p = problem(4, 10, all_to_all({0, 2}, {2, 4}, 20));
  const RotationList reversed({{Input{1}, Input{0}}, {Output{2}, Output{3}}});
  EXPECT_EQ(decisions(reversed.plan(p)),
            (std::vector<Decision>{{1, 2, 0, 10, 30}, {0, 3, 0, 10, 30}, {1, 3, 30, 40, 60}, {0, 2, 30, 40, 60}}));
}

TEST(Rotation, RefusesPortsThatDoNotFitTheFlows) {
  const Problem p = problem(4, 10, {{0, 2, 20}});
  EXPECT_THROW(RotationList({{Input{1}}, {Output{2}}}).plan(p), Error);
  EXPECT_THROW(RotationList({{Input{0}, Input{0}}, {Output{2}}}).plan(p), Error);
  EXPECT_THROW(RotationAllstop({{Input{0}}, {Output{4}}}).plan(p), Error);
}

TEST(RotationAllstop, HoldsOnAnAllStopSwitch) {
  Problem p = problem(6, 10, {{0, 3, 10}, {0, 4, 50}, {1, 3, 50}, {1, 5, 10}, {2, 4, 10}, {2, 5, 50}});
  p.all_stop = true;
  p.up = {circuit(0, 3)};
  EXPECT_NO_THROW(check_plan(p, RotationAllstop().plan(p)));
}

TEST(RotationAllstop, LetsEachSlotLastAsLongAsItsLongestFlow) {
  const Problem p = problem(4, 10, {{0, 2, 5}, {1, 3, 20}, {0, 3, 1}});
  EXPECT_EQ(decisions(RotationAllstop().plan(p)),
            (std::vector<Decision>{{0, 2, 0, 10, 15}, {1, 3, 0, 10, 30}, {0, 3, 30, 40, 41}}));
}

TEST(Colour, LetsNothingOvertake) {
  // 1 -> 3 has colour 1 and could start at 0 beside 0 -> 2, but comes after 0 -> 3 at its output.
  const Problem p = problem(4, 10, {{0, 2, 30}, {0, 3, 40}, {1, 3, 20}});
  EXPECT_EQ(decisions(Colour().plan(p)),
            (std::vector<Decision>{{0, 3, 0, 10, 50}, {0, 2, 50, 60, 90}, {1, 3, 50, 60, 80}}));
}

TEST(Colour, KeepsACircuitFromOnePhaseToTheNext) {
  Problem p = problem(4, 10, {{0, 2, 30}, {0, 3, 40}});
  p.up = {circuit(0, 3)};
  EXPECT_EQ(decisions(Colour().plan(p)), (std::vector<Decision>{{0, 3, 0, 0, 40}, {0, 2, 40, 50, 80}}));
}

}  // namespace
}  // namespace ocs
