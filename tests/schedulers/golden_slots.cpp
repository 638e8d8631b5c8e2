// Decompositions: stuffing, slots, and what comes of playing them in both ways.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/slots/bvn.hpp"
#include "host/scheduler/slots/solstice.hpp"
#include "tests/schedulers/golden_checks.hpp"

namespace ocs::golden {
namespace {

void expect_run(const SlotsCase& golden, SlotMode mode, const SlotsCase::SlotTimes& expected) {
  Problem problem = golden.problem;
  problem.all_stop = mode == SlotMode::all_stop;
  const Plan plan = Decomposition("the test", golden.solstice ? solstice : bvn, mode).plan(problem);
  check_plan(problem, plan);
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::int64_t> ends;
  for (const Reservation& r : plan.list) {
    std::int64_t& end = ends[{index(r.in), single_output(r.outs)}];
    end = std::max(end, r.end.n);
  }
  std::int64_t sum_fct = 0;
  for (const auto& [pair, end] : ends) sum_fct += end;
  EXPECT_EQ(plan_end(plan, Ticks{0}).n, expected.cct);
  EXPECT_EQ(sum_fct, expected.sum_fct);
}

}  // namespace

void check(const SlotsCase& golden) {
  const Stuffed stuffed = quick_stuff(read_demand(golden.problem, "the test"));
  EXPECT_EQ(stuffed.budget, golden.budget);
  if (golden.stuffed) {
    EXPECT_EQ(stuffed.square.entries(), *golden.stuffed);
  }
  const std::vector<Slot> slots = golden.solstice ? solstice_slots(stuffed.square) : bvn_slots(stuffed.square);
  std::int64_t slot_time = 0;
  for (const Slot& slot : slots) slot_time += slot.length;
  EXPECT_EQ(static_cast<std::int64_t>(slots.size()), golden.slots);
  EXPECT_EQ(slot_time, golden.slot_time);
  if (golden.slot_list) {
    EXPECT_EQ(slots, *golden.slot_list);
  }
  {
    SCOPED_TRACE("all_stop");
    expect_run(golden, SlotMode::all_stop, golden.all_stop);
  }
  SCOPED_TRACE("hold");
  expect_run(golden, SlotMode::hold, golden.hold);
}

}  // namespace ocs::golden
