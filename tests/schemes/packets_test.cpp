// Schemes over the packet network: all of them run, closed forms hold, and what has no meaning there is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "testbed/experiment/keys/unused_keys.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t packets_cycle = 5120, packets_words = 65536;

Row run_packets(const std::string& sync, std::vector<std::string> more) {
  more.insert(more.end(), {"network=packet", "sync.p=3", "sync.quota=4"});
  return run_scheme(sync, more);
}

TEST(Packets, CarryEverySchemeWithEveryPayload) {
  for (const std::string& sync : scheme_names()) {
    const std::vector<std::string> job = {"job.workers=5", "job.servers=2", "job.iterations=9", "job.compute=100 us",
                                          "compute.factors=0: 3"};
    const auto with = [&](const std::string& payload) {
      std::vector<std::string> all = job;
      all.push_back("job.payload=" + payload);
      return run_packets(sync, all);
    };
    const Row none = with("none"), full = with("full"), digest = with("digest");
    EXPECT_EQ(none.schemes->updates + none.schemes->dropped, 5 * 9) << sync;
    const int pulls = sync == "bsp_phase" || sync == "predictive" ? 9 : 10;
    EXPECT_EQ(none.words_passed, 5 * (9 + pulls) * packets_words) << sync;
    EXPECT_EQ(none.bytes_delivered, Bytes{5 * (9 + pulls) * packets_words * 64}) << sync;
    for (const Row& row : {full, digest}) {
      EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << sync;
      EXPECT_EQ(row.sim_time, none.sim_time) << sync;
      EXPECT_EQ(row.schemes->iteration_mean, none.schemes->iteration_mean) << sync;
      EXPECT_EQ(row.schemes->staleness_max, none.schemes->staleness_max) << sync;
    }
    EXPECT_EQ(none.node_dark, Picos{0}) << sync;
    EXPECT_GT(none.node_communication, Picos{0}) << sync;
    EXPECT_EQ(none.network, "packet");
    EXPECT_EQ(none.device + none.scheduler + none.control, "");
    EXPECT_FALSE(none.event_log_hash);
  }
}

TEST(Packets, CarrySharedNodesAndADuration) {
  for (const std::string& sync : scheme_names()) {
    const Row row = run_packets(sync, {"job.workers=4", "job.servers=2", "job.colocated=true", "job.payload=full",
                                       "job.compute=300 us", "job.duration=12 ms"});
    EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << sync;
    EXPECT_GT(row.bytes_local, Bytes{0}) << sync;
    EXPECT_GT(row.schemes->updates, 20) << sync;
  }
}

/// PST is the bound where all ports have the same to do: every server's side carries N blocks, there and back.
TEST(Packets, PushAndPullInPhasesAsFastAsPortsAllow) {
  for (const std::int64_t servers : {1, 2, 4}) {
    const Row row = run_packets("bsp_phase", {"job.workers=4", "job.servers=" + std::to_string(servers),
                                              "fabric.fibre=1 us", "job.compute=1 ms"});
    const std::int64_t flight = 2 * 196 * packets_cycle;
    EXPECT_EQ(row.pst_max.n, 2 * (4 * packets_words / servers * packets_cycle + flight));
    EXPECT_EQ(row.pst_min, row.pst_max);
    EXPECT_EQ(row.bound, row.pst_max);
    EXPECT_EQ(row.node_communication.n, 2 * row.pst_max.n);
    EXPECT_EQ(row.node_waiting, Picos{0});
  }
}

TEST(Packets, AreFasterForFastNodes) {
  // Two workers send to a server whose port takes all; one has a quarter of the rate.
  const Row row = run_packets("asp", {"job.workers=2", "job.servers=1", "job.iterations=1", "job.compute=0 ns",
                                      "nodes.rates=100 Gbit/s, 25 Gbit/s, 100 Gbit/s"});
  // Worker 1 pulls, pushes and pulls at a quarter; what it leaves is more than worker 2 ever needs of the time.
  EXPECT_EQ(row.sim_time.n, 3 * 4 * packets_words * packets_cycle);
}

TEST(Packets, LeaveWhatADeadWorkerWasSending) {
  const std::vector<std::string> job = {"job.workers=4", "job.servers=1", "job.iterations=30", "job.compute=100 us"};
  std::vector<std::string> dies = job;
  dies.emplace_back("nodes.deaths=3: 8 ms");
  const Row all = run_packets("asp", job), without = run_packets("asp", dies);
  EXPECT_EQ(without.schemes->left, 1);
  EXPECT_LT(without.schemes->updates, all.schemes->updates);
  EXPECT_LT(without.sim_time, all.sim_time) << "the others share what it had";
}

constexpr std::int64_t packets_ms = 1'000'000'000, tx = 5 * packets_ms;

/// What is offered at one instant ends at one instant, so that nobody ever gets ahead: to the picosecond.
TEST(Packets, KeepAlignedWorkersAligned) {
  const std::vector<Row> rows =
      rows_of("packet_closed_forms.toml", {"job.sync=[bsp, bsp_phase, asp, ssp]", "job.iterations=20"});
  ASSERT_EQ(rows.size(), 64u);
  for (const Row& row : rows) {
    const std::int64_t right = row.compute.n + 2 * row.workers * tx;
    EXPECT_EQ(row.schemes->iteration_mean.n, right) << row.sync << ", " << row.workers << " workers";
    EXPECT_EQ(row.schemes->iteration_max.n, right) << row.sync << ", " << row.workers << " workers";
  }
}

TEST(Packets, LetR2spStaggerWorkers) {
  for (const Row& row : rows_of("packet_closed_forms.toml", {"job.sync=r2sp"})) {
    const auto right = static_cast<double>(std::max(row.workers * tx, row.compute.n + 2 * tx));
    EXPECT_NEAR(static_cast<double>(row.schemes->iteration_mean.n), right, 0.03 * right)
        << row.workers << " workers, compute " << row.compute.n;
  }
}

