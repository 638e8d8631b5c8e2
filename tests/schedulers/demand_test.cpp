// What the schedulers accept, what they refuse, and in which words.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/demand.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs {
namespace {

using test::circuit;
using test::problem;

/// The sentence with which every scheduler refuses a problem; "" if one accepts it. On an all-stop switch, with busy
/// circuits and with priorities those count that have no plan for such.
std::string refusal(const Problem& p) {
  std::string sentence;
  const bool busy =
      std::any_of(p.up.begin(), p.up.end(), [&](const EstablishedCircuit& c) { return c.free_at > p.now; });
  const bool ranked = p.flows.size() > 1 && p.flows[0].priority != p.flows[1].priority;
  const auto several = [](const auto& one) { return one.outs.count() > 1; };
  const bool multicast =
      std::any_of(p.flows.begin(), p.flows.end(), several) || std::any_of(p.up.begin(), p.up.end(), several);
  for (const auto& entry : schedulers()) {
    if (multicast && entry.name == "multicast_list") continue;
    if (p.all_stop && test::among(test::all_stop_schedulers, entry.name)) continue;
    if (busy && test::among(test::running_schedulers, entry.name)) continue;
    if (ranked && test::among(test::priority_schedulers, entry.name)) continue;
    try {
      entry.make()->plan(p);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      sentence = error.what();
    }
  }
  return sentence;
}

void expect_refused(const std::function<void(Problem&)>& spoil, const std::string& words) {
  Problem p = problem(4, 10, {{0, 1, 5}, {2, 3, 7}});
  spoil(p);
  EXPECT_NE(refusal(p).find(words), std::string::npos) << "expected \"" << words << "\" in: " << refusal(p);
}

TEST(Demand, RefusesWhatNoSchedulerHereCanDo) {
  expect_refused([](Problem& p) { p.planes = 2; }, "several planes");
  expect_refused([](Problem& p) { p.all_stop = true; }, "all-stop");
  expect_refused([](Problem& p) { p.dead_in = {Input{3}}; }, "dead ports");
  expect_refused([](Problem& p) { p.dead_out = {Output{3}}; }, "dead ports");
  expect_refused([](Problem& p) { p.flows[0].outs.set(2); }, "multicast");
  expect_refused([](Problem& p) { p.flows[1].release = Ticks{1}; }, "released later");
  expect_refused([](Problem& p) { p.flows[1].priority = 1; }, "priorities");
  expect_refused([](Problem& p) { p.up = {{Plane{0}, Input{0}, test::only(1), Ticks{1}}}; }, "still busy");
  expect_refused([](Problem& p) { p.reuse = Ticks{-1}; }, "costs -1");
  expect_refused([](Problem& p) { p.up = {{Plane{1}, Input{0}, test::only(1), Ticks{0}}}; }, "another plane");
  expect_refused([](Problem& p) { p.up = {{Plane{0}, Input{0}, Outputs(3), Ticks{0}}}; }, "multicast circuits");
}

TEST(Demand, RefusesValuesOutOfRange) {
  expect_refused([](Problem& p) { p.ports = 0; }, "0 ports");
  expect_refused([](Problem& p) { p.pair_delta.assign(15, Ticks{1}); },
                 "15 set-up times of pairs; it must have none or 16");
  expect_refused([](Problem& p) { p.pair_delta.assign(16, Ticks{-2}); }, "the set-up time of a pair is -2");
  expect_refused([](Problem& p) { p.ports = 257; }, "257 ports");
  expect_refused([](Problem& p) { p.ports = 3; }, "flow 1 joins input 2 to output 3, but the problem has 3 ports");
  expect_refused([](Problem& p) { p.now = Ticks{-1}; }, "starts at -1");
  expect_refused([](Problem& p) { p.delta = Ticks{-1}; }, "set-up time is -1");
  expect_refused([](Problem& p) { p.flows[1].length = Ticks{-7}; }, "flow 1 has a negative length of -7");
  expect_refused([](Problem& p) { p.flows[1].outs.reset(); }, "flow 1 has no output");
  expect_refused([](Problem& p) { p.flows[1].id = Id{0}; }, "two flows have the number 0");
  expect_refused([](Problem& p) { p.up = {circuit(0, 1), circuit(2, 1)}; }, "2 -> 1 that is up shares a port");
  expect_refused([](Problem& p) { p.up = {circuit(0, 1), circuit(0, 2)}; }, "0 -> 2 that is up shares a port");
  expect_refused([](Problem& p) { p.up = {circuit(0, 4)}; }, "0 -> 4 that is up lies outside");
  expect_refused([](Problem& p) { p.up = {{Plane{0}, Input{0}, Outputs{}, Ticks{0}}}; }, "has no output");
}

TEST(Demand, RefusesSumsBeyond64Bits) {
  const auto half = Ticks{std::int64_t{1} << 62};
  expect_refused([&](Problem& p) { p.flows[0].length = p.flows[1].length = half; }, "2^63 ticks");
  expect_refused([&](Problem& p) { p.delta = half; }, "2^63 ticks");
  expect_refused(
      [&](Problem& p) {
        p.now = Ticks{never<Ticks>.n - 30};
        p.flows[0].release = p.flows[1].release = p.now;
      },
      "2^63 ticks");
}

TEST(Demand, MergesTheFlowsOfAPairAtThePlaceOfTheFirst) {
  const Demand demand =
      read_demand(problem(4, 10, {{0, 0, 99}, {0, 2, 15}, {1, 2, 10}, {0, 2, 5}, {3, 3, 7}, {1, 0, 0}}), "test");
  ASSERT_EQ(demand.pairs.size(), 2u);
  EXPECT_EQ(demand.pairs[0].length, 20);
  EXPECT_EQ(demand.pairs[1].length, 10);
  const auto parts = demand.parts_of(demand.pairs[0]);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].flow, Id{1});
  EXPECT_EQ(parts[1].flow, Id{3});
}

TEST(PortBound, DoesNotChargeTheSetUpOfACircuitThatIsUp) {
  Problem p = problem(4, 10, {{0, 2, 20}, {0, 3, 20}, {1, 2, 20}, {1, 3, 20}});
  EXPECT_EQ(port_bound(p), Ticks{60});
  p.up = {circuit(1, 2), circuit(0, 3)};
  EXPECT_EQ(port_bound(p), Ticks{50});
  p.up = {circuit(1, 3)};
  EXPECT_EQ(port_bound(p), Ticks{60}) << "the ports of 0 -> 2 pay twice all the same";
  p.flows.clear();
  EXPECT_EQ(port_bound(p), Ticks{0});
}

TEST(Catalogue, NamesEverySchedulerOfItsPolicies) {
  for (const Policy& policy : policies()) {
    EXPECT_NO_THROW(make(schedulers(), policy.scheduler, "scheduler")) << policy.name;
    EXPECT_NO_THROW(make(placers(), policy.placer, "placer")) << policy.name;
  }
  EXPECT_THROW(find(policies(), "nonesuch", "policy"), Error);
}

}  // namespace
}  // namespace ocs
