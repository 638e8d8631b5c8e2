// Ends of intervals to come, worked out by hand.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/forecast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sync/notify.hpp"

namespace ocs {
namespace {

using testing::ElementsAre;

std::vector<std::int64_t> ends(std::uint32_t shift, bool trend, const std::vector<std::int64_t>& intervals) {
  Forecast forecast(shift, trend);
  for (const std::int64_t one : intervals) forecast.add(Ticks{one});
  std::vector<std::int64_t> all;
  for (const Ticks end : forecast.ends(Ticks{1000}, 3)) all.push_back(end.n);
  return all;
}

TEST(Forecast, OfEqualIntervalsIsTheSameWithATrend) {
  for (const bool trend : {false, true}) EXPECT_THAT(ends(2, trend, {50, 50, 50}), ElementsAre(1050, 1100, 1150));
}

TEST(Forecast, OfIntervalsThatGrowLinearlyIsExactWithATrend) {
  EXPECT_THAT(ends(0, true, {10, 20, 30}), ElementsAre(1040, 1090, 1150)) << "40, 50, 60";
  EXPECT_THAT(ends(0, false, {10, 20, 30}), ElementsAre(1030, 1060, 1090));
}

TEST(Forecast, LagsWithAnAverage) {
  // I: 100, then 100 + (180 - 100 >> 2) = 120; b: 20. Intervals 140, 160, 180.
  EXPECT_THAT(ends(2, true, {100, 180}), ElementsAre(1140, 1300, 1480));
  // I: 120 + (60 - 120 >> 2) = 105; b: 20 + (-15 - 20 >> 2) = 20 - 9 = 11. Intervals 116, 127, 138.
  EXPECT_THAT(ends(2, true, {100, 180, 60}), ElementsAre(1116, 1243, 1381));
}

TEST(Forecast, OfIntervalsThatShrinkNeverGoesBack) {
  EXPECT_THAT(ends(0, true, {30, 20}), ElementsAre(1010, 1011, 1012)) << "10, then none less than a tick";
}

TEST(Forecast, OfOneIntervalHasNoTrend) { EXPECT_THAT(ends(0, true, {70}), ElementsAre(1070, 1140, 1210)); }

/// Two workers; the second one's iterations take 10, then 20 ticks, the first one's always 10.
std::vector<std::uint32_t> quotas(bool trend) {
  SyncSettings settings;
  settings.ema_shift = 0;
  settings.trend = trend;
  settings.most_quota = 4;
  const auto elastic = make_elastic(2, settings);
  const auto at = [&](Kind kind, std::int64_t now, std::uint16_t worker, std::uint32_t iteration, std::uint64_t seen) {
    return elastic->on({kind, Ticks{now}, worker, iteration, seen, Ticks{0}, Ticks{0}});
  };
  start(*elastic, 2);
  at(Kind::pushed, 10, 0, 0, 0);
  at(Kind::pushed, 10, 1, 0, 0);
  at(Kind::asked, 10, 0, 1, 0);
  // 10 and 10 predicted: one push each, at 20; the second one comes at 30.
  EXPECT_EQ(at(Kind::asked, 10, 1, 1, 0).grants.size(), 2u);
  at(Kind::pushed, 20, 0, 1, 2);
  at(Kind::asked, 20, 0, 2, 0);
  at(Kind::pushed, 30, 1, 1, 2);
  const GateActions next = at(Kind::asked, 30, 1, 2, 0);
  std::vector<std::uint32_t> found;
  for (const Grant& grant : next.grants) found.push_back(grant.quota);
  return found;
}

TEST(Elastic, WithATrendWaitsForAWorkerThatGetsSlower) {
  EXPECT_THAT(quotas(false), ElementsAre(2, 1)) << "10, 20, ... and 20, 40, ... meet at 20";
  EXPECT_THAT(quotas(true), ElementsAre(3, 1)) << "10, 20, ... and 30, 70, ... meet at 30";
}

}  // namespace
}  // namespace ocs
