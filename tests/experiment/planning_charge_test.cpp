// Planning takes fabric time: what is charged, and how a row keeps it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/planning_charge.hpp"

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::refusal;
using test::resolved;

Point point_with(const std::string& charge) {
  return resolved("policy = 'hlf'\ncharge_planning = '" + charge + "'").points.at(0);
}

Problem two_flows() {
  Problem problem;
  problem.now = Ticks{100};
  problem.ports = 4;
  problem.delta = Ticks{10};
  for (std::uint32_t k = 0; k < 2; ++k)
    problem.flows.push_back({Id{k}, Id{0}, Input{0}, Outputs{}.set(k + 1), Ticks{5}, Ticks{0}});
  return problem;
}

TEST(PlanningCharge, MovesEveryPlanByTheSameCycles) {
  const auto hlf = make(schedulers(), "hlf", "scheduler");
  const ChargedScheduler charged(*hlf, point_with("250 us"));
  const Plan plain = hlf->plan(two_flows()), later = charged.plan(two_flows());
  ASSERT_EQ(later.list.size(), plain.list.size());
  for (std::size_t k = 0; k < plain.list.size(); ++k) {
    EXPECT_EQ(later.list[k].start.n, plain.list[k].start.n + 48829) << "250 us in cycles of 5.12 ns, rounded up";
    EXPECT_EQ(later.list[k].up - later.list[k].start, plain.list[k].up - plain.list[k].start);
    EXPECT_EQ(later.list[k].end - later.list[k].up, plain.list[k].end - plain.list[k].up);
  }
  EXPECT_EQ(later.bound, plain.bound);
  check_plan(two_flows(), later);
  EXPECT_EQ(charged.charged(), std::vector<Cycles>{Cycles{48829}});
}

TEST(PlanningCharge, MeasuresTheSchedulerAlone) {
  const auto hlf = make(schedulers(), "hlf", "scheduler");
  std::int64_t reads = 0;
  const ChargedScheduler charged(*hlf, point_with("measured"), [&] {
    ++reads;
    return Picos{reads * reads * 5120};  // 1, 4, 9, 16 cycles
  });
  for (int k = 0; k < 2; ++k) charged.plan(two_flows());
  EXPECT_EQ(charged.charged(), (std::vector<Cycles>{Cycles{3}, Cycles{7}}));
}

TEST(PlanningCharge, ReplaysARowPlanByPlan) {
  const auto hlf = make(schedulers(), "hlf", "scheduler");
  Point point = point_with("none");
  point.planning.charge = PlanningSettings::Charge::row;
  point.planning.replayed = std::make_shared<const std::vector<Picos>>(std::vector<Picos>{{5120}, {10240}});
  const ChargedScheduler charged(*hlf, point);
  for (int k = 0; k < 2; ++k) charged.plan(two_flows());
  EXPECT_EQ(charged.charged(), (std::vector<Cycles>{Cycles{1}, Cycles{2}}));
  EXPECT_THROW(charged.plan(two_flows()), Error);
}

TEST(PlanningCharge, IsInThePstOfAPlanOnceForEachPhase) {
  const PlannedJob plain = plan_job(point_with("none")), charged = plan_job(point_with("250 us"));
  EXPECT_EQ(charged.pst().n, plain.pst().n + 2 * 48829);
  EXPECT_EQ(charged.bound(), plain.bound());
  EXPECT_EQ(charged.pipelined_pst(), plain.pipelined_pst());
}

TEST(PlanningCharge, IsKeptInShortAndReadBack) {
  EXPECT_EQ(charges_text({Cycles{3}, Cycles{3}, Cycles{3}, Cycles{0}, Cycles{7}}, Picos{10}), "30*3 0 70");
  EXPECT_EQ(charges_from_text("30*3 0 70"), (std::vector<Picos>{Picos{30}, Picos{30}, Picos{30}, Picos{0}, Picos{70}}));
  EXPECT_EQ(charges_text({}, Picos{10}), "");
  EXPECT_TRUE(charges_from_text("").empty());
  for (const char* wrong : {"x", "-1", "3*", "3**2", "3,4", " 3", "3*99999999999", "99999999999999999999", "3*-1"})
    EXPECT_THROW(charges_from_text(wrong), Error) << wrong;
}

TEST(PlanningCharge, IsRefusedWithWhatWouldBeRight) {
  const auto refused = [](const std::string& value) { return refusal([&] { point_with(value); }); };
  EXPECT_EQ(refused("soon"),
            "x.toml:2: charge_planning is \"soon\", but must be \"none\", \"measured\", \"row:ID\" or a time such as "
            "\"250 us\"");
  EXPECT_NE(refused("1001 s").find("must be from 0 ps to 1000 s"), std::string::npos);
  EXPECT_NE(refused("row:0").find("must be \"row:ID\""), std::string::npos);
  EXPECT_NE(refused("row:2x").find("must be \"row:ID\""), std::string::npos);
  EXPECT_NE(refused("row:7").find("must come with --db FILE, the database of that row"), std::string::npos);
  EXPECT_NE(refusal([] {
              resolved("charge_planning = '1000 s'\npolicy = 'hlf'\n[job]\niterations = 100000");
            }).find("2^62 ps"),
            std::string::npos);
}

}  // namespace
}  // namespace ocs
