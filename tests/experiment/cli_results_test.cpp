// What lightloop run puts out: equal results whatever carries them out, and the promises of the main job.
// SPDX-License-Identifier: Apache-2.0
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

/// What doesn't depend on how fast the machine is, nor on the keys named.
Json without(Json rows, const std::vector<std::string>& keys) {
  for (Json& row : rows)
    for (const std::string& key : keys) row.erase(key);
  return rows;
}

const std::vector<std::string> timing = {"wall_time_s", "realtime_ratio", "peak_rss_bytes"};

std::vector<std::string> timing_and(std::vector<std::string> keys) {
  keys.insert(keys.end(), timing.begin(), timing.end());
  return keys;
}

TEST_F(Cli, ModelAndVerilatedGiveEqualHashesAndResults) {
  const Json model = rows(tiny + " --set fabric.device=model"),
             counter = rows(tiny + " --set fabric.device=verilated_counter"),
             fast = rows(tiny + " --set fabric.device=verilated"), systemc = rows(tiny + " --set fabric.device=sysc");
  ASSERT_EQ(model.size(), 4u);
  for (const Json& row : model) EXPECT_EQ(row["event_log_hash"].get<std::string>().size(), 16u);
  EXPECT_NE(model[0]["event_log_hash"], model[1]["event_log_hash"]);
  const auto keys = timing_and({"device", "edges"});
  EXPECT_EQ(without(model, keys), without(counter, keys));
  EXPECT_EQ(without(model, keys), without(fast, keys));
  EXPECT_EQ(without(model, keys), without(systemc, keys));
}

TEST_F(Cli, WarpedAndUnwarpedGiveEqualHashesAndResults) {
  for (const std::string device : {"model", "verilated_counter", "verilated"}) {
    const std::string job = tiny + " --set fabric.device=" + device;
    const Json warped = rows(job), unwarped = rows(job + " --set fabric.time_warp=false");
    const auto keys = timing_and({"time_warp", "edges"});
    EXPECT_EQ(without(warped, keys), without(unwarped, keys));
    for (std::size_t k = 0; k < warped.size(); ++k) {
      EXPECT_GE(unwarped[k]["edges"], unwarped[k]["cycles"]);
      if (device != "model") {
        EXPECT_LT(warped[k]["edges"], unwarped[k]["edges"]);
      }
    }
  }
}

TEST_F(Cli, WordsThatCrossGiveWhatWordsThatAreCountedGive) {
  const std::string job = tiny + " --set fabric.device=verilated";
  const Json counted = rows(job), crossed = rows(job + " --set fabric.fidelity=word");
  EXPECT_EQ(without(counted, timing_and({"fidelity", "words_compared", "edges"})),
            without(crossed, timing_and({"fidelity", "words_compared", "edges"})));
  for (std::size_t k = 0; k < counted.size(); ++k) {
    EXPECT_EQ(counted[k]["words_compared"], 0);
    EXPECT_EQ(crossed[k]["words_compared"], crossed[k]["words_passed"]);
    EXPECT_GT(crossed[k]["words_compared"], 0);
  }
}

TEST_F(Cli, EveryPayloadGivesTheSameTimes) {
  const Json all = rows(tiny + " --set policy=sunflow --set job.payload='[\"full\", \"digest\", \"none\"]'");
  ASSERT_EQ(all.size(), 3u);
  for (const Json& row : all) {
    EXPECT_EQ(row["event_log_hash"], all[0]["event_log_hash"]);
    EXPECT_EQ(row["pst_mean_ps"], all[0]["pst_mean_ps"]);
    EXPECT_EQ(row["crc_errors"], 0);
    EXPECT_EQ(row["sum_errors"], 0);
  }
}

TEST_F(Cli, RepeatsARunToTheBit) { EXPECT_EQ(without(rows(tiny), timing), without(rows(tiny), timing)); }

TEST_F(Cli, PsschedulerIsAtMostSunflowAndHlfOnTheMainJob) {
  const Json all = rows(main_job + " --set fabric.device=model --set job.payload=none");
  ASSERT_EQ(all.size(), 4u);
  ASSERT_EQ(all[2]["policy"], "sunflow");
  ASSERT_EQ(all[3]["policy"], "hlf");
  for (const int mine : {0, 1})
    for (const int other : {2, 3}) EXPECT_LE(all[mine]["pst_mean_ps"], all[other]["pst_mean_ps"]);
}

