// Schedulers that match what is left again and again, and the exact one: against exhaustive search, and by hand.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/search/best.hpp"
#include "host/scheduler/search/exact.hpp"
#include "host/scheduler/slots/eclipse.hpp"
#include "host/scheduler/slots/heaviest_matching.hpp"
#include "host/scheduler/splitmix.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs {
namespace {

using test::Decision;
using test::decisions;
using test::problem;

/// The largest sum of weights over all matchings.
std::int64_t heaviest_by_search(const Square& weights, std::size_t in, std::vector<bool>& taken) {
  if (in == static_cast<std::size_t>(weights.ports())) return 0;
  std::int64_t best = heaviest_by_search(weights, in + 1, taken);
  for (std::size_t out = 0; out < taken.size(); ++out) {
    if (taken[out] || weights.at(in, out) == 0) continue;
    taken[out] = true;
    best = std::max(best, weights.at(in, out) + heaviest_by_search(weights, in + 1, taken));
    taken[out] = false;
  }
  return best;
}

std::int64_t heaviest_by_search(const Square& weights) {
  std::vector<bool> taken(static_cast<std::size_t>(weights.ports()), false);
  return heaviest_by_search(weights, 0, taken);
}

Square any_square(int most_ports) {
  Square square(*rc::gen::inRange(1, most_ports + 1));
  const auto ports = static_cast<std::size_t>(square.ports());
  for (std::size_t in = 0; in < ports; ++in)
    for (std::size_t out = 0; out < ports; ++out)
      if (*rc::gen::inRange(0, 3) > 0) square.at(in, out) = *rc::gen::inRange(0, 12);
  return square;
}

TEST(HeaviestMatching, WeighsAsMuchAsTheHeaviestOfAll) {
  EXPECT_TRUE(rc::check([] {
    const Square square = any_square(6);
    std::int64_t sum = 0;
    std::vector<bool> in(6, false), out(6, false);
    for (const Pair& pair : heaviest_matching(square)) {
      RC_ASSERT(!in[pair.in] && !out[pair.out]);
      in[pair.in] = out[pair.out] = true;
      RC_ASSERT(square.at(pair.in, pair.out) > 0);
      sum += square.at(pair.in, pair.out);
    }
    RC_ASSERT(sum == heaviest_by_search(square));
  }));
}

TEST(HeaviestMatching, TakesWeightsUpTo63Bits) {
  Square square(2);
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  square.at(0, 0) = square.at(1, 0) = square.at(1, 1) = huge;
  EXPECT_EQ(heaviest_matching(square), (Matching{{0, 0}, {1, 1}}));
}

TEST(Eclipse, PlaysTheSlotThatCarriesMostForItsTime) {
  EXPECT_TRUE(rc::check([] {
    Square left = any_square(4);
    std::vector<test::Row> flows;
    for (const auto& entry : left.entries()) {
      if (entry.in == entry.out) left.at(entry.in, entry.out) = 0;
      flows.push_back({entry.in, entry.out, entry.length});
    }
    const std::int64_t delta = *rc::gen::element(0, 1, 5);
    for (const Slot& slot : eclipse(read_demand(problem(left.ports(), delta, flows), "the test"))) {
      std::int64_t carried = 0;
      for (const Pair& pair : slot.pairs) carried += std::min(slot.length, left.at(pair.in, pair.out));
      for (std::int64_t length = 1; length < 12; ++length) {
        Square capped = left;
        for (const auto& entry : left.entries()) capped.at(entry.in, entry.out) = std::min(length, entry.length);
        RC_ASSERT(heaviest_by_search(capped) * (slot.length + delta) <= carried * (length + delta));
      }
      for (const Pair& pair : slot.pairs)
        left.at(pair.in, pair.out) -= std::min(slot.length, left.at(pair.in, pair.out));
    }
    RC_ASSERT(left.entries().empty());
  }));
}

TEST(Eclipse, PrefersAFewLongCircuitsToManyShortOnesWhenSetUpIsDear) {
  // Ratios: 20 / (10 + 10) for the long two, 3 / (1 + 10) for a length of 1.
  const auto slots = eclipse(read_demand(problem(6, 10, {{0, 3, 10}, {1, 4, 10}, {2, 5, 1}}), "the test"));
  EXPECT_EQ(slots, (std::vector<Slot>{{10, {{0, 3}, {1, 4}, {2, 5}}}}));
}

TEST(Edmonds, JoinsWhatHasMostLeftUntilTheFirstHasNothing) {
  // Without set-up: {0-2, 1-3} weighs 11, the others 7; after 5 ticks 0-2 has 1 left.
  const Problem p = problem(4, 0, {{0, 2, 6}, {1, 3, 5}, {0, 3, 4}, {1, 2, 3}});
  const Plan plan = make(schedulers(), "edmonds", "scheduler")->plan(p);
  check_plan(p, plan);
  EXPECT_EQ(
      decisions(plan),
      (std::vector<Decision>{
          {0, 2, 0, 0, 5}, {1, 3, 0, 0, 5}, {0, 3, 5, 5, 8}, {1, 2, 5, 5, 8}, {0, 2, 8, 8, 9}, {0, 3, 9, 9, 10}}));
}

TEST(Edmonds, KeepsASlotForNineSetUpsIfThereIsThatMuch) {
  const Problem p = problem(4, 1, {{0, 2, 30}, {1, 3, 2}, {1, 2, 1}});
  EXPECT_EQ(decisions(make(schedulers(), "edmonds", "scheduler")->plan(p)),
            (std::vector<Decision>{{0, 2, 0, 1, 31}, {1, 3, 0, 1, 3}, {1, 2, 31, 32, 33}}));
}

TEST(AdaptiveMaxweight, LeavesCircuitsThatAreNearlyAsHeavyAsTheHeaviest) {
  const auto first = [](const Problem& p) {
    const Plan plan = make(schedulers(), "adaptive_maxweight", "scheduler")->plan(p);
    check_plan(p, plan);
    return decisions(plan).front();
  };
  Problem p = problem(4, 1, {{0, 2, 16}, {1, 3, 16}, {0, 3, 17}, {1, 2, 17}});
  p.up = {test::circuit(0, 2), test::circuit(1, 3)};
  EXPECT_EQ(first(p), (Decision{0, 2, 0, 0, 2}));  // 34 - 32 <= 34 / 8; after two ticks it's 34 - 28
  p = problem(4, 1, {{0, 2, 16}, {1, 3, 16}, {0, 3, 20}, {1, 2, 20}});
  p.up = {test::circuit(0, 2), test::circuit(1, 3)};
  EXPECT_EQ(first(p), (Decision{0, 3, 0, 1, 8}));  // 40 - 32 > 40 / 8; after seven ticks it's 32 - 26
  p.delta = Ticks{5};
  EXPECT_EQ(first(p)[1], 2);  // setting up takes what two circuits need for 10
}

/// Ends of all orders of the pairs, each started as early as its ports allow.
std::int64_t shortest_by_search(const Problem& p) {
  const Demand demand = read_demand(p, "the test");
  std::vector<std::uint32_t> order(demand.pairs.size());
  std::iota(order.begin(), order.end(), 0u);
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  do {
    const auto ports = static_cast<std::size_t>(p.ports);
    std::vector<std::int64_t> in(ports, p.now.n), out(ports, p.now.n);
    std::vector<bool> in_used(ports, false), out_used(ports, false);
    std::int64_t end = p.now.n;
    for (const std::uint32_t n : order) {
      const PairDemand& pair = demand.pairs[n];
      const bool up = demand.up[pair.in] == pair.out && !in_used[pair.in] && !out_used[pair.out];
      in_used[pair.in] = out_used[pair.out] = true;
      in[pair.in] = out[pair.out] = std::max(in[pair.in], out[pair.out]) + pair.length + (up ? 0 : demand.set_up(pair));
      end = std::max(end, in[pair.in]);
    }
    best = std::min(best, end);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Exact, EndsWithTheBestOfAllOrders) {
  EXPECT_TRUE(rc::check([] {
    const int ports = *rc::gen::element(2, 3, 4);
    std::vector<test::Row> flows;
    for (int n = *rc::gen::element(0, 3, 6, 7); n > 0; --n)
      flows.push_back({*rc::gen::element(0, 1, 2, 3) % ports, *rc::gen::element(0, 1, 2, 3) % ports,
                       *rc::gen::element(1, 2, 3, 5, 7, 8, 13)});
    Problem p = problem(ports, *rc::gen::element(0, 1, 10), flows);
    p.now = Ticks{*rc::gen::inRange(0, 5)};
    for (int in = 0; in < ports; ++in)
      if (*rc::gen::arbitrary<bool>()) p.up.push_back(test::circuit(in, (in + 1) % ports));
    const Plan plan = Exact().plan(p);
    check_plan(p, plan);
    RC_ASSERT(plan_end(plan, p.now).n == shortest_by_search(p));
    RC_CLASSIFY(plan_end(plan, p.now) < plan_end(Psscheduler().plan(p), p.now), "shorter than PSscheduler's");
  }));
}

TEST(Best, EndsNoLaterThanPsschedulerAndOftenWithTheExactPlan) {
  EXPECT_TRUE(rc::check([] {
    std::vector<test::Row> flows;
    for (int in = 0; in < 3; ++in)
      for (int out = 3; out < 6; ++out)
        if (*rc::gen::inRange(0, 4) > 0) flows.push_back({in, out, *rc::gen::inRange(1, 40)});
    Problem p = problem(6, *rc::gen::element(0, 1, 10), flows);
    p.seed = *rc::gen::arbitrary<std::uint64_t>();
    const Plan best = Best(3000).plan(p), exact = Exact().plan(p);
    check_plan(p, best);
    RC_ASSERT(plan_end(best, p.now) <= plan_end(Psscheduler().plan(p), p.now));
    RC_ASSERT(plan_end(best, p.now) >= plan_end(exact, p.now));
    RC_CLASSIFY(plan_end(best, p.now) == plan_end(exact, p.now), "the exact plan's end");
  }));
}

TEST(Best, FindsPlansThatNoneOfTheFiveRulesFinds) {
  std::uint64_t seed = 1;
  int gains = 0;
  for (int n = 0; n < 50; ++n) {
    std::vector<test::Row> flows;
    for (int in = 0; in < 4; ++in)
      for (int out = 4; out < 8; ++out) flows.push_back({in, out, 1 + static_cast<int>(splitmix64(seed) % 60)});
    const Problem p = problem(8, 10, flows);
    if (plan_end(Best().plan(p), p.now) < plan_end(Psscheduler().plan(p), p.now)) ++gains;
  }
  EXPECT_GE(gains, 20);
}

TEST(Exact, RefusesLargeProblems) {
  const Problem p = problem(10, 10, test::all_to_all({0, 10}, {0, 10}, 20));
  EXPECT_THROW(Exact().plan(p), Error);
}

}  // namespace
}  // namespace ocs
