// Every scheme runs over every body of the switch to one event log and one row.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/schemes/processes.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

std::vector<std::string> devices_settings(const std::string& device, const std::string& servers) {
  return {"fabric.device=" + device,
          "job.workers=4",
          "job.servers=" + servers,
          "job.iterations=12",
          "job.compute=200 us",
          "sync.p=3",
          "sync.quota=4"};
}

TEST(EveryScheme, GivesOneEventLogOnEveryDevice) {
  for (const std::string& sync : scheme_names())
    for (const std::string servers : {"1", "2"}) {
      const Row model = run_scheme(sync, devices_settings("model", servers));
      for (const std::string device : {"verilated_counter", "verilated", "sysc", "sysc-rtl"}) {
        const Row row = run_scheme(sync, devices_settings(device, servers));
        EXPECT_EQ(row.event_log_hash, model.event_log_hash) << sync << " on " << device;
        EXPECT_EQ(row.sim_time, model.sim_time) << sync << " on " << device;
        EXPECT_EQ(row.schemes->iteration_mean, model.schemes->iteration_mean) << sync << " on " << device;
        EXPECT_EQ(row.schemes->staleness_max, model.schemes->staleness_max) << sync << " on " << device;
      }
    }
}

TEST(EveryScheme, AppliesOrDropsEachPushOnce) {
  for (const std::string& sync : scheme_names())
    for (const char* scheduler : {"sunflow_fifo", "sunflow_inter", "psscheduler", "hlf"}) {
      std::vector<std::string> all = devices_settings("model", "3");
      all.push_back("scheduler=" + std::string(scheduler));
      const Row row = run_scheme(sync, all);
      EXPECT_EQ(row.schemes->updates + row.schemes->dropped, 4 * 12) << sync << " with " << scheduler;
      const int pulls = sync == "bsp_phase" || sync == "predictive" ? 12 : 13;  // the others start with one
      EXPECT_EQ(row.words_passed, (12 + pulls) * 4 * 65538) << sync << " with " << scheduler;
      EXPECT_EQ(row.words_lost, 0);
      EXPECT_EQ(row.schemes->left, 0);
    }
}

TEST(EveryScheme, GivesTheSameRowInProcesses) {
  for (const std::string& sync : scheme_names()) {
    std::vector<std::string> all = devices_settings("model", "2");
    all.emplace_back("job.payload=digest");
    const Point point = scheme_job(sync, all);
    const Row threads = run_point(point, {}), processes = InProcesses("ipc").run(point);
    EXPECT_EQ(processes.event_log_hash, threads.event_log_hash) << sync;
    EXPECT_EQ(processes.sim_time, threads.sim_time) << sync;
    EXPECT_EQ(processes.crc_errors, 0) << sync;
  }
}

TEST(EveryScheme, EndsAtItsDuration) {
  for (const std::string& sync : scheme_names()) {
    const Point point = scheme_job(sync, {"job.workers=4", "job.servers=1", "job.compute=1 ms", "job.duration=40 ms"});
    const Row row = run_point(point, {});
    EXPECT_GE(row.sim_time, Picos{40'000'000'000}) << sync;
    EXPECT_LT(row.sim_time, Picos{50'000'000'000}) << sync << ": who computes goes on to its push";
    EXPECT_GT(row.schemes->updates, 20) << sync;
    EXPECT_EQ(row.duration, Picos{40'000'000'000});
    EXPECT_TRUE(row.eager) << "there is no PST";
  }
}

/// With one worker and one server transfers follow one another: each is planned by itself, and waits for its plan.
TEST(EveryScheme, WaitsForWhatItsPlansTake) {
  for (const std::string& sync : scheme_names()) {
    const std::vector<std::string> one = {"job.workers=1", "job.servers=1", "job.iterations=3", "sync.p=1",
                                          "sync.quota=3"};
    std::vector<std::string> charged = one;
    charged.emplace_back("charge_planning=7 us");
    const Row free = run_scheme(sync, one), row = run_scheme(sync, charged);
    EXPECT_EQ(free.planning.n, 0) << sync;
    EXPECT_GE(row.planning.n, 2 * 3 * 7'000'000) << sync;
    if (sync == "predictive")  // computes meanwhile
      EXPECT_GT(row.sim_time, free.sim_time);
    else
      EXPECT_EQ(row.sim_time - free.sim_time, row.planning) << sync;
    EXPECT_EQ(row.words_passed, free.words_passed) << sync;
  }
}

/// A transfer is overdue while its mirrors move, since a port came back while they did. Planes went on cycle by cycle then.
TEST(Planes, StrideOverMirrorsThatMoveWhileTransfersAreOverdue) {
  const Row row = run_scheme("asp", {"job.workers=3", "job.servers=2", "job.iterations=2", "fabric.planes=2",
                                     "fabric.tuning=10 ms", "fabric.outages=3: 4 ms - 6 ms"});
  EXPECT_GT(row.sim_time, Picos{30'000'000'000});
  EXPECT_LT(row.edges, 20'000U) << "on two planes together";
}

}  // namespace
}  // namespace ocs::test