TEST_F(Cli, MainJobCarriesEveryWordOnceEachWay) {
  const Json all = rows(main_job + " --set fabric.device=model --set job.payload=none");
  // 1,597,315 words of 64 B (every block rounded up), 12 workers, push and pull, 2 iterations
  for (const int dedicated : {1, 2, 3}) EXPECT_EQ(all[dedicated]["words_passed"], 1'597'315LL * 12 * 2 * 2);
  for (const Json& row : all) {
    EXPECT_EQ(row["bytes_delivered"].get<std::int64_t>() + row["bytes_local"].get<std::int64_t>(),
              102'228'128LL * 12 * 2 * 2);
    EXPECT_EQ(row["words_lost"], 0);
    EXPECT_EQ(row["words_unrouted"], 0);
    EXPECT_EQ(row["delta_ps"], 10'000'000'000);
    EXPECT_EQ(row["rate_bps"], 100'000'000'000);
    EXPECT_GE(row["pst_min_ps"], row["bound_ps"]) << row["policy"];
    EXPECT_LE(row["pst_min_ps"], row["pst_mean_ps"]);
    EXPECT_LE(row["pst_mean_ps"], row["pst_max_ps"]);
    EXPECT_EQ(row["sync_time_ps"].get<std::int64_t>() / 2, row["pst_mean_ps"]);
    // Every circuit is dark for exactly delta: nothing else makes an output dark here.
    EXPECT_EQ(row["dark_port_cycles"], row["reconfigurations"].get<std::int64_t>() * 1'953'125);
  }
}

TEST_F(Cli, FirstIterationTakesWhatThePlanSaysToTheCycle) {
  for (const std::string& job : {main_job, tiny}) {
    // A job that computes for whole cycles starts to synchronise at the beginning of one.
    const std::string once = job + " --set fabric.device=model --set job.iterations=1 --set job.compute='5120 ns'";
    const Json ran = rows(once + " --set job.payload=none");
    const Outcome outcome = run("plan " + once + " --json -");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json plans = Json::parse(outcome.out).at("plans");
    ASSERT_EQ(plans.size(), ran.size());
    for (std::size_t k = 0; k < ran.size(); ++k) {
      EXPECT_EQ(ran[k]["pst_mean_ps"], plans[k]["pst_ps"]) << job << ' ' << plans[k]["policy"];
      EXPECT_EQ(ran[k]["bound_ps"], plans[k]["bound_ps"]) << job << ' ' << plans[k]["policy"];
    }
  }
}

/// A set-up of tiny.toml is dark for 196 cycles of tuning and 20 of locking.
TEST_F(Cli, DarkShareIsOfThePortsOfTheNodes) {
  constexpr int set_up = 196 + 20;
  const std::string silent = tiny + " --set job.payload=none ";
  struct Kind {
    std::string settings;
    int set_ups, ports;  // set_ups 0: as the scheduler decides; ports: of the nodes, on all planes
  };
  const std::vector<Kind> kinds = {
      // Each rank sends to its right neighbour alone: three circuits, which stay.
      {"--set job.collective=all_reduce --set policy=sunflow", 3, 3},
      // In each of two rounds a model goes from each of three peers to the two others: two outputs each time.
      {"--set job.peers=mesh --set peers.p=2 --set policy=multicast --set peers.layer=L3", 12, 3},
      // A push to the server and a pull from it, on a switch of five ports.
      {"--set 'jobs=[{workers = 1, servers = 1, iterations = 1}]' --set policy=sunflow_fifo", 2, 5},
      // Three workers, two servers, and a port of each on either plane.
      {"--set fabric.planes=2 --set policy=hlf", 0, 10}};
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.settings);
    const Json row = rows(silent + kind.settings).at(0);
    const auto dark = row.at("dark_port_cycles").get<double>();
    EXPECT_EQ(dark, row.at("reconfigurations").get<int>() * set_up);
    if (kind.set_ups > 0) {
      EXPECT_EQ(dark, kind.set_ups * set_up);
    }
    EXPECT_DOUBLE_EQ(row.at("dark_share").get<double>(),
                     dark * row.at("cycle_ps").get<double>() / (row.at("sync_time_ps").get<double>() * kind.ports));
  }
}

}  // namespace
}  // namespace ocs::test
