// Searches: they may last, a seed that hangs may not, and somebody who waits sees how far they are.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "testbed/session/data_folder.hpp"
#include "testbed/sim/seed_watch.hpp"

namespace ocs::sim {
namespace {

using std::chrono::seconds;

Environment here() {
  const std::filesystem::path data = data_folder(nullptr);
  return {.data = data, .switches = switches_folder(data), .version = "simulated"};
}

TEST(Search, MayTakeLongerThanOneSeedMay) {
  for (const unsigned jobs : {1U, 2U}) {
    SearchArguments wanted;
    wanted.time = seconds(11), wanted.longest = seconds(10), wanted.jobs = jobs;
    const SearchResult result = search(here(), wanted);
    EXPECT_GE(result.seconds, 11) << jobs;
    EXPECT_EQ(result.violation, "") << jobs;
  }
}

TEST(Search, ReportsHowManySeedsItHasPlayed) {
  for (const unsigned jobs : {1U, 2U}) {
    std::vector<std::uint64_t> reported;
    SearchArguments wanted;
    wanted.time = seconds(2), wanted.jobs = jobs;
    wanted.progress = [&](std::uint64_t played, double) { reported.push_back(played); };
    const SearchResult result = search(here(), wanted);
    ASSERT_FALSE(reported.empty()) << jobs;
    EXPECT_TRUE(std::ranges::is_sorted(reported)) << jobs;
    EXPECT_GT(reported.back(), 0U) << jobs;
    EXPECT_LE(reported.back(), result.runs) << jobs;
  }
}

TEST(SeedWatchDeathTest, NamesTheSeedThatHangs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto hang = [] {
    watch_seed(4711, seconds(1));
    for (;;) pause();
  };
  EXPECT_EXIT(hang(), testing::ExitedWithCode(1),
              "lightloop-sim: seed 4711 hangs: it takes more than 1 s of real time");
}

TEST(SeedWatchDeathTest, NamesTheSeedThatCrashes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto crash = [] {
    watch_seed(4712, seconds(60));
    raise(SIGABRT);
  };
  EXPECT_EXIT(crash(), testing::KilledBySignal(SIGABRT), "lightloop-sim: seed 4712 crashes, by signal 6");
}

}  // namespace
}  // namespace ocs::sim
