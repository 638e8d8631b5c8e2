// Several coflows at once: order, gaps, what runs already, horizons; and the other schedulers on a switch that is busy.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/coflows/sunflow_inter.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "tests/schedulers/literal.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs {
namespace {

using test::decisions;
using test::problem;

constexpr Sharing sharings[] = {Sharing::shortest, Sharing::first_come, Sharing::least_served};

/// The coflows of the flows, in their order.
Problem coflows(Problem p, const std::vector<std::uint32_t>& of) {
  for (std::size_t f = 0; f < of.size(); ++f) p.flows.at(f).coflow = Id{of[f]};
  return p;
}

/// Up to five coflows on up to 8 ports; circuits that are up, idle or busy, some released earlier than others.
Problem any_coflows() {
  const int ports = *rc::gen::inRange(2, 9);
  const auto port = rc::gen::inRange<std::int64_t>(0, ports);
  const auto rows = *rc::gen::resize(
      40, rc::gen::container<std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint32_t>>>(
              rc::gen::tuple(port, port, rc::gen::inRange<std::int64_t>(0, *rc::gen::element(2, 40)),
                             rc::gen::inRange<std::uint32_t>(0, 5))));
  std::vector<test::Row> flows;
  std::vector<std::uint32_t> of;
  for (const auto& [in, out, length, coflow] : rows) {
    flows.push_back({in, out, length});
    of.push_back(coflow);
  }
  Problem p = coflows(problem(ports, *rc::gen::element<std::int64_t>(0, 1, 10), flows), of);
  p.now = Ticks{*rc::gen::inRange<std::int64_t>(10, 50)};
  p.reuse = Ticks{*rc::gen::inRange<std::int64_t>(0, 3)};
  for (std::uint32_t c = 0; c < 5; ++c) {
    const auto priority = *rc::gen::inRange(0, 2);
    const Ticks release{*rc::gen::inRange<std::int64_t>(0, 10)};
    p.attained.push_back({Id{c}, Ticks{*rc::gen::inRange<std::int64_t>(0, 4)}});
    for (Flow& flow : p.flows)
      if (flow.coflow == Id{c}) flow.priority = priority, flow.release = release;
  }
  std::vector<bool> taken(static_cast<std::size_t>(ports), false);
  for (int in = 0; in < ports; ++in) {
    const auto out = *rc::gen::inRange(0, 2 * ports);
    if (out >= ports || out == in || taken[static_cast<std::size_t>(out)]) continue;
    taken[static_cast<std::size_t>(out)] = true;
    p.up.push_back(test::circuit(in, out));
    p.up.back().free_at = p.now + Ticks{*rc::gen::element<std::int64_t>(-5, 0, 7, 7, 23)};
  }
  return p;
}

/// Without a second flow of the same coflow and pair.
Problem merged(Problem p) {
  std::vector<Flow> once;
  for (const Flow& flow : p.flows)
    if (std::none_of(once.begin(), once.end(), [&](const Flow& other) {
          return other.coflow == flow.coflow && other.in == flow.in && other.outs == flow.outs;
        }))
      once.push_back(flow);
  p.flows = std::move(once);
  return p;
}

TEST(SunflowInter, IsWhatItsDefinitionSays) {
  EXPECT_TRUE(rc::check([] {
    const Problem p = merged(any_coflows());
    for (const Sharing sharing : sharings)
      RC_ASSERT(decisions(SunflowInter(sharing).plan(p)) == test::literal_inter(p, sharing));
  }));
}

TEST(SunflowInter, PaysForTheStartOfEachFlow) {
  EXPECT_TRUE(rc::check([] {
    const Problem p = any_coflows();
    for (const Sharing sharing : sharings)
      for (const Reservation& r : SunflowInter(sharing).plan(p).list)
        RC_ASSERT(r.up - r.start >= std::min(p.reuse, p.delta));
  }));
}

TEST(SunflowInter, PassesTheCheckerAndEndsNoEarlierThanTheBound) {
  EXPECT_TRUE(rc::check([] {
    const Problem p = any_coflows();
    for (const Sharing sharing : sharings) check_plan(p, SunflowInter(sharing).plan(p));
  }));
}

TEST(SunflowInter, WithOneCoflowIsSunflow) {
  EXPECT_TRUE(rc::check([] {
    Problem p = any_coflows();
    for (Flow& flow : p.flows) flow.coflow = Id{3}, flow.priority = 0;
    for (EstablishedCircuit& circuit : p.up) circuit.free_at = Ticks{0};
    p.reuse = Ticks{0};  // sunflow takes the flows of a pair one behind the other
    RC_ASSERT(decisions(SunflowInter(Sharing::shortest).plan(p)) ==
              decisions(make(schedulers(), "sunflow", "scheduler")->plan(p)));
  }));
}

TEST(SunflowInter, WithAHorizonMakesTheFirstPartOfTheSamePlan) {
  EXPECT_TRUE(rc::check([] {
    Problem p = any_coflows();
    const Plan whole = SunflowInter(Sharing::shortest).plan(p);
    std::int64_t first_end = p.horizon.n;
    for (std::uint32_t c = 0; c < 5; ++c) {
      Ticks end{-1};
      for (const Reservation& r : whole.list)
        if (p.flows.at(index(r.flow)).coflow == Id{c}) end = std::max(end, r.end);
      if (end.n >= 0) first_end = std::min(first_end, end.n);
    }
    p.horizon = p.now + Ticks{*rc::gen::inRange<std::int64_t>(1, 80)};
    const Plan part = SunflowInter(Sharing::shortest).plan(p);
    check_plan(p, part);
    Plan expected;
    for (const Reservation& r : whole.list)
      if (r.start.n < std::min(first_end, p.horizon.n)) expected.list.push_back(r);
    RC_ASSERT(decisions(part) == decisions(expected));
  }));
}

TEST(SunflowInter, BreaksALongFlowOffWhereAShorterCoflowHasReserved) {
  // Coflow 1 (20 + 10 at input 0) goes before coflow 0: it takes 0 -> 1 at 0 and 0 -> 2 once output 2 is free at 40.
  Problem p = coflows(problem(4, 10, {{0, 3, 90}, {0, 1, 5}, {0, 2, 5}}), {0, 1, 1});
  p.up = {{Plane{0}, Input{3}, test::only(2), Ticks{40}}};
  EXPECT_EQ(
      decisions(SunflowInter(Sharing::shortest).plan(p)),
      (std::vector<test::Decision>{{0, 1, 0, 10, 15}, {0, 2, 40, 50, 55}, {0, 3, 15, 25, 40}, {0, 3, 55, 65, 140}}));
}

TEST(SunflowInter, KeepsWhatRunsAndUsesItsCircuitWithoutASetUp) {
  Problem p = coflows(problem(3, 10, {{0, 1, 30}, {0, 2, 4}}), {0, 1});
  p.up = {{Plane{0}, Input{0}, test::only(2), Ticks{20}}};
  EXPECT_EQ(decisions(SunflowInter(Sharing::shortest).plan(p)),
            (std::vector<test::Decision>{{0, 2, 20, 20, 24}, {0, 1, 24, 34, 64}}));
}

TEST(SunflowInter, ServesPrioritiesBeforeEverythingElse) {
  Problem p = coflows(problem(3, 10, {{0, 1, 50}, {0, 2, 1}}), {0, 1});
  p.flows[1].priority = 1;
  EXPECT_EQ(decisions(SunflowInter(Sharing::shortest).plan(p)).front(), (test::Decision{0, 1, 0, 10, 60}));
  p.flows[0].priority = 2;
  EXPECT_EQ(decisions(SunflowInter(Sharing::shortest).plan(p)).front(), (test::Decision{0, 2, 0, 10, 11}));
}

TEST(SunflowFifo, ServesTheCoflowThatWasReleasedFirst) {
  Problem p = coflows(problem(3, 10, {{0, 1, 50}, {0, 2, 1}}), {1, 0});
  p.now = Ticks{7};
  p.flows[1].release = Ticks{5};
  EXPECT_EQ(decisions(SunflowInter(Sharing::first_come).plan(p)).front(), (test::Decision{0, 1, 7, 17, 67}));
}

TEST(SunflowFair, ServesTheCoflowThatHasBeenGivenLeast) {
  Problem p = coflows(problem(3, 10, {{0, 1, 50}, {0, 2, 1}}), {0, 1});
  p.attained = {{Id{1}, Ticks{9}}, {Id{0}, Ticks{8}}};
  EXPECT_EQ(decisions(SunflowInter(Sharing::least_served).plan(p)).front(), (test::Decision{0, 1, 0, 10, 60}));
}

TEST(SunflowInter, RefusesSumsBeyond64Bits) {
  const std::int64_t huge = std::int64_t{1} << 61;
  try {
    SunflowInter(Sharing::shortest).plan(problem(3, 10, {{0, 1, huge}, {0, 2, huge}}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("longer than 2^62 ticks"), std::string::npos) << error.what();
  }
}

TEST(SchedulersOfOneCoflow, PlanAroundCircuitsThatAreBusy) {
  EXPECT_TRUE(rc::check([] {
    Problem p = any_coflows();
    for (Flow& flow : p.flows) flow.priority = 0;
    for (const char* name : {"sunflow", "sunflow_longest", "hlf", "colour", "rotation_list", "psscheduler"}) {
      RC_LOG() << name << "\n";
      const Plan plan = make(schedulers(), name, "scheduler")->plan(p);
      check_plan(p, plan);
      for (const Reservation& r : plan.list) RC_ASSERT(r.up - r.start == p.delta || r.up - r.start <= p.reuse);
    }
  }));
}

TEST(Hlf, StartsNothingBeforeACircuitThatIsBusyHasEnded) {
  Problem p = problem(3, 10, {{0, 1, 30}, {2, 1, 4}});
  p.up = {{Plane{0}, Input{0}, test::only(1), Ticks{20}}};
  p.reuse = Ticks{1};
  EXPECT_EQ(decisions(make(schedulers(), "hlf", "scheduler")->plan(p)),
            (std::vector<test::Decision>{{0, 1, 20, 21, 51}, {2, 1, 51, 61, 65}}));
}

}  // namespace
}  // namespace ocs
