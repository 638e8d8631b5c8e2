// The order of a plan of a job without phases: flows take their places in it, iteration after iteration.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/given_order.hpp"

#include "host/core/catalogue.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/plans/plan_file.hpp"
#include "tests/plans/rig.hpp"

namespace ocs {
namespace {

using namespace test;

/// 0 -> 1 and 2 -> 1 take turns on output 1, 0 -> 3 uses another output.
GivenOrder order_of(std::vector<Reservation> filed) {
  return {filed, "p.json#1", make(schedulers(), "sunflow_fifo", "scheduler")};
}

std::vector<std::uint32_t> served(const GivenOrder& order, const Problem& problem) {
  Plan plan = order.plan(problem);
  check_plan(problem, plan);
  std::stable_sort(plan.list.begin(), plan.list.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  std::vector<std::uint32_t> flows;
  for (const Reservation& r : plan.list) flows.push_back(index(r.flow));
  return flows;
}

TEST(GivenOrder, DecidesWhoGoesFirst) {
  const Problem problem = small_problem();  // 0: 0 -> 1, 1: 2 -> 1
  const Reservation first = reservation(7, 0, 1, 0, 10, 110), second = reservation(9, 2, 1, 110, 120, 170);
  EXPECT_EQ(served(order_of({first, second}), problem), (std::vector<std::uint32_t>{0, 1}));
  Reservation later = first;
  later.start = Ticks{500};
  EXPECT_EQ(served(order_of({later, second}), problem), (std::vector<std::uint32_t>{1, 0})) << "by time, not by place";
}

TEST(GivenOrder, GoesOnWithTheNextIteration) {
  const GivenOrder order = order_of({reservation(0, 0, 1, 0, 10, 110), reservation(1, 2, 1, 110, 120, 170)});
  Problem problem = small_problem();
  order.plan(problem);
  problem.flows = {flow(10, 2, 1, 50), flow(11, 0, 1, 100)};  // the second one of each pair
  EXPECT_EQ(served(order, problem), (std::vector<std::uint32_t>{11, 10}));
  problem.flows = {flow(10, 2, 1, 50), flow(12, 0, 1, 100)};  // the third one of one pair; 10 is known
  EXPECT_EQ(served(order, problem), (std::vector<std::uint32_t>{10, 12}));
}

TEST(GivenOrder, FindsThePlaceOfWordsThatWaitTogetherOrComeInParts) {
  const GivenOrder order = order_of({reservation(0, 0, 1, 0, 10, 60), reservation(1, 2, 1, 60, 70, 120),
                                     reservation(2, 0, 1, 120, 130, 180), reservation(3, 2, 1, 180, 190, 240)});
  Problem problem = small_problem();
  problem.flows = {flow(5, 2, 1, 50), flow(6, 0, 1, 100)};  // both transfers of 0 -> 1 in one flow
  EXPECT_EQ(served(order, problem), (std::vector<std::uint32_t>{6, 5}));
  problem.flows = {flow(7, 2, 1, 50), flow(8, 0, 1, 25), flow(9, 0, 1, 25)};  // the fourth of all; the next iteration's
  EXPECT_EQ(served(order, problem).front(), 7u);
}

TEST(GivenOrder, PlansMulticasts) {
  Reservation both = reservation(0, 0, 1, 50, 60, 160), one = reservation(1, 3, 2, 0, 10, 40);
  both.outs.set(2);
  const GivenOrder order({both, one}, "p.json#1", make(schedulers(), "multicast_list", "scheduler"));
  Problem problem = small_problem();
  problem.flows = {flow(0, 0, 1, 100), flow(1, 3, 2, 30)};
  problem.flows[0].outs.set(2);
  EXPECT_EQ(served(order, problem).front(), 1u);
}

TEST(GivenOrder, NamesWhatTheFileSaysNothingOf) {
  const GivenOrder order = order_of({reservation(0, 0, 1, 0, 10, 110)});
  EXPECT_EQ(broken_rule([&] { order.plan(small_problem()); }), "demand");
  EXPECT_EQ(refusal([&] { order.plan(small_problem()); }),
            "p.json#1 breaks the rule \"demand\": 2 -> 1 has to carry 50, not nothing");
}

TEST(GivenOrder, KeepsTheOrderOfPairsWhereKeysMove) {
  const GivenOrder order({reservation(0, 0, 1, 0, 10, 110), reservation(1, 2, 1, 110, 120, 170)}, "p.json#1",
                         make(schedulers(), "sunflow_fifo", "scheduler"), true);
  Problem problem = small_problem();
  problem.flows = {flow(5, 3, 1, 20), flow(6, 2, 1, 10), flow(7, 0, 1, 900)};  // 3 -> 1 moves a key
  EXPECT_EQ(served(order, problem), (std::vector<std::uint32_t>{7, 6, 5}));
  problem.flows = {flow(10, 2, 1, 90), flow(11, 0, 1, 5)};
  EXPECT_EQ(served(order, problem), (std::vector<std::uint32_t>{11, 10})) << "words of one pair are no iterations";
}

TEST(GivenOrder, IsReadFromAFile) {
  const auto read = [](const char* list) {
    return plans_from_text(
        R"({"schema_version": 1, "plans": [{"job": "asp", "reservations": )" + std::string(list) + "}]}", "p.json");
  };
  const auto plans = read(R"([{"flow": 3, "in": 0, "out": 5, "start": 0, "up": 217, "end": 617, "words": 400}])");
  ASSERT_EQ(plans.size(), 1u);
  ASSERT_EQ(plans[0].order.size(), 1u);
  EXPECT_EQ(plans[0].order[0].end, Ticks{617});
  EXPECT_EQ(refusal([&] { read("[]"); }), "p.json: plans[0].reservations must have at least one reservation");
}

}  // namespace
}  // namespace ocs
