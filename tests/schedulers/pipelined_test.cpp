// Pushes and pulls overlapped: by hand, against the barrier form, and properties of plan and bound.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/pipelined.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/demand.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/lists/sunflow.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs {
namespace {

using test::Decision;
using test::decisions;
using test::problem;
using test::Row;

/// Pulls mirror the pushes; local ones stay out by themselves.
Synchronisation mirrored(int ports, std::int64_t delta, const std::vector<Row>& pushes) {
  std::vector<Row> pulls;
  for (const Row& row : pushes) pulls.push_back({row[1], row[0], row[2]});
  Synchronisation both{problem(ports, delta, pushes), problem(ports, delta, pulls).flows, Ticks{0}};
  for (Flow& flow : both.pull) flow.id = Id{static_cast<std::uint32_t>(index(flow.id) + pushes.size())};
  return both;
}

Plan planned(const Synchronisation& both, const char* scheduler = "sunflow", std::int64_t work = 0) {
  const auto rule = make(schedulers(), scheduler, "scheduler");
  Plan plan = plan_pipelined(both, {*rule, work});
  check_plan(released(both, plan), plan);
  return plan;
}

Ticks barrier_end(const Synchronisation& both, const Scheduler& rule) {
  const Plan pushes = rule.plan(both.push);
  Problem pull = both.push;
  pull.now = plan_end(pushes, both.push.now);
  pull.up = circuits_after(both.push, pushes);
  pull.flows = both.pull;
  return plan_end(rule.plan(pull), pull.now);
}

/// Workers first, servers on some of them or after them; each worker sends each server what that holds.
Synchronisation any_synchronisation() {
  const int workers = *rc::gen::inRange(1, 6), servers = *rc::gen::inRange(1, 5);
  const int first = *rc::gen::element(0, workers);  // the first server's node
  std::vector<Row> pushes;
  for (int s = 0; s < servers; ++s) {
    const std::int64_t length = *rc::gen::inRange(1, 40);
    for (int w = 0; w < workers; ++w) pushes.push_back({w, first + s, length * *rc::gen::element(1, 1, 2)});
  }
  Synchronisation both = mirrored(12, *rc::gen::element(0, 1, 10), pushes);
  both.answer = Ticks{*rc::gen::element(0, 0, 7)};
  both.push.now = Ticks{*rc::gen::inRange(0, 10)};
  both.push.seed = *rc::gen::arbitrary<std::uint64_t>();
  for (int in = 0; in < 12; ++in)
    if (*rc::gen::inRange(0, 3) == 0) both.push.up.push_back(test::circuit(in, (in + 3) % 12));
  return both;
}

TEST(Pipelined, LetsAServerAnswerWhileAnotherStillListens) {
  // Workers 0 and 1, servers 2 (10 each) and 3 (30 each). Server 2 has all at 40 and answers worker 0 at once.
  const Synchronisation both = mirrored(4, 5, {{0, 2, 10}, {1, 2, 10}, {0, 3, 30}, {1, 3, 30}});
  EXPECT_EQ(decisions(planned(both)), (std::vector<Decision>{{0, 2, 0, 5, 15},
                                                             {1, 3, 0, 5, 35},
                                                             {0, 3, 35, 40, 70},
                                                             {1, 2, 35, 40, 50},
                                                             {2, 0, 50, 55, 65},
                                                             {2, 1, 65, 70, 80},
                                                             {3, 0, 70, 75, 105},
                                                             {3, 1, 105, 110, 140}}));
  EXPECT_EQ(planned(both).bound, Ticks{140});  // server 3: twice two set-ups and 30 each
}

TEST(Pipelined, WaitsForTheAnswerOfTheServer) {
  Synchronisation both = mirrored(2, 5, {{0, 1, 10}});
  both.answer = Ticks{3};
  EXPECT_EQ(decisions(planned(both)), (std::vector<Decision>{{0, 1, 0, 5, 15}, {1, 0, 18, 23, 33}}));
  EXPECT_EQ(pipelined_bound(both), Ticks{33});
}

TEST(Pipelined, CountsACircuitThatPushAndPullNeedOnce) {
  // 0 and 1 are workers and servers: each pushes to the other and pulls what the other holds over the same circuit.
  const Synchronisation both = mirrored(2, 5, {{0, 1, 10}, {1, 0, 20}});
  EXPECT_EQ(decisions(planned(both)),
            (std::vector<Decision>{{0, 1, 0, 5, 15}, {1, 0, 0, 5, 25}, {0, 1, 25, 25, 45}, {1, 0, 25, 25, 35}}));
  EXPECT_EQ(pipelined_bound(both), Ticks{45});
}

TEST(Pipelined, NeverEndsBelowItsBound) {
  EXPECT_TRUE(rc::check([] {
    const Synchronisation both = any_synchronisation();
    for (const char* name : {"sunflow", "hlf", "psscheduler", "solstice_hold"}) {
      const Plan plan = planned(both, name);
      RC_ASSERT(plan_end(plan, both.push.now) >= both.push.now + plan.bound);
    }
  }));
}

TEST(Pipelined, BoundIsAtLeastThatOfEachPhaseWithoutCircuitsThatAreUp) {
  EXPECT_TRUE(rc::check([] {
    Synchronisation both = any_synchronisation();
    both.push.up.clear();
    Problem pull = both.push;
    pull.flows = both.pull;
    RC_ASSERT(pipelined_bound(both) >= port_bound(both.push));
  }));
}

TEST(Pipelined, SearchNeverEndsLater) {
  EXPECT_TRUE(rc::check([] {
    const Synchronisation both = any_synchronisation();
    const Plan plain = planned(both, "psscheduler"), searched = planned(both, "psscheduler", 2000);
    RC_ASSERT(plan_end(searched, both.push.now) <= plan_end(plain, both.push.now));
    RC_CLASSIFY(plan_end(searched, both.push.now) < plan_end(plain, both.push.now), "shorter");
    const Ticks barrier = barrier_end(both, Psscheduler());
    RC_CLASSIFY(plan_end(plain, both.push.now) < barrier, "shorter than with a barrier");
    RC_CLASSIFY(plan_end(plain, both.push.now) > barrier + both.answer, "longer than with a barrier");
  }));
}

}  // namespace
}  // namespace ocs
