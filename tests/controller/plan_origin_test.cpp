// A plan that needs nothing from circuits that are up begins as early as if there were none.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/plan_origin.hpp"

#include <gtest/gtest.h>

namespace ocs::test {
namespace {

/// One reservation a flow, one after the other; the first is on a circuit that is up if `established`.
struct InOrder final : Scheduler {
  bool established = false;

  Plan plan(const Problem& problem) const override {
    Plan plan;
    Ticks at = problem.now;
    for (const Flow& flow : problem.flows) {
      const Ticks up = at + (established && plan.list.empty() ? Ticks{0} : problem.delta);
      Reservation r{};
      r.flow = flow.id, r.in = flow.in, r.outs = flow.outs;
      r.start = at, r.up = up, r.end = at = up + Ticks{5};
      plan.list.push_back(r);
    }
    return plan;
  }
};

constexpr std::int64_t asked = 100, reaction = 1 + 7 + 3;

Flow flow(std::uint32_t id, Input in, std::size_t out) {
  Flow flow{};
  flow.id = Id{id}, flow.in = in, flow.outs = Outputs{}.set(out);
  return flow;
}

Problem with_a_circuit_from(Input input) {
  Problem problem;
  problem.ports = 4;
  problem.delta = Ticks{20};
  EstablishedCircuit up{};
  up.in = input, up.outs = Outputs{}.set(2);
  problem.up = {up};
  problem.flows = {flow(0, Input{1}, 2), flow(1, Input{3}, 0)};
  return problem;
}

ControlTimes times() {
  ControlTimes times;
  times.lead = Cycles{7};
  times.fibre = Cycles{3};
  return times;
}

TEST(PlanOrigin, IsTheCycleAskedForWhereNoCircuitServes) {
  Problem problem = with_a_circuit_from(Input{0});
  EXPECT_FALSE(could_reuse(problem));
  const Plan plan = plan_from(Cycles{asked}, times(), InOrder{}, problem);
  EXPECT_EQ(problem.now, Ticks{asked});
  EXPECT_EQ(plan.list[0].start, Ticks{asked});
}

TEST(PlanOrigin, LeavesTimeToReactWhereTheFirstIsOnACircuitThatIsUp) {
  Problem problem = with_a_circuit_from(Input{1});
  EXPECT_TRUE(could_reuse(problem));
  InOrder scheduler;
  scheduler.established = true;
  const Plan plan = plan_from(Cycles{asked}, times(), scheduler, problem);
  EXPECT_EQ(problem.now, Ticks{asked + reaction});
  EXPECT_EQ(plan.list[0].up, Ticks{asked + reaction});
}

TEST(PlanOrigin, MovesAPlanBackThatSetsUpAllItsCircuits) {
  Problem problem = with_a_circuit_from(Input{1});
  const Plan plan = plan_from(Cycles{asked}, times(), InOrder{}, problem);
  EXPECT_EQ(problem.now, Ticks{asked});
  ASSERT_EQ(plan.list.size(), 2U);
  EXPECT_EQ(plan.list[0].start, Ticks{asked});
  EXPECT_EQ(plan.list[0].up, Ticks{asked + 20});
  EXPECT_EQ(plan.list[0].end, Ticks{asked + 25});
  EXPECT_EQ(plan.list[1].start, Ticks{asked + 25});
  EXPECT_EQ(plan.list[1].end, Ticks{asked + 50});
}

TEST(PlanOrigin, IsTheSameForAllByTimetable) {
  ControlTimes by_timetable = times();
  by_timetable.mode = ControlMode::timetable;
  for (const Input input : {Input{0}, Input{1}}) {
    Problem problem = with_a_circuit_from(input);
    plan_from(Cycles{asked}, by_timetable, InOrder{}, problem);
    EXPECT_EQ(problem.now, Ticks{asked + reaction}) << index(input);
  }
}

}  // namespace
}  // namespace ocs::test
