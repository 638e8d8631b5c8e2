// Receiver selection and multicast circuits against their golden cases.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/multicast_list.hpp"
#include "testbed/selection/catalogue.hpp"
#include "tests/schedulers/golden_checks.hpp"

namespace ocs::golden {

void check(const SelectionCase& golden) {
  const Selection selection = find(receiver_selections(), golden.policy, "selection").make()->select(golden.problem);
  EXPECT_EQ(selection.basic, golden.basic);
  EXPECT_EQ(selection.selected, golden.selected);
  if (golden.bound) {
    EXPECT_EQ(selection.bound.n, *golden.bound);
    EXPECT_EQ(selection.sender, *golden.sender);
    EXPECT_EQ(selection.receiver, *golden.receiver);
  }
  EXPECT_EQ(selection.deadlines, golden.deadlines);
  EXPECT_EQ(selection.aborted, golden.aborted);
}

void check(const MulticastCase& golden) {
  const Plan plan = MulticastList().plan(golden.problem);
  check_plan(golden.problem, plan);
  std::vector<MulticastCase::Start> circuits;
  for (const Reservation& r : plan.list) {
    EXPECT_EQ((r.up - r.start).n, golden.problem.delta.n);
    circuits.push_back({index(r.in), r.outs, r.start.n, r.end.n});
  }
  EXPECT_EQ(circuits, golden.circuits);
}

}  // namespace ocs::golden
