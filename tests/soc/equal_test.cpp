// An experiment on the firmware: the same light as on the bare switch once control.lead covers the firmware's time.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/controller/event_hash.hpp"
#include "testbed/run/run.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

struct Outcome {
  Row row;
  EventHash hash;  ///< of outputs, runs and ends of bursts
  std::vector<Event> events;
};

Outcome run_on(const std::string& device, const std::string& lead, std::vector<std::string> overrides) {
  overrides.insert(overrides.end(), {"job.payload=none", "control.lead=" + lead});
  Point point = test::resolved("seed = 1", overrides).points.at(0);
  point.fabric.device = device;
  Outcome outcome;
  RunOptions options;
  options.on_event = [&](const Event& event) {
    if (event.kind > EventKind::burst_done) return;  // who committed: software or a timed commit
    outcome.hash.add(event);
    outcome.events.push_back(event);
  };
  outcome.row = run_point(point, options);
  return outcome;
}

const std::vector<std::string> job{"policy=sunflow", "fabric.ports=4", "fabric.tuning=10 us", "fabric.locking=1 us",
                                   "job.workers=3",  "job.servers=1",  "job.iterations=2"};

TEST(SocExperiment, HasTheSameOutputEventsAsTheBareSwitchWithEnoughLead) {
  const Outcome bare = run_on("verilated", "200 us", job), soc = run_on("soc", "200 us", job);
  for (std::size_t n = 0; n < std::min(bare.events.size(), soc.events.size()); ++n)
    if (bare.events[n].at != soc.events[n].at || bare.events[n].port != soc.events[n].port) {
      ADD_FAILURE() << "event " << n << ": cycle " << bare.events[n].at.n << " kind " << int(bare.events[n].kind)
                    << " port " << bare.events[n].port << ", on soc cycle " << soc.events[n].at.n << " kind "
                    << int(soc.events[n].kind) << " port " << soc.events[n].port;
      break;
    }
  EXPECT_GT(bare.hash.count(), 20u);
  EXPECT_EQ(bare.hash.count(), soc.hash.count());
  EXPECT_EQ(bare.hash.value(), soc.hash.value());
  EXPECT_EQ(bare.row.pst_mean, soc.row.pst_mean);
}

class SocOptics : public ::testing::TestWithParam<const char*> {};

/// Two circuits at a time.
const std::vector<std::string> two{"policy=sunflow", "fabric.ports=4", "fabric.tuning=10 us", "fabric.locking=1 us",
                                   "job.workers=2",  "job.servers=2",  "job.iterations=2"};

TEST_P(SocOptics, AreThoseOfTheBareSwitch) {
  std::vector<std::string> overrides = two;
  overrides.emplace_back(GetParam());
  const Outcome plain = run_on("verilated", "200 us", two), bare = run_on("verilated", "200 us", overrides),
                soc = run_on("soc", "200 us", overrides);
  EXPECT_NE(plain.hash.value(), bare.hash.value()) << "it does nothing";
  EXPECT_EQ(bare.hash.count(), soc.hash.count());
  EXPECT_EQ(bare.hash.value(), soc.hash.value());
  EXPECT_EQ(bare.row.pst_mean, soc.row.pst_mean);
  EXPECT_EQ(bare.row.words_lost, soc.row.words_lost);
}

INSTANTIATE_TEST_SUITE_P(
    Each, SocOptics,
    ::testing::Values("fabric.program_time=3 us", "fabric.jitter=2.61632 us",
                      "fabric.receivers=warm for 100 us; cold: 3 us, 20 us",
                      "fabric.neighbours=disturb at 1, 2 for 20 us",
                      "fabric.light=-3 dBm less 2.5 dB, lost below -14 dBm, back at -13.5 dBm for 1 us; rings 2 "
                      "times for 300 ns after 2 us",
                      "fabric.light=-3 dBm, lost below -14 dBm for 60 ns; rings for 200 ns after 9 us"));

/// Injected when the firmware comes to it: what happens is not in the bare switch's cycles, but all is delivered.
TEST(SocExperiment, GoesOnWithFaultsOfMirrors) {
  std::vector<std::string> overrides = job;
  overrides.emplace_back(
      "fabric.mirror_faults=0: stuck 90 ms - 110 ms, 1: slow(30 us) 0 us, 2: flap(2 ms) 0 us, 3: kept 90 ms - 112 ms");
  const Outcome healthy = run_on("soc", "0 us", job), soc = run_on("soc", "0 us", overrides);
  EXPECT_EQ(soc.row.words_passed, healthy.row.words_passed);
  EXPECT_GT(soc.row.pst_mean, healthy.row.pst_mean);
  const auto failed = std::ranges::count(soc.events, EventKind::failed, &Event::kind);
  EXPECT_GT(failed, 2) << "mirrors were stuck, and light was lost";
}

TEST(SocExperiment, TakesLongerWithoutLeadByTheFirmwaresTime) {
  const Outcome bare = run_on("verilated", "0 us", job), soc = run_on("soc", "0 us", job);
  EXPECT_GT(soc.row.pst_mean, bare.row.pst_mean);
  EXPECT_EQ(soc.row.words_passed, bare.row.words_passed);
  EXPECT_EQ(soc.row.words_lost, 0);
  EXPECT_EQ(soc.row.words_misrouted, 0);
}

TEST(SocExperiment, LosesNothingForGoodByTimetable) {
  std::vector<std::string> timetable = job;
  timetable.push_back("control.mode=timetable");
  const Outcome soc = run_on("soc", "100 us", timetable);
  EXPECT_EQ(soc.row.crc_errors, 0);
  EXPECT_EQ(soc.row.words_misrouted, 0);
}

}  // namespace
}  // namespace ocs
