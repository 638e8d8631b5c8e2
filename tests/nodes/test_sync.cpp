// Synchronisation schemes as pure state machines.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/core/error.hpp"
#include "testbed/sync/bsp.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs {
namespace {

using Kind = GateEvent::Kind;

GateActions tell(SyncScheme& scheme, Kind kind, std::uint16_t worker, std::uint32_t iteration) {
  return scheme.on({kind, Ticks{0}, worker, iteration, 0, Ticks{0}, Ticks{0}});
}

std::vector<std::uint16_t> granted(const GateActions& actions) {
  std::vector<std::uint16_t> workers;
  for (const Grant& grant : actions.grants) workers.push_back(grant.worker);
  return workers;
}

TEST(Bsp, LetsEverybodyStart) {
  const auto bsp = make_bsp(3);
  for (std::uint16_t w = 0; w < 3; ++w) EXPECT_EQ(granted(tell(*bsp, Kind::asked, w, 0)), std::vector{w});
}

TEST(Bsp, ReleasesAllWhenTheLastPushIsIn) {
  const auto bsp = make_bsp(3);
  for (std::uint32_t round = 0; round < 4; ++round) {
    for (const auto w : std::vector<std::uint16_t>{2, 0}) {
      EXPECT_TRUE(tell(*bsp, Kind::pushed, w, round).pushes.empty());
      EXPECT_TRUE(tell(*bsp, Kind::asked, w, round + 1).grants.empty());
    }
    const auto last = tell(*bsp, Kind::pushed, 1, round);
    ASSERT_EQ(last.pushes.size(), 3u);
    for (std::uint16_t w = 0; w < 3; ++w) {
      EXPECT_EQ(last.pushes[w].worker, w);
      EXPECT_EQ(last.pushes[w].iteration, round);
      EXPECT_EQ(last.pushes[w].members, 3u);
      EXPECT_EQ(last.pushes[w].what, Verdict::What::apply);
    }
    EXPECT_EQ(granted(last), (std::vector<std::uint16_t>{0, 2}));
    EXPECT_EQ(granted(tell(*bsp, Kind::asked, 1, round + 1)), std::vector<std::uint16_t>{1});
  }
}

TEST(Bsp, WaitsNoMoreForAWorkerThatLeft) {
  const auto bsp = make_bsp(2);
  tell(*bsp, Kind::pushed, 0, 0);
  tell(*bsp, Kind::asked, 0, 1);
  const auto left = tell(*bsp, Kind::left, 1, 0);
  EXPECT_EQ(left.pushes.size(), 1u);
  EXPECT_EQ(granted(left), std::vector<std::uint16_t>{0});
}

TEST(Bsp, RefusesWhatCannotHappen) {
  const auto bsp = make_bsp(2);
  EXPECT_THROW(tell(*bsp, Kind::asked, 2, 0), Error);
  EXPECT_THROW(tell(*bsp, Kind::pushed, 0, 1), Error);
  tell(*bsp, Kind::pushed, 0, 0);
  EXPECT_THROW(tell(*bsp, Kind::pushed, 0, 0), Error);
}

TEST(SyncCatalogue, ListsTheKnownNamesWhenOneIsUnknown) {
  EXPECT_EQ(find(sync_schemes(), "bsp_phase", "synchronisation scheme").compute, ComputeStart::after_last_pull);
  try {
    find(sync_schemes(), "bulk", "synchronisation scheme");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), testing::HasSubstr("unknown synchronisation scheme \"bulk\"; known: bsp_phase"));
  }
}

}  // namespace
}  // namespace ocs
