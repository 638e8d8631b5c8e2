// Server load where servers run on nodes of workers: what is measured, what moves, and that no word is lost.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testbed/load/load_map.hpp"
#include "tests/common/share.hpp"
#include "tests/schemes/processes.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

/// 4 MiB in 64 equal keys; the first of two servers has a slow port, unless the rates are said.
std::vector<std::string> colocated(const std::string& load, std::vector<std::string> more = {}) {
  std::vector<std::string> all = {"job.colocated=true",
                                  "job.server_load=" + load,
                                  "job.workers=4",
                                  "job.servers=2",
                                  "job.iterations=6",
                                  "job.slice=65536 B",
                                  "job.compute=50 us",
                                  "nodes.rates=25 Gbit/s, 100 Gbit/s",
                                  "sync.p=3"};
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return all;
}

double times_as_long(const Row& a, const Row& b) {
  return static_cast<double>(a.sim_time.n) / static_cast<double>(b.sim_time.n);
}

constexpr std::int64_t model_bytes = 4 << 20;

/// Every worker pushes and pulls each key in each iteration, and those that begin with a pull once more.
void expect_all_words(const Row& row) {
  const bool pulls_first = find_scheme(row.sync).compute == ComputeStart::after_own_pull;
  const std::int64_t transfers = row.iterations * 2 + (pulls_first ? 1 : 0);
  EXPECT_EQ(row.bytes_delivered.n + row.bytes_local.n, transfers * row.workers * model_bytes + row.load->bytes_moved.n);
}

TEST(ColocatedLoad, MovesKeysFromASlowPort) {
  for (const std::string& sync : scheme_names()) {
    SCOPED_TRACE(sync);
    const auto run = [&](const char* load, const char* payload) {
      return run_scheme(sync, colocated(load, {"nodes.rates=10 Gbit/s, 100 Gbit/s", "job.iterations=10",
                                               "job.payload=" + std::string(payload)}));
    };
    const Row fixed = run("static", "none"), adaptive = run("adaptive", "digest");
    EXPECT_GT(times_as_long(fixed, adaptive), 1.05);
    EXPECT_EQ(fixed.load->maps, 0);
    EXPECT_GE(adaptive.load->maps, 1);
    EXPECT_EQ(adaptive.crc_errors, 0);
    if (sync != "bsp_phase" && sync != "asp") continue;  // schemes go through the same code
    const Row full = run("adaptive", "full");
    EXPECT_EQ(full.crc_errors + full.sum_errors, 0);
    EXPECT_EQ(full.event_log_hash, adaptive.event_log_hash);
  }
}

/// The other server has its own port's words from two workers at 100 Gbit/s and from one at 25, so at 50 all in all; its
/// own worker's words to the slow server would make it 40. 21 / 25 and 43 / 50 are as near as keys come.
TEST(ColocatedLoad, MeasuresWhatAServerServesAndNotItsWorker) {
  const Row row = run_scheme("bsp_phase", colocated("adaptive", {"policy=sunflow_equal", "scheduler=psscheduler"}));
  EXPECT_EQ(row.load->maps, 1);
  EXPECT_EQ(row.load->keys, 64);
  EXPECT_EQ(row.load->moved, 32 - 21);
}

/// A slow worker is as slow for each server; without common iterations one of them may have more of it in a round.
TEST(ColocatedLoad, LeavesKeysWhereTheyAreWhereNoServersPortIsSlow) {
  for (const std::string& sync : scheme_names())
    for (const char* rates : {"nodes.rates=equal", "nodes.rates=100 Gbit/s, 100 Gbit/s, 100 Gbit/s, 50 Gbit/s"}) {
      const Row row = run_scheme(sync, colocated("adaptive", {rates}));
      if (std::string_view(rates) == "nodes.rates=equal" || find_scheme(sync).whole_rounds) {
        EXPECT_EQ(row.load->maps, 0) << sync << ", " << rates;
      }
      expect_all_words(row);
    }
}

/// A quarter of the model each: less would be more for the slow node's worker to push.
TEST(ColocatedLoad, LeavesKeysWhereTheyAreWithAsManyServersAsWorkers) {
  const Row row = run_scheme("bsp_phase", colocated("adaptive", {"job.servers=4"}));
  EXPECT_EQ(row.load->maps, 0);
  EXPECT_EQ(row.sim_time, run_scheme("bsp_phase", colocated("static", {"job.servers=4"})).sim_time);
}

/// 64 keys of 1 MB, eight workers, four servers: the slow node's server keeps 8 keys, so that 7 x 8 MB come to it while
/// its worker pushes the other 56.
TEST(ColocatedLoad, GainsWhatTheSlowNodesServerGivesAway) {
  const std::vector<std::string> all = {"fabric.device=model", "job.colocated=true", "job.iterations=40",
                                        "nodes.rates=10 Gbit/s, 100 Gbit/s"};
  const std::vector<Row> rows = rows_of("server_load.toml", all);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].load->maps, 1);
  EXPECT_EQ(rows[1].load->moved, 16 - 8);
  const double slow = 40 * 2 * 112, first = 2 * 112 + 8, others = 39 * 2 * 56;  // MB at the slow port
  EXPECT_NEAR(times_as_long(rows[0], rows[1]), slow / (first + others), .01);
}

