// What the schemes answer to single events, and what they refuse.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/core/error.hpp"
#include "tests/sync/notify.hpp"

namespace ocs {
namespace {

TEST(Bsp, LetsEverybodyStart) {
  const auto bsp = make_bsp(3, {});
  for (std::uint16_t w = 0; w < 3; ++w) EXPECT_EQ(granted(notify(*bsp, Kind::asked, w, 0)), std::vector{w});
}

TEST(Bsp, ReleasesAllWhenTheLastPushIsIn) {
  const auto bsp = make_bsp(3, {});
  start(*bsp, 3);
  for (std::uint32_t round = 0; round < 4; ++round) {
    for (const auto w : std::vector<std::uint16_t>{2, 0}) {
      EXPECT_TRUE(notify(*bsp, Kind::pushed, w, round, round * 3).pushes.empty());
      EXPECT_TRUE(notify(*bsp, Kind::asked, w, round + 1).grants.empty());
    }
    const auto last = notify(*bsp, Kind::pushed, 1, round, round * 3);
    ASSERT_EQ(last.pushes.size(), 3u);
    for (std::uint16_t w = 0; w < 3; ++w) {
      EXPECT_EQ(last.pushes[w].worker, w);
      EXPECT_EQ(last.pushes[w].iteration, round);
      EXPECT_EQ(last.pushes[w].members, 3u);
      EXPECT_EQ(last.pushes[w].what, Verdict::What::apply);
    }
    EXPECT_EQ(granted(last), (std::vector<std::uint16_t>{0, 2}));
    EXPECT_EQ(granted(notify(*bsp, Kind::asked, 1, round + 1)), std::vector<std::uint16_t>{1});
  }
}

TEST(EveryScheme, BreaksTheRunOnWhatCannotHappen) {
  for (const SyncEntry& entry : sync_schemes()) {
    SCOPED_TRACE(entry.name);
    const auto scheme = entry.make(2, SyncSettings{});
    EXPECT_EQ(complaint(*scheme, Kind::asked, 2, 0), ErrorKind::internal) << "no such worker";
    EXPECT_EQ(complaint(*scheme, Kind::pushed, 0, 0), ErrorKind::internal) << "not granted";
    EXPECT_EQ(complaint(*scheme, Kind::asked, 0, 1), ErrorKind::internal) << "iteration 0 is next";
    start(*scheme, 2);
    EXPECT_EQ(complaint(*scheme, Kind::asked, 0, 0), ErrorKind::internal) << "twice";
    EXPECT_EQ(complaint(*scheme, Kind::pushed, 0, 1), ErrorKind::internal) << "iteration 0 goes on";
    if (entry.name == "predictive") continue;  // pushes steps, not iterations
    EXPECT_EQ(complaint(*scheme, Kind::pushed, 0, 0, 1), ErrorKind::internal) << "from a model that isn't there";
    notify(*scheme, Kind::pushed, 0, 0);
    EXPECT_EQ(complaint(*scheme, Kind::pushed, 0, 0), ErrorKind::internal) << "twice";
  }
}

TEST(EveryScheme, RefusesTimeThatGoesBack) {
  for (const SyncEntry& entry : sync_schemes()) {
    const auto scheme = entry.make(2, SyncSettings{});
    scheme->on({Kind::asked, Ticks{10}, 0, 0, 0, Ticks{0}, Ticks{0}});
    EXPECT_THROW(scheme->on({Kind::asked, Ticks{9}, 1, 0, 0, Ticks{0}, Ticks{0}}), Error) << entry.name;
  }
}

TEST(EveryScheme, BreaksTheRunOnAStalenessThatItRulesOut) {
  // A server that applied what was never released: worker 0 claims a snapshot that is older than its grant.
  SyncSettings settings;
  settings.s = settings.s_lo = settings.s_up = 0;
  settings.most_quota = 1;
  for (const char* name : {"bsp", "ssp", "dssp", "elastic"}) {
    const auto scheme = find(sync_schemes(), name, "synchronisation scheme").make(2, settings);
    start(*scheme, 2);
    for (std::uint16_t w = 0; w < 2; ++w) notify(*scheme, Kind::pushed, w, 0);
    for (std::uint16_t w = 0; w < 2; ++w) notify(*scheme, Kind::asked, w, 1);
    ErrorKind kind = ErrorKind::input;
    try {
      notify(*scheme, Kind::pushed, 0, 1, 0);
      notify(*scheme, Kind::pushed, 1, 1, 0);
    } catch (const Error& error) {
      kind = error.kind();
      EXPECT_NE(std::string(error.what()).find("with staleness 2; at most "), std::string::npos) << error.what();
    }
    EXPECT_EQ(kind, ErrorKind::internal) << name;
  }
}

TEST(R2sp, HoldsAnEarlyPushWhenStrict) {
  SyncSettings settings;
  settings.strict = true;
  const auto r2sp = make_r2sp(2, settings);
  start(*r2sp, 2);
  const GateActions early = notify(*r2sp, Kind::pushed, 1, 0);
  ASSERT_EQ(early.pushes.size(), 1u);
  EXPECT_EQ(early.pushes[0].what, Verdict::What::hold);
  const GateActions both = notify(*r2sp, Kind::pushed, 0, 0);
  ASSERT_EQ(both.pushes.size(), 2u);
  EXPECT_EQ(both.pushes[0].worker, 0);
  EXPECT_EQ(both.pushes[1].worker, 1);
  EXPECT_EQ(both.pushes[1].members, 1u) << "one update each";
}

TEST(R2sp, AsksToBeWokenWhenItsGapEnds) {
  SyncSettings settings;
  settings.r_num = settings.r_den = 1;
  settings.ema_shift = 0;
  const auto r2sp = make_r2sp(2, settings);
  const auto at = [&](Kind kind, std::int64_t now, std::uint16_t w, std::uint32_t k, std::uint64_t seen) {
    return r2sp->on({kind, Ticks{now}, w, k, seen, Ticks{0}, Ticks{0}});
  };
  start(*r2sp, 2);
  at(Kind::pushed, 100, 0, 0, 0);
  at(Kind::pushed, 100, 1, 0, 0);
  EXPECT_EQ(granted(at(Kind::asked, 100, 0, 1, 0)), std::vector<std::uint16_t>{0});
  const GateActions waits = at(Kind::asked, 100, 1, 1, 0);
  EXPECT_TRUE(waits.grants.empty());
  EXPECT_EQ(waits.timer, Ticks{150});
  EXPECT_TRUE(at(Kind::timer, 149, 0, 0, 0).grants.empty());
  EXPECT_EQ(granted(at(Kind::timer, 150, 0, 0, 0)), std::vector<std::uint16_t>{1});
}

TEST(R2sp, CountsOnlyThoseThatHaveNotLeftInItsGap) {
  SyncSettings settings;
  settings.r_num = settings.r_den = 1;
  const auto r2sp = make_r2sp(3, settings);
  const auto at = [&](Kind kind, std::int64_t now, std::uint16_t w, std::uint32_t k) {
    return r2sp->on({kind, Ticks{now}, w, k, 0, Ticks{0}, Ticks{0}});
  };
  start(*r2sp, 3);
  at(Kind::left, 50, 2, 0);
  at(Kind::pushed, 100, 0, 0);
  at(Kind::pushed, 100, 1, 0);
  at(Kind::asked, 100, 0, 1);
  EXPECT_EQ(at(Kind::asked, 100, 1, 1).timer, Ticks{150}) << "100 / 2, though worker 2 never pushed";
}

TEST(Dssp, RunsOnByTheSmallerOfTwoPredictionsThatAreAsGood) {
  SyncSettings settings;
  settings.s_lo = 0;
  settings.s_up = 3;
  const auto dssp = make_dssp(2, settings);
  std::uint32_t next[2] = {0, 0};
  std::uint64_t version = 0, seen[2] = {0, 0};
  const auto push = [&](std::int64_t now, std::uint16_t w) {
    dssp->on({Kind::pushed, Ticks{now}, w, next[w]++, seen[w], Ticks{0}, Ticks{0}});
    seen[0] = seen[1] = ++version;
    return granted(dssp->on({Kind::asked, Ticks{now}, w, next[w], 0, Ticks{0}, Ticks{0}}));
  };
  start(*dssp, 2);
  EXPECT_TRUE(push(10, 0).empty());
  push(12, 1);
  EXPECT_TRUE(push(32, 1).empty());
  push(42, 0);
  // Ends of 0 after r more: 46, 50, 54, 58; of 1: 52, 72 ...: r = 1 and 2 miss by 2 both. Then 50, 54: again both by 2.
  EXPECT_EQ(push(46, 0), std::vector<std::uint16_t>{0});
  EXPECT_TRUE(push(50, 0).empty()) << "it was to go on once";
}

TEST(R2sp, GivesWhoWaitsALargerBatch) {
  SyncSettings settings;
  settings.batch = 100;
  settings.batch_every = 2;
  settings.r_num = 0;
  const auto r2sp = make_r2sp(2, settings);
  start(*r2sp, 2);
  std::vector<std::uint32_t> batches;
  for (std::uint32_t k = 0; k < 4; ++k) {  // worker 1 computes 10 and waits 10, worker 0 computes 20
    const std::int64_t begin = 20 * k;
    r2sp->on({Kind::pushed, Ticks{begin + 10}, 1, k, 2 * k, Ticks{10}, Ticks{0}});
    r2sp->on({Kind::asked, Ticks{begin + 10}, 1, k + 1, 0, Ticks{0}, Ticks{0}});
    r2sp->on({Kind::pushed, Ticks{begin + 20}, 0, k, 2 * k, Ticks{20}, Ticks{0}});
    const auto grants = r2sp->on({Kind::asked, Ticks{begin + 20}, 0, k + 1, 0, Ticks{0}, Ticks{0}}).grants;
    ASSERT_EQ(grants.size(), 2u);
    EXPECT_EQ(grants[0].batch, 100u) << "worker 0 never waits";
    batches.push_back(grants[1].batch);
  }
  // Of the first two grants one came after a wait of 10, of the next two both did.
  EXPECT_EQ(batches, (std::vector<std::uint32_t>{100, 150, 150, 300}));
}

TEST(POfN, DropsALatePushAndReleasesItsWorkerIntoTheRound) {
  SyncSettings settings;
  settings.p = 1;
  settings.k.reset();
  const auto scheme = make_p_of_n(2, settings);
  start(*scheme, 2);
  notify(*scheme, Kind::pushed, 0, 0);
  const GateActions late = notify(*scheme, Kind::pushed, 1, 0);
  ASSERT_EQ(late.pushes.size(), 1u);
  EXPECT_EQ(late.pushes[0].what, Verdict::What::drop);
  EXPECT_EQ(granted(notify(*scheme, Kind::asked, 1, 1)), std::vector<std::uint16_t>{1});
}

TEST(Predictive, BreaksTheRunWhenAWorkerRunsTooFarAhead) {
  SyncSettings settings;
  settings.ahead = 1;
  const auto scheme = make_predictive(2, settings);
  start(*scheme, 2);
  notify(*scheme, Kind::computed, 0, 0);
  EXPECT_EQ(complaint(*scheme, Kind::computed, 0, 0), ErrorKind::internal) << "the same step twice";
  notify(*scheme, Kind::pushed, 0, 0, 1);
  notify(*scheme, Kind::computed, 0, 1);
  EXPECT_EQ(complaint(*scheme, Kind::computed, 0, 2), ErrorKind::internal);
}

TEST(Predictive, TakesEveryStepOnce) {
  const auto scheme = make_predictive(1, {});
  start(*scheme, 1);
  EXPECT_EQ(complaint(*scheme, Kind::pushed, 0, 0, 1), ErrorKind::internal) << "a step that wasn't done";
  const auto again = make_predictive(1, {});
  start(*again, 1);
  notify(*again, Kind::computed, 0, 0);
  EXPECT_EQ(complaint(*again, Kind::pushed, 0, 0, 0), ErrorKind::internal) << "no step since the last push";
}

}  // namespace
}  // namespace ocs
