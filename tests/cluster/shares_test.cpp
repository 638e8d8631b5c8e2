// Shares: all of them together have each item once, and none is much larger than another.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/cluster/shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ocs::test {
namespace {

TEST(Shares, TakeEveryNthItemWhereNothingIsKnown) {
  EXPECT_EQ(shares_of(Costs(5), 2), (std::vector<std::size_t>{0, 1, 0, 1, 0}));
}

TEST(Shares, GiveTheLongestItemsFirstToTheShareWithTheLeast) {
  // 9 alone, 5 + 3, 4 + 3 + 2
  EXPECT_EQ(shares_of({3, 9, 5, 4, 3, 2}, 3), (std::vector<std::size_t>{2, 0, 1, 2, 1, 2}));
}

TEST(Shares, TakeAnUnknownCostAsTheMean) {
  EXPECT_EQ(shares_of({std::nullopt, 1, 3}, 2), (std::vector<std::size_t>{1, 1, 0}));
}

TEST(Shares, AreWithinAThirdOfTheBest) {
  Costs costs;
  double sum = 0;
  for (int k = 1; k <= 500; ++k) {
    costs.emplace_back(1.0 + (k * 7919) % 101);
    sum += *costs.back();
  }
  constexpr std::size_t count = 8;
  std::vector<double> loads(count);
  const std::vector<std::size_t> shares = shares_of(costs, count);
  for (std::size_t k = 0; k < costs.size(); ++k) loads.at(shares[k]) += *costs[k];
  EXPECT_LT(*std::ranges::max_element(loads), sum / count * 1.01);
}

TEST(NumberOfShares, FollowsTheTimeOrElseTheCount) {
  EXPECT_EQ(number_of_shares({10, 20, 30}, 20, 100, 1000), 3u);
  EXPECT_EQ(number_of_shares({10, 20, 30}, 1e6, 100, 1000), 1u);
  EXPECT_EQ(number_of_shares(Costs(250), 20, 100, 1000), 3u);
  EXPECT_EQ(number_of_shares(Costs(250), 20, 1, 7), 7u);
  EXPECT_EQ(number_of_shares({}, 20, 1, 7), 1u);
}

}  // namespace
}  // namespace ocs::test
