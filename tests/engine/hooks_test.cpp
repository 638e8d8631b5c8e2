// Who watches a run sees it, whatever its kind, and changes nothing.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "tests/engine/guarded_runs.hpp"

namespace ocs::test {
namespace {

GuardedRun run_named(const std::string& name) {
  const std::vector<GuardedRun> runs = guarded_runs();
  return *std::ranges::find(runs, name, &GuardedRun::name);
}

/// A clock that stands still while the stopwatch measures what reading it costs, and ticks afterwards: a part of a run
/// that is entered has taken time.
Profile::Clock::time_point instant;
std::chrono::nanoseconds reading{0};
Profile::Clock::time_point ticking() { return instant += reading; }

struct Watched {
  std::vector<GuardedRow> rows;
  Profile profile;
  std::int64_t events = 0;
  std::size_t devices = 0, planes = 0;
};

/// All rows of a run, watched.
Watched watch(const GuardedRun& run) {
  reading = std::chrono::nanoseconds{0};
  Watched watched{.rows = {}, .profile = Profile(&ticking)};
  reading = std::chrono::microseconds{1};
  watched.profile.start();
  RunOptions options;
  options.on_event = [&](const Event&) { ++watched.events; };
  options.on_device = [&](Device&, std::size_t plane) {
    ++watched.devices;
    watched.planes = std::max(watched.planes, plane + 1);
  };
  options.profile = &watched.profile;
  watched.rows = rows_of_run(run, "model", options);
  watched.profile.stop();
  return watched;
}

std::int64_t events_in(const std::vector<GuardedRow>& rows) {
  std::int64_t sum = 0;
  for (const GuardedRow& row : rows) {
    const std::size_t second = row.line.find(',', row.line.find(',') + 1);
    sum += std::stoll(row.line.substr(second + 1));
  }
  return sum;
}

class Hooks : public testing::TestWithParam<const char*> {};

TEST_P(Hooks, SeeTheRunAndChangeNothing) {
  const GuardedRun run = run_named(GetParam());
  const Watched watched = watch(run);
  const std::vector<std::string> expected = committed(run);
  ASSERT_EQ(watched.rows.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(watched.rows[k].line, expected[k]);
  EXPECT_EQ(watched.events, events_in(watched.rows));
  EXPECT_GE(watched.devices, watched.rows.size());
  EXPECT_EQ(watched.devices % (watched.rows.size() * watched.planes), 0U);
  for (const Part part : {Part::network, Part::scheduler, Part::accounting, Part::driver, Part::device})
    EXPECT_GT(watched.profile.of(part).count(), 0) << "part " << static_cast<int>(part);
}

INSTANTIATE_TEST_SUITE_P(Of, Hooks,
                         testing::Values("tiny", "planes", "jobs", "jobs_planes", "trace", "collectives", "selmcast",
                                         "e5_selection", "server_load", "server_load_moving", "straggler"),
                         [](const auto& run) { return run.param; });

/// There is no device, and there are no events.
TEST(HooksOfPackets, SeeTheNetworkAlone) {
  const GuardedRun run = run_named("packets");
  const Watched watched = watch(run);
  const std::vector<std::string> expected = committed(run);
  ASSERT_EQ(watched.rows.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(watched.rows[k].line, expected[k]);
  EXPECT_EQ(watched.devices, 0U);
  EXPECT_GT(watched.profile.of(Part::network).count(), 0);
  EXPECT_GT(watched.profile.of(Part::placer).count(), 0);
  EXPECT_GT(watched.profile.of(Part::transport).count(), 0);
}

}  // namespace
}  // namespace ocs::test
