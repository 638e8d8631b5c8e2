// A plan that needs nothing from circuits that are up begins as early as if there were none.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/plan_origin.hpp"

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
      plan.list.push_back({.flow = flow.id, .in = flow.in, .outs = flow.outs, .start = at, .up = up, .end = up + Ticks{5}});
      at = plan.list.back().end;
    }
    return plan;
  }
};

constexpr std::int64_t first_of_moved = 100, reaction = 1 + 7 + 3;

Problem with_a_circuit_from(std::uint16_t input) {
  Problem problem;
  problem.ports = 4;
  problem.delta = Ticks{20};
  problem.up = {Circuit{.in = static_cast<Input>(input), .outs = Outputs{}.set(2)}};
  problem.flows = {Flow{.id = Id{0}, .in = static_cast<Input>(1), .outs = Outputs{}.set(2)},
                   Flow{.id = Id{1}, .in = static_cast<Input>(3), .outs = Outputs{}.set(0)}};
  return problem;
}

ControlTimes times() {
  ControlTimes times;
  times.lead = Cycles{7};
  times.fibre = Cycles{3};
  return times;
}

TEST(PlanOrigin, IsTheCycleAskedForWhereNoCircuitServes) {
  Problem problem = with_a_circuit_from(0);
  EXPECT_FALSE(could_reuse(problem));
  const Plan plan = plan_from(Cycles{first_of_moved}, times(), InOrder{}, problem);
  EXPECT_EQ(problem.now, Ticks{first_of_moved});
  EXPECT_EQ(plan.list[0].start, Ticks{first_of_moved});
}

TEST(PlanOrigin, LeavesTimeToReactWhereTheFirstIsOnACircuitThatIsUp) {
  Problem problem = with_a_circuit_from(1);
  EXPECT_TRUE(could_reuse(problem));
  InOrder scheduler;
  scheduler.established = true;
  const Plan plan = plan_from(Cycles{first_of_moved}, times(), scheduler, problem);
  EXPECT_EQ(problem.now, Ticks{first_of_moved + reaction});
  EXPECT_EQ(plan.list[0].up, Ticks{first_of_moved + reaction});
}

TEST(PlanOrigin, MovesAPlanBackThatSetsUpAllItsCircuits) {
  Problem problem = with_a_circuit_from(1);
  const Plan plan = plan_from(Cycles{first_of_moved}, times(), InOrder{}, problem);
  EXPECT_EQ(problem.now, Ticks{first_of_moved});
  ASSERT_EQ(plan.list.size(), 2U);
  EXPECT_EQ(plan.list[0].start, Ticks{first_of_moved});
  EXPECT_EQ(plan.list[0].up, Ticks{first_of_moved + 20});
  EXPECT_EQ(plan.list[0].end, Ticks{first_of_moved + 25});
  EXPECT_EQ(plan.list[1].start, Ticks{first_of_moved + 25});
  EXPECT_EQ(plan.list[1].end, Ticks{first_of_moved + 50});
}

TEST(PlanOrigin, IsTheSameForAllByTimetable) {
  ControlTimes by_timetable = times();
  by_timetable.mode = ControlMode::timetable;
  for (const std::uint16_t input : {0, 1}) {
    Problem problem = with_a_circuit_from(input);
    plan_from(Cycles{first_of_moved}, by_timetable, InOrder{}, problem);
    EXPECT_EQ(problem.now, Ticks{first_of_moved + reaction}) << input;
  }
}

}  // namespace
}  // namespace ocs::test
