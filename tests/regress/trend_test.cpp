// Change points: a step is found where it is; noise, one outlier and a short series are none.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/trend.hpp"

#include <gtest/gtest.h>

#include "host/conformance/random_program.hpp"

namespace ocs::regress {
namespace {

/// Numbers around a level, from -5 to +4.
std::vector<double> around(double level, std::size_t count, std::uint64_t seed) {
  const conformance::DrawBelow draw = conformance::draws_of(seed);
  std::vector<double> out;
  while (out.size() < count) out.push_back(level + static_cast<double>(draw(10)) - 5);
  return out;
}

std::vector<double> joined(std::vector<double> first, const std::vector<double>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(Trend, FindsAStepAndItsLevels) {
  const auto changes = change_points(joined(around(100, 15, 1), around(120, 12, 2)));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].first, 15u);
  EXPECT_NEAR(changes[0].before, 100, 3);
  EXPECT_NEAR(changes[0].after, 120, 3);
  EXPECT_LE(changes[0].p, 0.01);
}

TEST(Trend, FindsTwoSteps) {
  const auto changes = change_points(joined(joined(around(100, 12, 1), around(150, 12, 2)), around(80, 12, 3)));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].first, 12u);
  EXPECT_EQ(changes[1].first, 24u);
}

TEST(Trend, TakesNeitherNoiseNorAnOutlierForAStep) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) found += change_points(around(100, 30, seed)).size();
  EXPECT_LE(found, 1u);
  std::vector<double> one = around(100, 30, 4);
  one[15] = 1e9;
  EXPECT_TRUE(change_points(one).empty());
  EXPECT_TRUE(change_points(std::vector<double>(30, 1)).empty());
  EXPECT_TRUE(change_points(std::vector<double>{1, 1, 1, 9, 9, 9}).empty());
}

}  // namespace
}  // namespace ocs::regress
