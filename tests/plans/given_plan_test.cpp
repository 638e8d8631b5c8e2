// Plans made elsewhere: moved to when they are asked for, and every rule that one can break has its name.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/given_plan.hpp"

#include "host/scheduler/catalogue.hpp"
#include "tests/plans/rig.hpp"

namespace ocs {
namespace {

using namespace test;

constexpr Ticks late{1'000'000};

GivenPlan given(const Plan& push, Ticks latest = late) {
  return {plans_from_text(file_of(push).dump(), "p.json").at(0), "p.json#1", latest};
}

TEST(GivenPlan, IsMovedToTheInstantAndTheFlowsOfTheProblem) {
  Problem problem = small_problem();
  problem.now = Ticks{1000};
  std::swap(problem.flows[0], problem.flows[1]);
  problem.flows[0].id = Id{70};
  problem.flows[1].id = Id{71};
  const Plan plan = given(small_plan()).plan(problem);
  ASSERT_EQ(plan.list.size(), 2u);
  EXPECT_EQ(plan.list[0].flow, Id{71});
  EXPECT_EQ(plan.list[0].start, Ticks{1000});
  EXPECT_EQ(plan.list[1].flow, Id{70});
  EXPECT_EQ(plan.list[1].end, Ticks{1170});
  EXPECT_EQ(plan.bound, Ticks{170}) << "output 1 has to be set up twice and carries 150";
}

TEST(GivenPlan, KnowsPullsByTheirDemand) {
  Problem problem = small_problem();
  problem.flows = {flow(0, 1, 0, 100), flow(1, 1, 2, 50)};
  EXPECT_EQ(given(small_plan()).plan(problem).list.at(0).in, Input{1});
}

TEST(GivenPlan, NamesTheRuleThatIsBroken) {
  const auto rule = [](const Plan& plan, const Problem& problem = small_problem(), Ticks latest = late) {
    return broken_rule([&] { given(plan, latest).plan(problem); });
  };
  const auto changed = [](std::size_t n, const Reservation& r) {
    Plan plan = small_plan();
    plan.list.at(n) = r;
    return plan;
  };
  EXPECT_EQ(rule(changed(1, reservation(7, 2, 1, 110, 120, 170))), "unknown_flow");
  EXPECT_EQ(rule(changed(1, reservation(1, 2, 9, 110, 120, 170))), "port_range");
  EXPECT_EQ(rule(changed(1, reservation(1, 3, 1, 110, 120, 170))), "circuit");
  EXPECT_EQ(rule(changed(1, reservation(1, 2, 1, 120, 110, 160))), "times");
  EXPECT_EQ(rule(changed(1, reservation(1, 2, 1, 110, 120, 180))), "part");
  EXPECT_EQ(rule(changed(1, reservation(1, 2, 1, 109, 120, 170))), "conflict");
  EXPECT_EQ(rule(changed(1, reservation(1, 2, 1, 110, 119, 169))), "settle");
  EXPECT_EQ(rule(changed(1, reservation(1, 2, 1, 110, 120, 169))), "missing");
  EXPECT_EQ(rule(changed(1, reservation(1, 2, 1, 110, 120, 160, 10))), "missing");
  EXPECT_EQ(rule(small_plan(), small_problem(), Ticks{169}), "times");
  Plan twice = small_plan();
  twice.list.push_back(reservation(1, 2, 1, 170, 170, 171, 49));
  EXPECT_EQ(rule(twice), "twice");
  Problem problem = small_problem();
  problem.flows[0].release = Ticks{1};
  EXPECT_EQ(rule(small_plan(), problem), "early");
  problem = small_problem();
  problem.dead_out = {Output{1}};
  EXPECT_EQ(rule(small_plan(), problem), "dead_port");
  problem = small_problem();
  problem.all_stop = true;
  problem.flows.push_back(flow(2, 1, 2, 5));
  Json json = file_of(small_plan());
  json["plans"][0]["push"]["problem"]["flows"].push_back(to_json(problem.flows.back()));
  json["plans"][0]["push"]["reservations"].push_back(to_json(reservation(2, 1, 2, 100, 110, 115)));
  EXPECT_EQ(broken_rule([&] { GivenPlan(plans_from_text(json.dump(), "p").at(0), "p", late).plan(problem); }),
            "all_stop");
}

TEST(GivenPlan, SaysWhichPhaseAndWhatIsWrong) {
  Plan plan = small_plan();
  plan.list[1].up = Ticks{115};
  plan.list[1].end = Ticks{165};
  EXPECT_EQ(refusal([&] { given(plan).plan(small_problem()); }),
            "p.json#1, push, breaks the rule \"settle\": the plan lets flow 1 (2 -> 1) start at 110 and be up at 115, "
            "but its circuit is not established then and takes 10 to set up");
}

TEST(GivenPlan, IsForOneDemandAlone) {
  Problem problem = small_problem();
  problem.flows[1].length = Ticks{51};
  EXPECT_EQ(broken_rule([&] { given(small_plan()).plan(problem); }), "demand");
  EXPECT_EQ(refusal([&] { given(small_plan()).plan(problem); }),
            "p.json#1, push, breaks the rule \"demand\": 2 -> 1 has to carry 51, not 50");
  problem.flows.pop_back();
  EXPECT_EQ(refusal([&] { given(small_plan()).plan(problem); }),
            "p.json#1, push, breaks the rule \"demand\": 2 -> 1 has to carry nothing, not 50");
}

TEST(GivenPlan, LeavesWordsThatWereLostToAnotherScheduler) {
  Problem problem = small_problem();
  problem.flows[1].length = Ticks{3};
  const GivenPlan plan(plans_from_text(file_of(small_plan()).dump(), "p").at(0), "p", late,
                       make(schedulers(), "sunflow", "scheduler"));
  EXPECT_EQ(plan.plan(problem).list.size(), 2u);
}

TEST(GivenPlan, RefusesTwoFlowsOfOneNumber) {
  Json json = file_of(small_plan());
  json["plans"][0]["push"]["problem"]["flows"][1]["flow"] = 0;
  const GivenPlan plan(plans_from_text(json.dump(), "p").at(0), "p", late);
  EXPECT_EQ(refusal([&] { plan.plan(small_problem()); }), "p has two flows with the number 0");
}

}  // namespace
}  // namespace ocs
