// An experiment on the firmware: the same light as on the bare switch once control.lead covers the firmware's time.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

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
