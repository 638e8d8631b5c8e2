// Workers and servers that die while a job runs over the switch, under each scheme.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/share.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

using testing::HasSubstr;

/// Node 0 serves, nodes 1 to 4 work. An iteration takes about 2 ms or more.
std::vector<std::string> deaths_settings(const std::string& deaths) {
  return {"job.workers=4", "job.servers=1", "job.iterations=20",     "job.compute=1 ms",
          "sync.p=3",      "sync.s=2",      "nodes.deaths=" + deaths};
}

std::string failure(const std::string& sync, const std::vector<std::string>& overrides) {
  try {
    run_scheme(sync, overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run) << error.what();
    return error.what();
  }
  return "";
}

TEST(DeadWorker, EndsBspWithASentenceThatNamesIt) {
  for (const char* sync : {"bsp", "bsp_phase"})
    EXPECT_EQ(failure(sync, deaths_settings("3: 7 ms")),
              "node 3 died at 7000000000 ps: worker 2 left, and BSP needs every worker")
        << sync;
}

TEST(DeadWorker, EndsPOfNWhenTooFewRemain) {
  EXPECT_EQ(failure("p_of_n", deaths_settings("3: 7 ms, 2: 9 ms")),
            "node 2 died at 9000000000 ps: worker 1 left, and p-of-n needs 3 members a round, but 2 remain");
}

TEST(DeadWorker, IsLeftBehindByAllOthers) {
  for (const std::string& sync : scheme_names()) {
    if (sync.starts_with("bsp")) continue;
    for (std::int64_t us = 500; us < 9'000; us += 437) {  // while it computes, pushes, pulls, waits
      SCOPED_TRACE(sync + " at " + std::to_string(us) + " us");
      const Row row = run_scheme(sync, deaths_settings("3: " + std::to_string(us) + " us"));
      EXPECT_EQ(row.schemes->left, 1);
      const std::int64_t pushes = row.schemes->updates + row.schemes->dropped;
      EXPECT_GE(pushes, 60) << "the others finish";
      EXPECT_LT(pushes, 80);
    }
  }
}

/// What of it was on its way is never carried; what was whole is in the model, and adds up.
TEST(DeadWorker, LeavesPayloadThatAddsUp) {
  for (const std::string& sync : scheme_names()) {
    if (sync.starts_with("bsp")) continue;
    constexpr std::int64_t instants[] = {100, 1'450, 2'030, 2'377, 3'120, 4'444, 100'000};
    for (std::size_t k = share() > 1 ? 1 : 0; k<std::size(instants); k += share()> 1 ? 4 : 1) {
      const std::int64_t us = instants[k];
      const auto run = [&](const std::string& payload) {
        std::vector<std::string> all = deaths_settings("4: " + std::to_string(us) + " us");
        all.insert(all.end(), {"job.servers=2", "job.iterations=4", "job.slice=256 kB", "job.payload=" + payload});
        return run_scheme(sync, all);
      };
      const Row none = run("none");
      for (const std::string payload : {"full", "digest"}) {
        SCOPED_TRACE(sync + " at " + std::to_string(us) + " us, " + payload);
        const Row row = run(payload);
        EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
        EXPECT_EQ(row.sim_time, none.sim_time);
        EXPECT_EQ(row.event_log_hash, none.event_log_hash);
        EXPECT_EQ(row.schemes->updates, none.schemes->updates);
      }
    }
  }
}

/// Also where words were lost and are sent again, and while workers take steps of their own.
TEST(DeadWorker, LeavesWhatWasLostBehind) {
  for (const char* sync : {"asp", "p_of_n", "elastic"})
    for (const std::int64_t us : {600, 1'400, 2'100, 2'900}) {
      SCOPED_TRACE(std::string(sync) + " at " + std::to_string(us) + " us");
      std::vector<std::string> all = deaths_settings("2: " + std::to_string(us) + " us");
      all.insert(all.end(), {"job.iterations=5", "job.payload=full", "control.mode=timetable", "control.guard=1 us",
                             "nodes.clock_spread=4 us"});
      const Row row = run_scheme(sync, all);
      EXPECT_GT(row.words_lost, 0);
      EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
    }
}

/// Orders take longer to arrive than it lives. As the only worker, it divided the row's means by nothing.
TEST(DeadWorker, ThatNeverBeganHasWaitedAllTheTime) {
  for (const bool alone : {true, false}) {
    std::vector<std::string> all = deaths_settings("1: 172 ns");
    all.insert(all.end(),
               {"nodes.control_latency=700 ns", "job.workers=" + std::string(alone ? "1" : "2"), "sync.p=1"});
    const Row row = run_scheme("asp", all);
    EXPECT_EQ(row.schemes->left, 1);
    EXPECT_EQ(row.node_compute + row.node_communication + row.node_dark + row.node_waiting, row.sim_time);
    if (alone) {
      EXPECT_EQ(row.node_waiting, row.sim_time);
    } else {
      EXPECT_EQ(row.node_compute, Picos{10'007'000'000}) << "half of 20 times 1 ms and an order's 700 ns";
    }
  }
}

/// PSscheduler serves from a worker's node, so that node 0 has no part.
TEST(DeadNode, WithoutAPartChangesNothing) {
  for (const std::string& sync : scheme_names()) {
    SCOPED_TRACE(sync);
    std::vector<std::string> all = deaths_settings("");
    all.emplace_back("policy=psscheduler");
    const Row whole = run_scheme(sync, all);
    all.emplace_back("nodes.deaths=0: 3 ms");
    const Row row = run_scheme(sync, all);
    EXPECT_EQ(row.event_log_hash, whole.event_log_hash);
    EXPECT_EQ(row.sim_time, whole.sim_time);
  }
}

TEST(DeadWorker, DoesntHoldBackSspAnyMore) {
  const Row row = run_scheme("ssp", deaths_settings("4: 3 ms"));
  EXPECT_LE(row.schemes->clock_gap, 2);
  EXPECT_EQ(row.schemes->updates, 61) << "its first push was in";
}

/// They all wait at the gate: nothing but the death can let them go, and it does so at once.
TEST(DeadWorker, LetsThoseGoThatWaitForIt) {
  for (const std::string& sync : scheme_names()) {
    if (sync.starts_with("bsp")) continue;
    SCOPED_TRACE(sync);
    std::vector<std::string> all = deaths_settings("4: 40 ms");
    all.insert(all.end(), {"job.iterations=5", "compute.factors=3: 50"});
    const Row row = run_scheme(sync, all);
    EXPECT_EQ(row.schemes->left, 1);
    EXPECT_EQ(row.schemes->updates + row.schemes->dropped, 15);
    EXPECT_LT(row.sim_time, Picos{52'000'000'000});
  }
}

TEST(DeadWorker, ThatWasThereAtTheEndChangesNothing) {
  const Row whole = run_scheme("asp", deaths_settings(""));
  const Row row = run_scheme("asp", deaths_settings("4: 10 s"));
  EXPECT_EQ(row.schemes->updates, whole.schemes->updates);
  EXPECT_EQ(row.schemes->left, 0);
}

TEST(DeadServer, EndsEveryScheme) {
  for (const std::string& sync : scheme_names())
    EXPECT_EQ(failure(sync, deaths_settings("0: 5 ms")),
              "node 0 died at 5000000000 ps: it is a parameter server, and its parameters are nowhere else")
        << sync;
}

}  // namespace
}  // namespace ocs::test
