// What holds for every scheduler on every problem; RapidCheck draws the problems and prints the seed of a failure.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/demand.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/lists/sunflow.hpp"
#include "host/scheduler/splitmix.hpp"
#include "tests/schedulers/literal.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs {
namespace {

using test::decisions;

/// Up to 12 ports and some 40 flows, or more of both; with duplicates, local and empty flows, circuits that are up, and
/// many equal lengths.
Problem any_problem() {
  const int ports = *rc::gen::oneOf(rc::gen::inRange(2, 13), rc::gen::inRange(25, 41));
  const int longest = *rc::gen::element(1, 3, 60);
  const auto port = rc::gen::inRange<std::int64_t>(0, ports);
  const auto rows =
      *rc::gen::resize(40, rc::gen::container<std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>>>(
                               rc::gen::tuple(port, port, rc::gen::inRange<std::int64_t>(0, longest + 1))));
  std::vector<test::Row> flows;
  for (const auto& [in, out, length] : rows) flows.push_back({in, out, length});
  Problem problem = test::problem(ports, *rc::gen::element<std::int64_t>(0, 1, 10, 50), flows);
  problem.now = Ticks{*rc::gen::inRange<std::int64_t>(0, 100)};
  problem.seed = *rc::gen::arbitrary<std::uint64_t>();
  std::vector<bool> taken(static_cast<std::size_t>(ports), false);
  for (int in = 0; in < ports; ++in) {
    const auto out = *rc::gen::inRange(0, 2 * ports);  // about half of the inputs are joined to something
    if (out >= ports || taken[static_cast<std::size_t>(out)]) continue;
    taken[static_cast<std::size_t>(out)] = true;
    problem.up.push_back(test::circuit(in, out));
  }
  return problem;
}

/// Merged flows show as one circuit, as in the literal schedulers.
std::vector<test::Decision> joined(const Plan& plan) {
  std::vector<test::Decision> list;
  for (const test::Decision& d : decisions(plan))
    if (!list.empty() && list.back()[0] == d[0] && list.back()[1] == d[1] && list.back()[4] == d[2])
      list.back()[4] = d[4];
    else
      list.push_back(d);
  return list;
}

std::vector<test::Row> sorted(std::vector<test::Row> flows, bool longest) {
  std::sort(flows.begin(), flows.end(), [&](const test::Row& a, const test::Row& b) {
    if (longest && a[2] != b[2]) return a[2] > b[2];
    return a < b;
  });
  return flows;
}

TEST(EveryPlan, PassesTheCheckerAndEndsNoEarlierThanTheBound) {
  EXPECT_TRUE(rc::check([] {
    const Problem problem = any_problem();
    const std::int64_t bound = test::literal_port_bound(test::LiteralProblem(problem));
    for (const auto& entry : schedulers()) {
      if (!test::fits(entry.name, problem)) continue;
      RC_LOG() << entry.name << "\n";
      const Plan plan = entry.make()->plan(problem);
      check_plan(problem, plan);
      RC_ASSERT(plan.bound.n == bound);
      RC_ASSERT((plan_end(plan, problem.now) - problem.now).n >= bound);
    }
  }));
}

TEST(EveryPlan, PaysEachPairsOwnSetUp) {
  EXPECT_TRUE(rc::check([] {
    Problem problem = any_problem();
    const auto pairs = static_cast<std::size_t>(problem.ports) * static_cast<std::size_t>(problem.ports);
    problem.pair_delta = *rc::gen::container<std::vector<Ticks>>(
        pairs, rc::gen::map(rc::gen::inRange<std::int64_t>(0, 60), [](std::int64_t n) { return Ticks{n}; }));
    std::vector<std::int64_t> load(2 * static_cast<std::size_t>(problem.ports));
    std::int64_t bound = 0;
    const Demand demand = read_demand(problem, "the test");
    for (const PairDemand& pair : demand.pairs) {
      const bool up = demand.up[pair.in] == pair.out;
      const std::int64_t cost =
          pair.length + (up ? 0 : problem.pair_delta[pair.in * static_cast<std::size_t>(problem.ports) + pair.out].n);
      bound =
          std::max({bound, load[pair.in] += cost, load[static_cast<std::size_t>(problem.ports) + pair.out] += cost});
    }
    for (const auto& entry : schedulers()) {
      if (!test::fits(entry.name, problem)) continue;
      RC_LOG() << entry.name << "\n";
      const Plan plan = entry.make()->plan(problem);
      check_plan(problem, plan);
      RC_ASSERT(plan.bound.n == bound);
      for (const Reservation& r : plan.list) {
        const auto pair = index(r.in) * static_cast<std::size_t>(problem.ports) + single_output(r.outs);
        RC_ASSERT(r.up == r.start || r.up - r.start == problem.pair_delta[pair]);
      }
    }
  }));
}

TEST(EveryPlan, WaitsForTheSlowestPairOfAnAllStopSwitch) {
  EXPECT_TRUE(rc::check([] {
    Problem problem = any_problem();
    problem.all_stop = true;
    const auto pairs = static_cast<std::size_t>(problem.ports) * static_cast<std::size_t>(problem.ports);
    problem.pair_delta = *rc::gen::container<std::vector<Ticks>>(
        pairs, rc::gen::map(rc::gen::inRange<std::int64_t>(0, 60), [](std::int64_t n) { return Ticks{n}; }));
    for (const auto& entry : schedulers()) {
      if (!test::among(test::all_stop_schedulers, entry.name)) continue;
      RC_LOG() << entry.name << "\n";
      check_plan(problem, entry.make()->plan(problem));
    }
  }));
}

TEST(EveryPlan, WithOneSetUpForAllPairsIsThatOfOneDelta) {
  EXPECT_TRUE(rc::check([] {
    const Problem problem = any_problem();
    Problem same = problem;
    same.delta = Ticks{0};
    same.pair_delta.assign(static_cast<std::size_t>(problem.ports * problem.ports), problem.delta);
    for (const auto& entry : schedulers())
      if (test::fits(entry.name, problem))
        RC_ASSERT(decisions(entry.make()->plan(problem)) == decisions(entry.make()->plan(same)));
  }));
}

TEST(EveryPlan, IsTheSameEachTime) {
  EXPECT_TRUE(rc::check([] {
    const Problem problem = any_problem();
    for (const auto& entry : schedulers())
      if (test::fits(entry.name, problem))
        RC_ASSERT(decisions(entry.make()->plan(problem)) == decisions(entry.make()->plan(problem)));
  }));
}

TEST(Sunflow, DoesWhatScanningTheWholeListDoes) {
  EXPECT_TRUE(rc::check([] {
    const Problem problem = any_problem();
    const test::LiteralProblem literal(problem);
    const auto expected = [&](const std::vector<test::Row>& order) {
      return test::literal_list(literal, order, test::LiteralFreeing::one);
    };
    RC_ASSERT(joined(Sunflow(FlowOrder::given).plan(problem)) == expected(literal.flows));
    RC_ASSERT(joined(Sunflow(FlowOrder::src_dst).plan(problem)) == expected(sorted(literal.flows, false)));
    RC_ASSERT(joined(Sunflow(FlowOrder::longest).plan(problem)) == expected(sorted(literal.flows, true)));
  }));
}

TEST(Sunflow, EndsWithinTwiceThePortBound) {
  EXPECT_TRUE(rc::check([] {
    Problem problem = any_problem();
    problem.up.clear();  // the theorem is about a cold switch
    for (const FlowOrder order : {FlowOrder::given, FlowOrder::src_dst, FlowOrder::longest, FlowOrder::random}) {
      const Plan plan = Sunflow(order).plan(problem);
      RC_ASSERT(plan_end(plan, problem.now) - problem.now <= plan.bound * 2);
    }
  }));
}

TEST(Hlf, DoesWhatPickingOneFlowAtATimeDoes) {
  EXPECT_TRUE(rc::check([] {
    const Problem problem = any_problem();
    RC_ASSERT(joined(make(schedulers(), "hlf", "scheduler")->plan(problem)) ==
              test::literal_hlf(test::LiteralProblem(problem)));
  }));
}

TEST(RotationList, DoesWhatScanningTheWholeListDoes) {
  EXPECT_TRUE(rc::check([] {
    const Problem problem = any_problem();
    const test::LiteralProblem literal(problem);
    std::vector<std::int64_t> ins, outs;
    for (const test::Row& flow : literal.flows) {
      ins.push_back(flow[0]);
      outs.push_back(flow[1]);
    }
    for (auto* ports : {&ins, &outs}) {
      std::sort(ports->begin(), ports->end());
      ports->erase(std::unique(ports->begin(), ports->end()), ports->end());
    }
    const std::size_t slots = std::max(ins.size(), outs.size());
    std::vector<test::Row> order;
    for (std::size_t k = 0; k < slots; ++k)
      for (std::size_t a = 0; a < ins.size(); ++a)
        for (const test::Row& flow : literal.flows)
          if ((a + k) % slots < outs.size() && flow[0] == ins[a] && flow[1] == outs[(a + k) % slots])
            order.push_back(flow);
    RC_ASSERT(order.size() == literal.flows.size());
    RC_ASSERT(joined(make(schedulers(), "rotation_list", "scheduler")->plan(problem)) ==
              test::literal_list(literal, order, test::LiteralFreeing::all));
  }));
}

TEST(Colour, MeetsTheBoundWhenAllFlowsAreEquallyLong) {
  EXPECT_TRUE(rc::check([] {
    const int ports = *rc::gen::inRange(2, 13);
    std::vector<test::Row> flows;
    for (int in = 0; in < ports; ++in)
      for (int out = 0; out < ports; ++out)
        if (*rc::gen::arbitrary<bool>()) flows.push_back({in, out, 20});
    const Problem problem = test::problem(ports, 10, flows);
    const Plan plan = make(schedulers(), "colour", "scheduler")->plan(problem);
    RC_ASSERT(plan_end(plan, problem.now) == plan.bound);
  }));
}

TEST(Psscheduler, IsNeverLongerThanAnyOfItsFive) {
  EXPECT_TRUE(rc::check([] {
    const Problem problem = any_problem();
    const Ticks end = plan_end(Psscheduler().plan(problem), problem.now);
    Ticks shortest = never<Ticks>;
    for (const char* name : {"rotation_list", "colour", "hlf", "sunflow_longest", "sunflow"})
      shortest = std::min(shortest, plan_end(make(schedulers(), name, "scheduler")->plan(problem), problem.now));
    RC_ASSERT(end == shortest);
  }));
}

TEST(Psscheduler, TakesTheFirstOfEquallyShortPlans) {
  EXPECT_TRUE(rc::check([] {
    const Problem problem = any_problem();
    const Plan chosen = Psscheduler().plan(problem);
    for (const char* name : {"rotation_list", "colour", "hlf", "sunflow_longest", "sunflow"}) {
      const Plan plan = make(schedulers(), name, "scheduler")->plan(problem);
      if (plan_end(plan, problem.now) != plan_end(chosen, problem.now)) continue;
      RC_ASSERT(decisions(plan) == decisions(chosen));
      return;
    }
    RC_FAIL("no scheduler of the five makes this plan");
  }));
}

/// Flows whose lengths are different sums of powers of two, so that no two loads and no two lengths are equal; delta 0.
Problem problem_without_ties() {
  const int ports = *rc::gen::inRange(2, 7);
  std::vector<test::Row> flows;
  for (int in = 0; in < ports && flows.size() < 20; ++in)
    for (int out = 0; out < ports && flows.size() < 20; ++out)
      if (in != out && *rc::gen::inRange(0, 3) > 0)
        flows.push_back({in, out, (std::int64_t{1} << (2 * flows.size() + 1)) + *rc::gen::inRange(0, 2)});
  return test::problem(ports, 0, flows);
}

TEST(Renaming, PortsRenamesThePlanOfLongestAndHlfWhereNothingTies) {
  EXPECT_TRUE(rc::check([] {
    const Problem problem = problem_without_ties();
    std::vector<std::int64_t> name(static_cast<std::size_t>(problem.ports));
    std::iota(name.begin(), name.end(), 0);
    std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
    for (std::size_t i = name.size(); i-- > 1;) std::swap(name[i], name[splitmix64(seed) % (i + 1)]);
    const auto renamed_port = [&](std::int64_t port) { return name[static_cast<std::size_t>(port)]; };
    Problem renamed = problem;
    for (Flow& flow : renamed.flows) {
      flow.in = Input{static_cast<std::uint16_t>(renamed_port(index(flow.in)))};
      flow.outs = test::only(renamed_port(single_output(flow.outs)));
    }
    for (const char* scheduler : {"sunflow_longest", "hlf"}) {
      const auto rule = make(schedulers(), scheduler, "scheduler");
      std::vector<test::Decision> expected = decisions(rule->plan(problem)), found = decisions(rule->plan(renamed));
      for (test::Decision& d : expected) d[0] = renamed_port(d[0]), d[1] = renamed_port(d[1]);
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      RC_ASSERT(found == expected);
    }
  }));
}

TEST(Bound, IsNeverLoweredByMoreDemand) {
  EXPECT_TRUE(rc::check([] {
    Problem problem = any_problem();
    const Ticks before = port_bound(problem);
    const auto port = rc::gen::inRange<std::int64_t>(0, problem.ports);
    Flow more = test::problem(problem.ports, 0, {{*port, *port, *rc::gen::inRange(0, 50)}}).flows.front();
    if (!problem.flows.empty() && *rc::gen::arbitrary<bool>()) {  // more of what is there
      more = problem.flows[*rc::gen::inRange<std::size_t>(0, problem.flows.size())];
      more.length = Ticks{*rc::gen::inRange(0, 5)};
    }
    more.id = Id{static_cast<std::uint32_t>(problem.flows.size())};
    problem.flows.push_back(more);
    RC_ASSERT(port_bound(problem) >= before);
  }));
}

TEST(CheckPlan, NoticesAnyTimeThatIsMovedForward) {
  EXPECT_TRUE(rc::check([] {
    Problem problem = any_problem();
    problem.delta = Ticks{10};
    Plan plan = Sunflow(FlowOrder::src_dst).plan(problem);
    RC_PRE(!plan.list.empty());
    // Sunflow leaves no gap before a start, so one tick earlier is always a conflict, or before now.
    Reservation& r = plan.list[*rc::gen::inRange<std::size_t>(0, plan.list.size())];
    r.start -= Ticks{1};
    r.up -= Ticks{1};
    r.end -= Ticks{1};
    RC_ASSERT_THROWS_AS(check_plan(problem, plan), Error);
  }));
}

}  // namespace
}  // namespace ocs