/// Means of eight draws of 200 iterations. Jitter moves workers apart, and then asp's need the
/// ports at different times.
TEST(Packets, MakeAspAndR2spRankAsIsStatedWithJitter) {
  const std::map<std::string, std::array<double, 3>> stated = {
      {"bsp", {178, 228, 343}}, {"asp", {91, 104, 217}}, {"r2sp", {82, 97, 223}}};
  std::map<std::pair<std::string, std::int64_t>, double> mean;
  for (const Row& row : rows_of("packet_jitter.toml", {}))
    mean[{row.sync, row.compute.n / packets_ms}] += static_cast<double>(row.schemes->iteration_mean.n) / packets_ms / 8;
  ASSERT_EQ(mean.size(), 9u);
  const std::array<std::int64_t, 3> computes = {20, 75, 200};
  for (const auto& [sync, times] : stated)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR((mean.at({sync, computes[k]})), times[k], 0.03 * times[k]) << sync << ", " << computes[k] << " ms";
  EXPECT_LT((mean.at({"r2sp", 20})), 0.95 * mean.at({"asp", 20}));
  EXPECT_GT((mean.at({"r2sp", 200})), mean.at({"asp", 200}));
}

std::string packets_refusal(const std::vector<std::string>& overrides) {
  try {
    std::vector<std::string> all = {"network=packet", "policy=sunflow"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    scheme_experiment(all);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

/// A server at half the rate of the other gives keys to it.
TEST(Packets, MoveServerLoadToFastServers) {
  const auto run = [](const char* load) {
    return run_packets(
        "bsp", {"job.workers=4", "job.servers=2", "job.iterations=6", "job.payload=full", "job.slice=64 kB",
                "job.compute=0 ns", R"(nodes.rates="50 Gbit/s, 100 Gbit/s")", std::string("job.server_load=") + load});
  };
  const Row fixed = run("static"), moved = run("adaptive");
  EXPECT_GT(moved.load->maps, 0);
  EXPECT_LT(moved.sim_time, fixed.sim_time);
  EXPECT_EQ(moved.crc_errors + moved.sum_errors + moved.words_misrouted, 0);
}

/// Communication alone: half the time on two planes, and later by as much as a port that everybody needs is out.
TEST(Packets, GoOverPlanesAndAroundOutages) {
  const auto run = [](std::vector<std::string> more) {
    more.insert(more.end(),
                {"job.workers=4", "job.servers=1", "job.iterations=1", "job.payload=full", "job.compute=0 ns"});
    return run_packets("bsp", more);
  };
  const Row one = run({}), planes = run({"fabric.planes=2"});
  EXPECT_EQ(planes.sim_time.n, (one.sim_time.n + 1) / 2);
  EXPECT_EQ(planes.words_passed, one.words_passed);
  const std::int64_t outage = 40'960'000;  // of the server's port, in whole cycles
  const Row out = run({"fabric.outages=0: 20480 ns - 61440 ns"});
  EXPECT_EQ(out.sim_time.n, one.sim_time.n + outage);
  for (const Row& row : {one, planes, out}) {
    EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted + row.retransmissions, 0);
    EXPECT_LE(row.bound.n, row.sim_time.n);
  }
}

TEST(Packets, EndWhereAServerNeverLivesAgain) {
  try {
    run_packets("bsp", {"job.workers=4", "job.servers=1", "fabric.outages=0: 20 us"});
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    EXPECT_THAT(error.what(), testing::HasSubstr("waits for port 0, which is dead and never lives again"));
  }
}

TEST(Packets, RefuseWhatOnlyASwitchHas) {
  const std::string why = " with network \"packet\", where ports are shared and nothing is switched";
  EXPECT_EQ(packets_refusal({}), "");
  EXPECT_EQ(packets_refusal({"fabric.all_stop=true"}),
            "--set fabric.all_stop=true: fabric.all_stop is true, but must be false" + why);
  EXPECT_EQ(packets_refusal({"control.mode=timetable"}),
            "--set control.mode=timetable: control.mode is \"timetable\", but must be \"confirmed\"" + why);
  EXPECT_EQ(packets_refusal({"charge_planning=1 ms"}),
            "--set charge_planning=1 ms: charge_planning is \"1 ms\", but must be \"none\"" + why);
  EXPECT_EQ(packets_refusal({"fabric.fidelity=word", "fabric.device=verilated"}),
            "--set fabric.fidelity=word: fabric.fidelity is \"word\", but must be \"burst\"" + why);
  EXPECT_EQ(packets_refusal({"network=ring"}),
            "--set network=ring: network is \"ring\", but must be one of circuit, packet");
}

TEST(Packets, SayWhichKeysHaveNoEffect) {
  const std::vector<std::string> sentences = without_effect(
      scheme_experiment({"network=packet", "control.lead=1 us", "nodes.extra_tuning=2 us", "fabric.time_warp=false"}));
  for (const char* said : {"--set fabric.tuning=10.24 us: fabric.tuning has no effect in this experiment: network "
                           "\"packet\" has no circuits",
                           "--set fabric.device=model: fabric.device has no effect in this experiment: network "
                           "\"packet\" has no switch",
                           "--set scheduler=sunflow_fifo: scheduler has no effect in this experiment: network "
                           "\"packet\" has no circuits"})
    EXPECT_THAT(sentences, testing::Contains(std::string(said)));
  EXPECT_EQ(sentences.size(), 7u) << "and job.retransmit, control.lead, nodes.extra_tuning, fabric.time_warp";
}

}  // namespace
}  // namespace ocs::test
