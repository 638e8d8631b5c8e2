// Strict priorities and work conservation on the switch, and where a peer's priority comes from.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/common/refusal.hpp"
#include "tests/peers/models.hpp"

namespace ocs::test {
namespace {

constexpr Cycles priorities_tuning{50}, priorities_locking{10};
constexpr std::int64_t words = 130, tau = words + priorities_tuning.n + priorities_locking.n + 1, cycle_ps = 5120;

Transfer transfer(std::uint32_t id, std::uint16_t from, const std::vector<std::uint16_t>& to, std::int32_t priority,
                  std::int64_t ready = 0) {
  Transfer one{.id = Id{id},
               .coflow = Id{id},
               .from = Node{from},
               .to = {},
               .size = Bytes{words * 64},
               .ready = Picos{ready * cycle_ps},
               .priority = priority};
  for (const std::uint16_t node : to) one.to.push_back(Node{node});
  return one;
}

using Starts = std::map<std::uint32_t, std::int64_t>;

/// In which cycle each begins, and that it ends as planned. Before the first plan transfer 3 becomes as urgent as
/// `first` says; in the middle of the first block as `later` says, and another transfer comes.
Starts begin_of_each(const std::string& name, const std::vector<Transfer>& transfers, std::int32_t first,
                     std::int32_t later) {
  const auto device = make_device(name, {.ports = 4, .word_bytes = 64, .cycle = Picos{cycle_ps}});
  const auto plane =
      make_switch(*device, {.delays = {.tuning = priorities_tuning, .locking = priorities_locking}, .multicast = true});
  const MulticastList scheduler;
  Starts starts;
  CircuitConfig config;
  config.times.tuning = priorities_tuning;
  config.times.locking = priorities_locking;
  config.online = true;
  config.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
  config.on_carried = [&](const Carried& one) { starts[index(one.planned.flow)] = one.start.n; };
  CircuitNetwork network(*plane, scheduler, config);
  for (const Transfer& one : transfers) network.offer(one);
  network.prioritise(Id{3}, first);
  std::vector<Delivery> deliveries;
  network.advance(Picos{tau / 2 * cycle_ps}, deliveries);
  network.prioritise(Id{3}, later);
  network.offer(transfer(9, 3, {1}, 7, tau / 2));
  while (network.next() != never<Picos>) network.advance(never<Picos>, deliveries);
  EXPECT_EQ(network.stats().late, 0);
  EXPECT_EQ(network.stats().cut, 0);
  return starts;
}

TEST(Priorities, AreStrictOnTheSwitchToTheCycle) {
  // All but 4 want output 3; 4 has the least priority, and the port that it needs is free at once.
  const std::vector<Transfer> all = {transfer(1, 0, {3}, 1), transfer(2, 2, {3, 1}, 0), transfer(3, 1, {3}, 2),
                                     transfer(4, 1, {0}, 5)};
  for (const char* const device : {"verilated", "model"}) {
    SCOPED_TRACE(device);
    EXPECT_EQ(begin_of_each(device, all, 2, 2), (Starts{{2, 0}, {4, 0}, {1, tau}, {9, tau}, {3, 2 * tau}}));
    EXPECT_EQ(begin_of_each(device, all, 2, 0), (Starts{{2, 0}, {4, 0}, {3, tau}, {9, tau}, {1, 2 * tau}}));
    // Output 3 is taken when 9 comes, so that 9 goes at once; then 2 has to wait for it, and 1 needn't.
    EXPECT_EQ(begin_of_each(device, all, -1, -1), (Starts{{3, 0}, {9, tau / 2}, {1, tau}, {4, tau}, {2, 2 * tau}}));
  }
}

TEST(Priorities, OfWhatIsNotUnderWayAreRefused) {
  const auto device = make_device("model", {.ports = 4, .word_bytes = 64, .cycle = Picos{cycle_ps}});
  const auto plane = make_switch(*device, {.delays = {.tuning = priorities_tuning, .locking = priorities_locking}});
  const MulticastList scheduler;
  CircuitConfig config;
  config.times.tuning = priorities_tuning;
  config.times.locking = priorities_locking;
  config.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
  CircuitNetwork network(*plane, scheduler, config);
  EXPECT_EQ(refusal([&] { network.prioritise(Id{7}, 0); }), "transfer 7 isn't under way and can't be given a priority");
}

/// Compute times that let several have blocks on their way, with different deadlines.
const std::vector<std::int64_t> priorities_uneven = {2, 9, 1, 14, 4, 40, 3};

TEST(Priorities, AreTheOrderOfDeadlinesOfTheLastPlan) {
  PeerSettings settings;
  settings.p = 2;
  settings.s = 3;
  settings.k = 6;
  std::vector<std::pair<std::uint16_t, Ticks>> deadlines;
  std::size_t plans = 0, decided = 0;
  ModelHooks hooks;
  hooks.selected = [&](const Selection& selection) { deadlines = selection.deadlines; };
  hooks.planned = [&](const Problem& problem, const Plan& plan) {
    Problem alike = problem;
    for (Flow& flow : alike.flows) {
      const auto own = std::find_if(deadlines.begin(), deadlines.end(),
                                    [&](const auto& one) { return one.first == index(flow.in); });
      ASSERT_NE(own, deadlines.end());
      EXPECT_EQ(flow.priority, std::count_if(deadlines.begin(), deadlines.end(),
                                             [&](const auto& one) { return one.second < own->second; }));
      flow.priority = 0;
    }
    ++plans;
    const auto firsts = [](const Plan& p) {
      std::map<Id, Ticks> all;
      for (const Reservation& r : p.list) all.emplace(r.flow, r.start);
      return all;
    };
    decided += firsts(MulticastList().plan(alike)) != firsts(plan) ? 1 : 0;
  };
  const ModelRun all = run_models("selmcast_ssp", settings, priorities_uneven, "inproc://node-", {}, hooks);
  expect_exact(all);
  EXPECT_GT(plans, model_rounds * model_peers / 2);
  EXPECT_GT(decided, 0U) << "no block went before another one because of its priority, so nothing is shown";
}

}  // namespace
}  // namespace ocs::test
