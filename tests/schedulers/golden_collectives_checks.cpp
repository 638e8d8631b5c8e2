// Lists, legs, policies and planes against their golden cases.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/phases.hpp"
#include "tests/collectives/steps_of_list.hpp"
#include "tests/schedulers/golden_checks.hpp"

namespace ocs::golden {
namespace {

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
  const LegSequence sequence = sequence_of(golden);
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
  const PlaneSteps steps{test::steps_of_list(list, words_of(golden.input, list)), golden.planes, golden.times};
  const auto expect = [](const PlaneCost& cost, const PlaneCost& expected, const char* rule) {
    EXPECT_EQ(cost.cycles, expected.cycles) << rule;
    EXPECT_EQ(cost.changes, expected.changes) << rule;
  };
  expect(together(steps).cost, golden.together, "together");
  expect(alternate(steps).cost, golden.alternate, "alternate");
  expect(overlap(steps).cost, golden.overlap, "overlap");
}

}  // namespace ocs::golden
