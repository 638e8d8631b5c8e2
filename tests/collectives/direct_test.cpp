// An all-to-all that is one matrix of demand: under every scheduler, over packets, beside servers, with hand-made times.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/fit/collective.hpp"
#include "tests/collectives/support.hpp"
#include "tests/common/places.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t direct_cycle = 5120, direct_word = 64, mirror_cycles = 2000, set_up = mirror_cycles + 1;
constexpr std::int64_t computing = 100'000'000;  // ps
constexpr std::int64_t planned_at =
    (computing + direct_cycle - 1) / direct_cycle;  // the plan is made in the next cycle

Row run_direct(int workers, std::int64_t words, std::vector<std::string> more) {
  more.insert(more.begin(), {"job.collective=all_to_all", "job.iterations=1"});
  return run_point(collective_job("direct", workers, words * direct_word, more), {});
}

std::int64_t exchange_cycles(const Row& row) { return row.sim_time.n / direct_cycle - planned_at; }

/// Blocks of 1000 words. Sunflow takes pairs by sender, then receiver: 0 -> 1 with 1 -> 0, 0 -> 2 with 2 -> 0, then 1 -> 2
/// with 2 -> 1. Two colours are enough: both rotations of three ranks, which is what the list `linear` has.
TEST(Direct, TakesTheRoundsOfItsScheduler) {
  const std::int64_t round = set_up + 1000;
  for (const auto& [scheduler, rounds] : {std::pair("sunflow", 3), {"colour", 2}, {"best", 2}, {"exact", 2}}) {
    const Row row = run_direct(3, 3000, {std::string("scheduler=") + scheduler});
    EXPECT_EQ(exchange_cycles(row), rounds * round) << scheduler;
    EXPECT_EQ(row.reconfigurations, 6) << scheduler;
    EXPECT_EQ(row.dark_port_cycles, 6 * mirror_cycles) << scheduler;
    EXPECT_EQ(row.words_passed, 6 * 1000) << scheduler;
    EXPECT_EQ(row.slices, 1) << scheduler;
    EXPECT_EQ(row.collective, "all_to_all/direct");
  }
  const Row linear =
      run_point(collective_job("linear", 3, 3000 * direct_word,
                               {"job.collective=all_to_all", "job.iterations=1", "collective.reconfigure=always"}),
                {});
  EXPECT_EQ(exchange_cycles(linear), 2 * round);
}

/// Each port has two flows at half its rate, and nothing is set up.
TEST(Direct, SharesPortsOverPackets) {
  const Row row = run_direct(3, 3000, {"network=packet"});
  EXPECT_EQ(row.sim_time.n, computing + 2 * 1000 * direct_cycle);
  EXPECT_EQ(row.words_passed, 6 * 1000);
}

/// 0 -> 2 waits until both ends are free: rank 0 is at delta + 10, and rank 2, which gets 30 words from rank 1, at
/// delta + 30. Over packets rank 2 has 50 words to receive, and always a sender.
TEST(Direct, TakesAMatrixAsItIs) {
  const std::string demand = R"(collective.demand="file:0,640,1280;0,0,1920;320,0,0")";
  const Row row = run_direct(3, 1, {demand});
  EXPECT_EQ(exchange_cycles(row), 2 * set_up + 30 + 20);
  EXPECT_EQ(row.reconfigurations, 4);
  EXPECT_EQ(row.words_passed, 10 + 20 + 30 + 5);
  EXPECT_EQ(run_direct(3, 1, {demand, "network=packet"}).sim_time.n, computing + 50 * direct_cycle);
}

/// Where each worker is a server of as many parameters, a push is this all-to-all, and a pull is it once more.
TEST(Direct, IsAPushToServersOnTheWorkers) {
  for (const char* scheduler : {"sunflow", "colour", "solstice_hold"})
    for (const char* network : {"circuit", "packet"}) {
      const std::vector<std::string> both = {std::string("scheduler=") + scheduler, std::string("network=") + network,
                                             "policy=sunflow_equal", "job.compute=102.4 us"};
      std::vector<std::string> servers = both;
      servers.insert(servers.end(), {"job.collective=none", "job.algorithm=default", "job.colocated=true",
                                     "job.servers=6", "job.iterations=1"});
      const Row pst = run_point(collective_job("default", 6, 6000 * direct_word, servers), {});
      const Row once = run_direct(6, 6000, both);
      const std::int64_t exchanged = once.sim_time.n - 102'400'000;  // 20000 cycles of computing
      EXPECT_EQ(pst.pst_mean.n, 2 * exchanged) << scheduler << network;
      EXPECT_EQ(pst.reconfigurations, 2 * once.reconfigurations) << scheduler << network;
      EXPECT_EQ(pst.dark_port_cycles, 2 * once.dark_port_cycles) << scheduler << network;
    }
}

/// All numbers arrive and are right, and no plan is shorter than what the busiest port has to do.
TEST(Direct, RunsUnderEveryScheduler) {
  const std::string demand = "collective.demand=gini:0.4";
  std::vector<std::int64_t> in(4), out(4);
  const DemandMatrix matrix = drawn_demand(parse_demand("gini:0.4"), 4, 1000, 1);
  for (std::size_t s = 0; s < 4; ++s)
    for (std::size_t t = 0; t < 4; ++t)
      if (s != t) out[s] += matrix[s][t] + set_up, in[t] += matrix[s][t] + set_up;
  const std::int64_t bound =
      std::max(*std::max_element(in.begin(), in.end()), *std::max_element(out.begin(), out.end()));
  for (const SchedulerEntry& scheduler : schedulers()) {
    const std::vector<std::string> base = {demand, "scheduler=" + std::string(scheduler.name)};
    const Row none = run_direct(4, 1000, base);
    EXPECT_GE(exchange_cycles(none), bound) << scheduler.name;
    std::vector<std::string> full = base;
    full.insert(full.end(), {"job.payload=full", "fabric.device=model"});
    const Row row = run_direct(4, 1000, full);
    EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted + row.words_lost, 0) << scheduler.name;
    EXPECT_EQ(row.event_log_hash, none.event_log_hash) << scheduler.name;
  }
}

TEST(Direct, HasNoMapThatAPolicyCouldSet) {
  for (const auto& [reconfigure, planes] : {std::pair("optimal", "1"), {"always", "1"}, {"overlap", "2"}}) {
    const std::vector<std::string> settings{std::string("collective.reconfigure=") + reconfigure,
                                            std::string("fabric.planes=") + planes};
    EXPECT_EQ(refusal([&] { run_direct(4, 1000, settings); }),
              "--set job.algorithm=direct: job.collective is \"all_to_all\", but collective.reconfigure must be "
              "\"scheduler\" where ranks send to several others at once, for which no map has circuits");
  }
  const Row pair = run_direct(2, 1000, {"collective.reconfigure=optimal"});
  EXPECT_EQ(exchange_cycles(pair), set_up + 500) << "two ranks have a map";
}

}  // namespace
}  // namespace ocs::test
