// Whole jobs whose transfers are slices: payload, counts, and time.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

std::vector<std::string> job(const std::vector<std::string>& more) {
  std::vector<std::string> all = {"job.workload=resnet32_cifar",
                                  "job.workers=3",
                                  "job.servers=2",
                                  "job.compute=100 us",
                                  "job.iterations=7",
                                  "sync.p=2",
                                  "policy=sunflow",
                                  "compute.factors=0: 2"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(SlicedJobs, AddUpRightUnderEveryScheme) {
  for (const std::string& sync : scheme_names())
    for (const char* payload : {"digest", "full"}) {
      const Row row =
          run_scheme(sync, job({"job.slice=32 KiB", "job.fusion=8 KiB", std::string("job.payload=") + payload}));
      EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << sync << ", " << payload;
      EXPECT_GT(row.slices, 40) << sync << ", " << payload;
    }
}

TEST(SlicedJobs, AddUpRightOnSharedNodesAndOverSeveralPlanes) {
  for (const char* more : {"job.colocated=true", "fabric.planes=2"}) {
    const Row row = run_scheme("bsp_phase", job({"job.slice=32 KiB", "job.payload=full", more}));
    EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << more;
    EXPECT_GT(row.slices, 90) << more;
  }
}

TEST(SlicedJobs, TakeNoMoreTimeWhereSlicesAreReadyAtOnce) {
  for (const std::string& sync : scheme_names()) {
    const Row whole = run_scheme(sync, job({})), sliced = run_scheme(sync, job({"job.slice=32 KiB"}));
    EXPECT_EQ(sliced.sim_time, whole.sim_time) << sync;
    EXPECT_EQ(sliced.reconfigurations, whole.reconfigurations) << sync;
    EXPECT_EQ(sliced.words_passed, whole.words_passed) << sync;
    EXPECT_EQ(whole.slices, 2) << sync;
  }
}

TEST(SlicedJobs, AreTheSameOnTheVerilatedSwitch) {
  for (const char* sync : {"bsp_phase", "r2sp"}) {
    const Row model = run_scheme(sync, job({"job.slice=16 KiB"}));
    EXPECT_EQ(run_scheme(sync, job({"job.slice=16 KiB", "fabric.device=verilated"})).event_log_hash,
              model.event_log_hash)
        << sync;
  }
}

TEST(SlicedJobs, SendAgainWhatATimetableLosesOfASlice) {
  const Row row = run_scheme("bsp_phase", job({"job.slice=16 KiB", "job.payload=full", "control.mode=timetable",
                                               "nodes.clock_offset=0 ns, 0 ns, -300 ns"}));
  EXPECT_GT(row.retransmissions, 0);
  EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
}

}  // namespace
}  // namespace ocs::test
