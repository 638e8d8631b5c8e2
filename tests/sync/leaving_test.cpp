// A worker leaves under each scheme.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sync/notify.hpp"

namespace ocs {
namespace {

using testing::ElementsAre;

TEST(Leaving, BreaksBspAndNamesTheWorker) {
  const auto bsp = make_bsp(3, {});
  start(*bsp, 3);
  try {
    notify(*bsp, Kind::left, 1, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    EXPECT_STREQ(error.what(), "worker 1 left, and BSP needs every worker");
  }
}

TEST(Leaving, TakesTheWorkerOutOfTheMinimum) {
  SyncSettings settings;
  settings.s = settings.s_lo = settings.s_up = 0;
  for (const char* name : {"ssp", "dssp"})
    for (const Kind end : {Kind::left, Kind::finished}) {
      const auto scheme = find(sync_schemes(), name, "synchronisation scheme").make(2, settings);
      start(*scheme, 2);
      notify(*scheme, Kind::pushed, 0, 0);
      EXPECT_TRUE(notify(*scheme, Kind::asked, 0, 1).grants.empty());
      EXPECT_THAT(granted(notify(*scheme, end, 1, 0)), ElementsAre(0)) << name;
    }
}

TEST(Leaving, StopsNobodyUnderAsp) {
  const auto asp = make_asp(2, {});
  start(*asp, 2);
  notify(*asp, Kind::left, 1, 0);
  notify(*asp, Kind::pushed, 0, 0);
  EXPECT_THAT(granted(notify(*asp, Kind::asked, 0, 1)), ElementsAre(0));
  EXPECT_EQ(complaint(*asp, Kind::pushed, 1, 0), ErrorKind::internal) << "who has left does nothing any more";
}

TEST(Leaving, TakesTheWorkerOutOfTheCycle) {
  for (const bool strict : {false, true})
    for (const Kind end : {Kind::left, Kind::finished}) {
      SyncSettings settings;
      settings.strict = strict;
      const auto r2sp = make_r2sp(3, settings);
      start(*r2sp, 3);
      notify(*r2sp, Kind::pushed, 2, 0);
      EXPECT_TRUE(notify(*r2sp, Kind::asked, 2, 1).grants.empty()) << "0 is next";
      notify(*r2sp, Kind::pushed, 1, 0);
      EXPECT_TRUE(notify(*r2sp, Kind::asked, 1, 1).grants.empty()) << "0 is next";
      const GateActions left = notify(*r2sp, end, 0, 0);
      EXPECT_THAT(granted(left), ElementsAre(1, 2));
      EXPECT_EQ(left.pushes.size(), strict ? 2u : 0u) << "held for the one that left";
    }
}

TEST(Leaving, ClosesTheRoundOfPOfNOrBreaksItWhenTooFewRemain) {
  SyncSettings settings;
  settings.p = 2;
  settings.k = 0;
  const auto scheme = make_p_of_n(3, settings);
  start(*scheme, 3);
  notify(*scheme, Kind::pushed, 0, 0);
  notify(*scheme, Kind::pushed, 1, 0);
  EXPECT_EQ(notify(*scheme, Kind::left, 2, 0).pushes.size(), 2u) << "2 had to be in this round";
  try {
    notify(*scheme, Kind::left, 1, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    EXPECT_STREQ(error.what(), "worker 1 left, and p-of-n needs 2 members a round, but 1 remain");
  }
}

TEST(Leaving, EndsTheSuperStepOfElastic) {
  const auto elastic = make_elastic(3, {});
  start(*elastic, 3);
  for (std::uint16_t w = 0; w < 2; ++w) {
    notify(*elastic, Kind::pushed, w, 0);
    EXPECT_TRUE(notify(*elastic, Kind::asked, w, 1).grants.empty());
  }
  EXPECT_THAT(granted(notify(*elastic, Kind::left, 2, 0)), ElementsAre(0, 1));
}

TEST(Leaving, LetsTheOthersSynchroniseUnderPredictive) {
  const auto predictive = make_predictive(2, {});
  start(*predictive, 2);
  notify(*predictive, Kind::computed, 0, 0);
  notify(*predictive, Kind::pushed, 0, 0, 1);
  EXPECT_TRUE(notify(*predictive, Kind::asked, 0, 1).grants.empty());
  const GateActions left = notify(*predictive, Kind::left, 1, 0);
  ASSERT_EQ(left.pushes.size(), 1u);
  EXPECT_EQ(left.pushes[0].members, 1u);
  EXPECT_THAT(granted(left), ElementsAre(0));
}

TEST(Leaving, OfTheLastWorkerEndsAllQuietly) {
  for (const SyncEntry& entry : sync_schemes()) {
    const auto scheme = entry.make(1, SyncSettings{});
    start(*scheme, 1);
    EXPECT_TRUE(notify(*scheme, Kind::finished, 0, 0).grants.empty()) << entry.name;
  }
}

}  // namespace
}  // namespace ocs