TEST(ColocatedLoad, GivesTheSameRowOnEveryDeviceAndInProcesses) {
  for (const char* sync : {"bsp_phase", "bsp", "asp"}) {
    std::vector<std::string> all = colocated("adaptive", {"job.payload=digest"});
    const Row model = run_scheme(sync, all);
    EXPECT_GE(model.load->maps, 1);
    const Row processes = InProcesses("ipc").run(scheme_job(sync, all));
    EXPECT_EQ(processes.event_log_hash, model.event_log_hash) << sync;
    EXPECT_EQ(processes.sim_time, model.sim_time) << sync;
    EXPECT_EQ(processes.crc_errors + processes.sum_errors, 0) << sync;
    for (const char* device : {"verilated_counter", "verilated", "sysc"}) {
      all.push_back("fabric.device=" + std::string(device));
      const Row row = run_scheme(sync, all);
      EXPECT_EQ(row.event_log_hash, model.event_log_hash) << sync << " on " << device;
      EXPECT_EQ(row.load->moved, model.load->moved) << sync << " on " << device;
    }
  }
}

TEST(ColocatedLoad, LosesNoWordOnAnyNetwork) {
  struct Disturbance {
    std::vector<std::string> set;
    bool loses;
  };
  const std::string guard = "control.guard=0 ns", timetable = "control.mode=timetable";
  const std::vector<Disturbance> disturbances = {
      {{"network=packet"}, false},
      {{"fabric.planes=2"}, false},
      {{"nodes.control_latency=2 us"}, false},
      {{"fabric.outages=1: 300 us - 900 us, 0: 2 ms - 2200 us"}, true},
      {{timetable, guard, "nodes.clock_spread=4 us"}, true},
      {{timetable, guard, "nodes.clock_spread=4 us", "fabric.planes=2"}, true}};
  for (const char* sync : {"bsp_phase", "bsp", "asp"})
    for (const auto& [set, loses] : disturbances) {
      SCOPED_TRACE(std::string(sync) + ", " + set.back());
      std::vector<std::string> all = set;
      all.emplace_back("job.payload=full");
      const Row row = run_scheme(sync, colocated("adaptive", all));
      EXPECT_GE(row.load->maps, 1);
      EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
      EXPECT_EQ(row.words_retransmitted > 0, loses);
      expect_all_words(row);
    }
}

TEST(ColocatedLoad, GoesWithPoliciesThatPlaceServersOnAnyNode) {
  for (const char* policy : {"psscheduler", "best"})
    for (const char* sync : {"bsp_phase", "bsp"})
      for (const char* load : {"static", "adaptive"}) {
        SCOPED_TRACE(std::string(policy) + ", " + sync + ", " + load);
        std::vector<std::string> all = colocated(
            load, {"policy=" + std::string(policy), "job.payload=full", "job.colocated=false", "nodes.rates=equal"});
        const Row row = run_scheme(sync, all);
        EXPECT_GT(row.bytes_local.n, 0) << "a server is on a worker's node";
        EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
        expect_all_words(row);
      }
}

/// A worker without a server dies while keys move; those that stay finish, and every word of theirs adds up.
TEST(ColocatedLoad, OutlivesAWorkerWhileKeysMove) {
  for (const std::string& sync : scheme_names()) {
    if (sync.starts_with("bsp")) continue;
    for (std::int64_t us = 100; us<6'000; us += share()> 1 ? 900 : 225) {
      const auto run = [&](const char* payload, const char* device) {
        return run_scheme(sync, colocated("adaptive", {"nodes.rates=10 Gbit/s, 100 Gbit/s", "job.iterations=8",
                                                       "nodes.deaths=3: " + std::to_string(us) + " us",
                                                       "fabric.device=" + std::string(device),
                                                       "job.payload=" + std::string(payload)}));
      };
      SCOPED_TRACE(sync + " at " + std::to_string(us) + " us");
      const Row none = run("none", "model");
      EXPECT_EQ(none.schemes->left, 1);
      EXPECT_GE(none.schemes->updates + none.schemes->dropped, 3 * 8);
      if (us % 900 != 100) continue;
      const Row digest = run("digest", "verilated"), full = run("full", "model");
      for (const Row* row : {&digest, &full}) {
        EXPECT_EQ(row->event_log_hash, none.event_log_hash);
        EXPECT_EQ(row->schemes->updates, none.schemes->updates);
        EXPECT_EQ(row->crc_errors + row->sum_errors, 0);
      }
    }
  }
}

}  // namespace
}  // namespace ocs::test
