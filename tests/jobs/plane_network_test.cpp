// One job over several planes: on model and RTL, with payload, with loss.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/planes/plane_network.hpp"

#include <gtest/gtest.h>

#include "testbed/run/run.hpp"
#include "tests/experiment/support.hpp"

namespace ocs::test {
namespace {

Point job(int planes, const std::string& split, const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings = {
      "fabric.ports=4", "fabric.tuning=10 us", "job.workload=alexnet",  "job.workers=2",
      "job.servers=2",  "job.iterations=2",    "job.compute=1 us",      "fabric.device=model",
      "policy=sunflow", "job.payload=none",    "fabric.split=" + split, "fabric.planes=" + std::to_string(planes)};
  settings.insert(settings.end(), more.begin(), more.end());
  return resolved("seed = 1", settings).points.front();
}

TEST(JobsOnPlanes, AreFasterAndCarryTheSame) {
  const Row one = run_point(job(1, "longest"), {});
  for (const char* split : {"longest", "equal"}) {
    const Row two = run_point(job(2, split), {});
    EXPECT_LT(two.pst_mean, one.pst_mean) << split;
    EXPECT_GE(two.pst_mean, two.bound) << split;
    EXPECT_EQ(two.words_passed, one.words_passed) << split;
    EXPECT_EQ(two.bytes_delivered, one.bytes_delivered) << split;
    EXPECT_EQ(two.words_lost + two.words_misrouted, 0) << split;
  }
}

TEST(JobsOnPlanes, GiveOneEventLogOnModelAndRtl) {
  for (const char* split : {"longest", "equal"})
    for (const bool all_stop : {false, true}) {
      Point point = job(3, split);
      point.fabric.all_stop = all_stop;
      if (all_stop) point.planning.scheduler = "rotation_allstop";
      const Row model = run_point(point, {});
      point.fabric.device = "verilated";
      const Row rtl = run_point(point, {});
      EXPECT_EQ(model.event_log_hash, rtl.event_log_hash) << split << all_stop;
      EXPECT_EQ(model.pst_mean, rtl.pst_mean) << split << all_stop;
      EXPECT_EQ(model.words_lost, 0) << split << all_stop;
    }
}

TEST(JobsOnPlanes, AddTheirPayloadUpRight) {
  const Row row = run_point(job(3, "equal", {"job.payload=full", "job.workers=2"}), {});
  EXPECT_EQ(row.crc_errors, 0);
  EXPECT_EQ(row.sum_errors, 0);
}

TEST(JobsOnPlanes, SendAgainWhatATimetableLost) {
  const Row row =
      run_point(job(2, "equal", {"control.mode=timetable", "nodes.clock_offset=3 us", "job.payload=digest"}), {});
  EXPECT_GT(row.words_lost, 0);
  EXPECT_GT(row.words_retransmitted, 0);
  EXPECT_EQ(row.crc_errors, 0);
}

TEST(JobsOnPlanes, AreChargedForTheirPlanning) {
  const Row free = run_point(job(2, "equal"), {});
  const Row charged = run_point(job(2, "equal", {"charge_planning=1 ms"}), {});
  EXPECT_EQ(free.planning.n, 0);
  EXPECT_GE(charged.planning.n, 1'000'000'000);
  EXPECT_GE(charged.sim_time - free.sim_time, Picos{1'000'000'000});
}

}  // namespace
}  // namespace ocs::test
