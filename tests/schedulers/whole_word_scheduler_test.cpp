// No plan cuts a word of a slow node, whoever made it; RapidCheck draws the problems and prints the seed of a failure.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/whole_word_scheduler.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <memory>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs {
namespace {

using test::Decision;
using test::decisions;
using test::problem;

/// Every node has a word time of its own; flows take the slower one's.
Problem slow_problem(bool uneven_pairs) {
  const int ports = *rc::gen::inRange(2, 9);
  const auto words = *rc::gen::container<std::vector<std::int64_t>>(static_cast<std::size_t>(ports),
                                                                    rc::gen::element<std::int64_t>(1, 2, 4, 5));
  std::vector<test::Row> flows;
  std::vector<Ticks> word;
  for (int in = 0; in < ports; ++in)
    for (int out = 0; out < ports; ++out) {
      const auto count = *rc::gen::inRange<std::int64_t>(0, 30);
      if (in == out || count == 0 || *rc::gen::arbitrary<bool>()) continue;
      word.push_back({std::max(words[static_cast<std::size_t>(in)], words[static_cast<std::size_t>(out)])});
      flows.push_back({in, out, count * word.back().n});
    }
  Problem p = problem(ports, *rc::gen::element<std::int64_t>(0, 1, 7, 50), flows);
  for (std::size_t n = 0; n < word.size(); ++n) p.flows[n].word = word[n];
  p.now = Ticks{*rc::gen::inRange<std::int64_t>(0, 100)};
  if (*rc::gen::arbitrary<bool>()) p.up.push_back(test::circuit(0, ports - 1));
  if (uneven_pairs)
    p.pair_delta = *rc::gen::container<std::vector<Ticks>>(
        static_cast<std::size_t>(ports * ports),
        rc::gen::map(rc::gen::inRange<std::int64_t>(0, 40), [](std::int64_t n) { return Ticks{n}; }));
  return p;
}

TEST(WholeWordScheduler, AreWhatEveryPlanCarries) {
  for (const bool uneven_pairs : {false, true})
    EXPECT_TRUE(rc::check([&] {
      const Problem p = slow_problem(uneven_pairs);
      for (const auto& entry : schedulers()) {
        if (!test::fits(entry.name, p)) continue;
        RC_LOG() << entry.name << "\n";
        const Plan plan = WholeWordScheduler(entry.make()).plan(p);
        check_plan(p, plan);
        RC_ASSERT(plan.bound == entry.make()->plan(p).bound);
      }
    }));
}

TEST(WholeWordScheduler, AreWhatAnAllStopPlanCarries) {
  EXPECT_TRUE(rc::check([&] {
    Problem p = slow_problem(false);
    p.all_stop = true;
    for (const std::string_view name : test::all_stop_schedulers) {
      RC_LOG() << name << "\n";
      check_plan(p, WholeWordScheduler(make(schedulers(), name, "scheduler")).plan(p));
    }
  }));
}

/// Cuts the first flow after three ticks, whatever a word takes.
class AfterThree final : public Scheduler {
 public:
  Plan plan(const Problem& p) const override {
    const Flow& f = p.flows.at(0);
    const Ticks up = p.now + p.delta, cut = up + Ticks{3}, again = cut + Ticks{10};
    return {.list = {{f.id, Plane{0}, f.in, f.outs, p.now, up, cut, Ticks{0}},
                     {f.id, Plane{0}, f.in, f.outs, again, again, again + f.length - Ticks{3}, Ticks{3}}},
            .bound = Ticks{1}};
  }
};

TEST(WholeWordScheduler, ArePlannedInUnitsWhereAPlanCutsOne) {
  Problem p = problem(3, 5, {{0, 1, 26}});
  p.now = Ticks{100};
  p.flows[0].word = Ticks{2};
  const WholeWordScheduler scheduler(std::make_unique<AfterThree>());
  // In units of 2: set-up of 3 units, up at 106, three units until 112, ten units later the other ten.
  EXPECT_EQ(decisions(scheduler.plan(p)), (std::vector<Decision>{{0, 1, 101, 106, 112}, {0, 1, 132, 132, 152}}));
  p.flows[0].word = Ticks{1};
  EXPECT_EQ(decisions(scheduler.plan(p)), decisions(AfterThree().plan(p)));
}

TEST(WholeWordScheduler, OfTooManyKindsAreRefused) {
  Problem p = problem(8, 5, {{0, 1, 30}});
  p.flows[0].word = Ticks{2};
  for (const std::int64_t word : {39989, 39983, 39979, 39971})  // primes
    p.flows.push_back({Id{static_cast<std::uint32_t>(word)}, Id{0}, Input{2}, test::only(3), Ticks{word * 10}, Ticks{0},
                       0, Ticks{word}});
  EXPECT_THROW(WholeWordScheduler(std::make_unique<AfterThree>()).plan(p), Error) << "the second part is cut";
}

}  // namespace
}  // namespace ocs
