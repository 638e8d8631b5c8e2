// Whole jobs with overlap: payload, and what it costs and gains.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

const std::vector<std::string> eager = {"bsp", "asp", "ssp", "dssp", "r2sp", "p_of_n", "elastic"};

std::vector<std::string> job(const std::vector<std::string>& more) {
  std::vector<std::string> all = {"job.workload=resnet32_cifar",
                                  "job.workers=4",
                                  "job.servers=2",
                                  "job.compute=300 us",
                                  "job.iterations=6",
                                  "sync.p=3",
                                  "policy=sunflow",
                                  "scheduler=sunflow_fifo",
                                  "compute.factors=0: 2",
                                  "job.fusion=64 KiB",
                                  "job.overlap=wait_free_backprop"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(OverlappedJobs, AddUpRightAndPayloadChangesNoTime) {
  for (const std::string& sync : eager)
    for (const char* priorities : {"none", "layer"}) {
      const std::string order = std::string("job.priorities=") + priorities;
      const Row none = run_scheme(sync, job({order}));
      for (const char* payload : {"digest", "full"}) {
        const Row row = run_scheme(sync, job({order, std::string("job.payload=") + payload}));
        EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << sync << " " << priorities << " " << payload;
        EXPECT_EQ(row.event_log_hash, none.event_log_hash) << sync << " " << priorities << " " << payload;
      }
    }
}

TEST(OverlappedJobs, AreTheSameOnTheVerilatedSwitch) {
  for (const std::string& sync : eager)
    EXPECT_EQ(run_scheme(sync, job({"fabric.device=verilated"})).event_log_hash,
              run_scheme(sync, job({})).event_log_hash)
        << sync;
}

TEST(OverlappedJobs, LetAWorkerDieWhileItPushesAndComputes) {
  for (const char* at : {"900 us", "1000 us", "1100 us", "1200 us"}) {
    const Row row = run_scheme("asp", job({std::string("nodes.deaths=3: ") + at}));
    EXPECT_EQ(row.schemes->left, 1) << at;
  }
}

std::string ps(std::int64_t n) { return std::to_string(n) + " ps"; }

/// With a set-up that is short against a slice, or one worker: at most a cycle for each slice of each worker behind the
/// first, which is what a burst on a circuit that is up costs; and shorter where the backward pass is longer than that.
TEST(OverlappedJobs, AreNeverLaterOnOneServerButForACycleASlice) {
  for (const int workers : {1, 2, 4, 8})
    for (const char* compute : {"0 ns", "1 us", "20 us", "200 us", "1 ms", "5 ms"})
      for (const char* tuning : {"0 ns", "1 us", "50 us"}) {
        if (workers > 1 && tuning == std::string("50 us")) continue;
        std::vector<std::string> all = {"job.workers=" + std::to_string(workers), "job.servers=1",
                                        "compute.factors=\"\"", std::string("job.compute=") + compute,
                                        std::string("fabric.tuning=") + tuning};
        const Row row = run_scheme("bsp", job(all));
        all.emplace_back("job.overlap=none");
        const Row none = run_scheme("bsp", job(all));
        const std::int64_t cycles = workers * (row.slices - 1);
        EXPECT_LE(row.schemes->iteration_last.n, none.schemes->iteration_last.n + cycles * 5120)
            << workers << " " << compute << " " << tuning;
        const bool long_enough = none.compute.n >= 20'000'000;
        EXPECT_EQ(long_enough && row.schemes->iteration_last >= none.schemes->iteration_last, false)
            << workers << " " << compute << " " << tuning;
      }
}

/// docs/transfers.md has the figures: workers take turns at the port, and each turn is a set-up.
TEST(OverlappedJobs, NeedSlicesThatAreLongAgainstASetUp) {
  const auto iteration = [](const char* overlap, const char* fusion) {
    return run_scheme("bsp", job({"job.workers=4", "job.servers=1", "compute.factors=\"\"", "job.compute=1 ms",
                                  "fabric.tuning=50 us", std::string("job.overlap=") + overlap,
                                  std::string("job.fusion=") + fusion}))
        .schemes->iteration_last;
  };
  EXPECT_EQ(ps(iteration("none", "64 KiB").n), "1992693760 ps");
  EXPECT_EQ(ps(iteration("wait_free_backprop", "64 KiB").n), "2340531200 ps");
  EXPECT_EQ(ps(iteration("wait_free_backprop", "1 MB").n), "1950238720 ps");
}

}  // namespace
}  // namespace ocs::test
