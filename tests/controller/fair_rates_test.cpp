// Max-min fair shares against water that is poured a unit at a time.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/packets/fair_rates.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace ocs::test {
namespace {

struct Case {
  std::vector<std::int64_t> capacities;  // send sides, then as many receive sides
  std::vector<SidePair> pairs;
};

Case arbitrary_case(std::int64_t most_units) {
  Case c;
  const auto ports = *rc::gen::inRange<std::uint32_t>(1, 7);
  for (std::uint32_t side = 0; side < 2 * ports; ++side)
    c.capacities.push_back(*rc::gen::inRange<std::int64_t>(0, most_units + 1));
  for (int n = *rc::gen::inRange(0, 25); n > 0; --n)
    c.pairs.push_back({*rc::gen::inRange<std::uint32_t>(0, ports), ports + *rc::gen::inRange<std::uint32_t>(0, ports)});
  return c;
}

std::vector<std::int64_t> rates_of(const Case& c) {
  std::vector<std::int64_t> rates(c.pairs.size(), -1);
  FairRates(c.capacities).fill(c.pairs, rates);
  return rates;
}

std::int64_t used(const Case& c, const std::vector<std::int64_t>& rates, std::uint32_t side) {
  std::int64_t sum = 0;
  for (std::size_t t = 0; t < rates.size(); ++t)
    if (c.pairs[t].from == side || c.pairs[t].to == side) sum += rates[t];
  return sum;
}

/// Everybody who can rises by one unit; a transfer can't if one of its sides hasn't enough for all that rise there.
std::vector<std::int64_t> poured(const Case& c) {
  std::vector<std::int64_t> rates(c.pairs.size(), 0);
  std::vector<bool> rises(c.pairs.size(), true);
  for (;;) {
    std::vector<std::int64_t> more(c.capacities.size(), 0);
    for (std::size_t t = 0; t < rates.size(); ++t)
      if (rises[t]) ++more[c.pairs[t].from], ++more[c.pairs[t].to];
    std::vector<bool> full(c.capacities.size());
    for (std::uint32_t side = 0; side < full.size(); ++side)
      full[side] = used(c, rates, side) + more[side] > c.capacities[side];
    bool any = false;
    for (std::size_t t = 0; t < rates.size(); ++t)
      if (full[c.pairs[t].from] || full[c.pairs[t].to]) rises[t] = false;
    for (std::size_t t = 0; t < rates.size(); ++t)
      if (rises[t]) ++rates[t], any = true;
    if (!any) return rates;
  }
}

TEST(FairRates, AreThoseOfWaterThatRisesUnitByUnit) {
  const bool ok = rc::check([] {
    const Case c = arbitrary_case(*rc::gen::element(3, 30, 300));
    RC_ASSERT(rates_of(c) == poured(c));
  });
  EXPECT_TRUE(ok);
}

/// Max-min fairness itself: nobody can have more unless somebody who has no more than it has less, but for what is left
/// of a side because it can't be shared in whole units.
TEST(FairRates, GiveEachTransferASideThatIsFullAndWhereNobodyHasMore) {
  const bool ok = rc::check([] {
    const Case c = arbitrary_case(std::int64_t{1} << 40);
    const std::vector<std::int64_t> rates = rates_of(c);
    for (std::uint32_t side = 0; side < c.capacities.size(); ++side)
      RC_ASSERT(used(c, rates, side) <= c.capacities[side]);
    for (std::size_t t = 0; t < rates.size(); ++t) {
      bool held_back = false;
      for (const std::uint32_t side : {c.pairs[t].from, c.pairs[t].to}) {
        bool most = true;
        std::int64_t count = 0;
        for (std::size_t u = 0; u < rates.size(); ++u)
          if (c.pairs[u].from == side || c.pairs[u].to == side) {
            ++count;
            most = most && rates[u] <= rates[t];
          }
        held_back = held_back || (most && c.capacities[side] - used(c, rates, side) < count);
      }
      RC_ASSERT(held_back);
    }
  });
  EXPECT_TRUE(ok);
}

TEST(FairRates, AreNotChangedByTheOrderOfTransfers) {
  const bool ok = rc::check([] {
    Case c = arbitrary_case(1000);
    std::vector<std::int64_t> rates = rates_of(c);
    std::reverse(c.pairs.begin(), c.pairs.end());
    std::reverse(rates.begin(), rates.end());
    RC_ASSERT(rates_of(c) == rates);
  });
  EXPECT_TRUE(ok);
}

TEST(FairRates, GiveToOthersWhatOneCantUse) {
  // 0 sends to 2; 1 sends to 2, 3 and 4 and has 30 for them.
  const Case c{{60, 30, 0, 0, 0, 0, 0, 60, 60, 60}, {{0, 7}, {1, 7}, {1, 8}, {1, 9}}};
  EXPECT_EQ(rates_of(c), (std::vector<std::int64_t>{50, 10, 10, 10}));
}

}  // namespace
}  // namespace ocs::test
