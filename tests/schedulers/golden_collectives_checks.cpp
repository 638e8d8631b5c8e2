// Lists, legs, policies and planes against their golden cases.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/phases.hpp"
#include "tests/schedulers/golden_checks.hpp"

namespace ocs::golden {
namespace {

Collective list_of(const NamedCollective& input) {
  return make_collective(collective_kind(input.collective), input.algorithm, input.ranks, input.chunks);
}

std::vector<Words> words_of(const NamedCollective& input, const Collective& list) {
  return input.demand ? sizes_of(list, *input.demand) : sizes_of(list, Words{input.words});
}

std::vector<Leg> legs_of_case(const PolicyCase& golden) {
  std::vector<TrafficPhase> phases;
  for (const NamedPhase& phase : golden.phases) {
    if (phase.groups.empty()) {
      phases.push_back({PairPhase{phase.pairs}, phase.gap});
      continue;
    }
    Collective list = list_of(phase.input);
    std::vector<Words> sizes = words_of(phase.input, list);
    phases.push_back({GroupPhase{std::move(list), std::move(sizes), phase.groups}, phase.gap});
  }
  if (!phases.empty()) return legs_of(phases, golden.nodes, golden.lag, golden.repeat);
  const Collective list = list_of(golden.input);
  return legs_of(list, words_of(golden.input, list), golden.lag);
}

std::vector<std::string> texts_of(const std::vector<MapMove>& moves) {
  std::vector<std::string> texts;
  for (const MapMove move : moves) texts.push_back(to_text(move));
  return texts;
}

}  // namespace

void check(const ListCase& golden) {
  const Collective list = list_of(golden.input);
  EXPECT_EQ(list.blocks, golden.blocks);
  ASSERT_EQ(list.steps.size(), golden.steps.size());
  for (std::size_t step = 0; step < list.steps.size(); ++step)
    EXPECT_TRUE(list.steps[step] == golden.steps[step]) << "step " << step;
}

void check(const LegCase& golden) {
  check_map(golden.before, static_cast<std::uint32_t>(golden.before.size()), "before");
  check_map(golden.during, static_cast<std::uint32_t>(golden.before.size()), "during");
  const auto served = LegOnMap::of(golden.leg, golden.during, golden.times);
  ASSERT_EQ(served.has_value(), golden.cost.has_value());
  if (!served) return;
  const LegCost cost = served->cost(golden.before);
  EXPECT_EQ(cost.cycles, golden.cost->cycles);
  EXPECT_EQ(cost.tunings, golden.cost->tunings);
}

void check(const PolicyCase& golden) {
  LegSequence sequence{golden.nodes, legs_of_case(golden), golden.times, golden.start, {}};
  sequence.candidates = candidate_maps(golden.choices, golden.nodes, sequence.legs);
  check(sequence);
  std::vector<std::vector<std::int64_t>> legs;
  for (const Leg& leg : sequence.legs) legs.push_back({leg.first, leg.last});
  EXPECT_EQ(legs, golden.legs);
  EXPECT_EQ(sequence.candidates.size(), golden.candidates);
  for (const auto& [name, expected] : golden.policies) {
    const auto plan = find(reconfiguration_policies(), name, "policy").plan(sequence);
    ASSERT_EQ(plan.has_value(), expected.has_value()) << name;
    if (!plan) continue;
    EXPECT_EQ(plan->cost.cycles, expected->cost.cycles) << name;
    EXPECT_EQ(plan->cost.tunings, expected->cost.tunings) << name;
    EXPECT_EQ(texts_of(plan->moves), expected->moves) << name;
  }
}

void check(const PlanesCase& golden) {
  const Collective list = list_of(golden.input);
  const PlaneSteps steps{sized_steps(list, words_of(golden.input, list)), golden.planes, golden.times};
  const auto expect = [](const PlaneCost& cost, const PlaneCost& expected, const char* rule) {
    EXPECT_EQ(cost.cycles, expected.cycles) << rule;
    EXPECT_EQ(cost.changes, expected.changes) << rule;
  };
  expect(together(steps), golden.together, "together");
  expect(alternate(steps), golden.alternate, "alternate");
  expect(overlap(steps), golden.overlap, "overlap");
}

}  // namespace ocs::golden
