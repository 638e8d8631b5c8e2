// Server load over the switch: gains as the formula says, keys that migrate with their values, one map an iteration.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "testbed/experiment/files/bandwidth_trace.hpp"
#include "tests/common/places.hpp"
#include "tests/common/share.hpp"
#include "tests/load/abstract_load.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

const std::string folder = ocs::test::source_dir() + "/testbed/experiments/sync/";
const std::string tables = ocs::test::source_dir() + "/testbed/workloads/";

Names names_here() {
  Names names = all_schemes();
  names.load_workload = [](std::string_view table) { return load_workload(table, tables, folder); };
  names.load_bandwidth_trace = [](std::string_view name) {
    return load_bandwidth_trace(folder + std::string(name.substr(5)));
  };
  return names;
}

std::vector<Row> rows_of(const std::string& name, std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), "fabric.device=model");
  std::vector<Row> rows;
  for (const Point& point : load_experiment(folder + name, overrides, names_here()).points)
    rows.push_back(run_point(point, {}));
  return rows;
}

double over(const Row& a, const Row& b) {
  return static_cast<double>(a.sim_time.n) / static_cast<double>(b.sim_time.n);
}

/// The same job as the formula sees it: nothing is dark, and ports are never kept waiting by one another.
double formula(const std::vector<Bytes>& keys, std::int64_t slow, std::int64_t others, std::size_t iterations) {
  abstract::LoadInput input{.keys = keys,
                            .workers = 8,
                            .rates = abstract::moving_slow_server(4, iterations, others, slow, 1000),
                            .compute_ns = 0,
                            .policy = abstract::LoadPolicy::fixed,
                            .settings = {}};
  const auto fixed = static_cast<double>(abstract::run_load(input).total_ns);
  input.policy = abstract::LoadPolicy::adaptive;
  return fixed / static_cast<double>(abstract::run_load(input).total_ns);
}

constexpr std::int64_t giga = 1'000'000'000;

TEST(ServerLoadOverTheSwitch, GainsWhatTheFormulaSays) {
  const std::vector<Row> rows = rows_of("server_load.toml", {"job.iterations=20"});
  ASSERT_EQ(rows.size(), 6u);
  const std::vector<Bytes> keys(64, Bytes{1'000'000});
  const std::int64_t rates[][2] = {{10 * giga, 100 * giga}, {50 * giga, 100 * giga}, {25 * giga / 4, 20 * giga}};
  for (std::size_t k = 0; k < 3; ++k) {
    const Row &fixed = rows[k], &adaptive = rows[3 + k];
    ASSERT_EQ(fixed.node_rates, adaptive.node_rates);
    const double expected = formula(keys, rates[k][0], rates[k][1], 20);
    EXPECT_NEAR(over(fixed, adaptive), expected, .0005 * expected) << fixed.node_rates;
    EXPECT_EQ(fixed.load->maps, 0);
    EXPECT_EQ(fixed.load->moved, 0);
    EXPECT_EQ(adaptive.load->maps, 1);
    EXPECT_EQ(adaptive.load->keys, 64);
    EXPECT_GT(adaptive.load->migrating.n, 0);
  }
}

TEST(ServerLoadOverTheSwitch, GainsWhatIsStatedWhereOnePortIsSlowAllTheTime) {
  const std::vector<Row> rows = rows_of("server_load.toml", {"nodes.rates=10 Gbit/s, 100 Gbit/s"});
  EXPECT_NEAR(over(rows[0], rows[1]), 7.36, .005);
}

TEST(ServerLoadOverTheSwitch, GainsLessWithWholeTensors) {
  const std::vector<Row> rows = rows_of("server_load_slices.toml");
  ASSERT_EQ(rows.size(), 4u);
  const Workload vgg = load_workload("vgg16", tables, folder);
  std::vector<Bytes> whole, slices;
  for (const Tensor& tensor : vgg.tensors) {
    std::int64_t left = tensor.elements * 4;
    whole.push_back({left});
    for (; left > 0; left -= 4'096'000) slices.push_back({std::min<std::int64_t>(left, 4'096'000)});
  }
  const double of_whole = formula(whole, 25 * giga / 4, 20 * giga, 10),
               of_slices = formula(slices, 25 * giga / 4, 20 * giga, 10);
  EXPECT_NEAR(over(rows[0], rows[1]), of_whole, .01 * of_whole);
  EXPECT_NEAR(over(rows[2], rows[3]), of_slices, .01 * of_slices);
  EXPECT_LT(rows[3].sim_time, rows[1].sim_time) << "it is the shorter time that counts";
}

TEST(ServerLoadOverTheSwitch, FollowsASlowPortAndItsValuesCome) {
  const std::vector<Row> rows = rows_of("server_load_moving.toml", {"job.iterations=14"});
  ASSERT_EQ(rows.size(), 8u);
  for (const Row& row : rows) {
    EXPECT_EQ(row.crc_errors, 0) << row.sync << ' ' << row.server_load << ' ' << row.load_settings;
    EXPECT_EQ(row.sum_errors, 0);
    EXPECT_EQ(row.load->refused, 0);
    const std::int64_t transfers = 2 * 14 + (row.sync == "bsp");  // of each key and worker
    EXPECT_EQ(row.bytes_delivered.n, transfers * 8 * 64'000'000 + row.load->bytes_moved.n);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const Row &fixed = rows[4 * k], &adaptive = rows[4 * k + 2], &budget = rows[4 * k + 3];
    ASSERT_EQ(fixed.server_load + adaptive.server_load, "staticadaptive");
    EXPECT_GT(over(fixed, adaptive), 1.5) << fixed.sync;
    EXPECT_GE(adaptive.load->maps, 2);
    EXPECT_LE(budget.load->bytes_moved.n, 8'000'000 * budget.load->maps);
    EXPECT_GT(adaptive.load->bytes_moved.n, 8'000'000 * adaptive.load->maps);
  }
}

TEST(ServerLoadOverTheSwitch, IsTheSameOnEveryDevice) {
  for (const char* sync : {"job.sync=bsp", "job.sync=bsp_phase"}) {
    const std::vector<std::string> one = {sync, "job.iterations=6", "job.server_load=adaptive", "load.budget=none",
                                          "job.payload=digest"};
    const Row model = rows_of("server_load_moving.toml", one).front();
    for (const char* device : {"verilated_counter", "sysc"}) {
      std::vector<std::string> there = one;
      there.push_back("fabric.device=" + std::string(device));
      EXPECT_EQ(rows_of("server_load_moving.toml", there).front().event_log_hash, model.event_log_hash) << device;
    }
  }
}

/// Ten iterations of four workers whose times of computing differ; the first of two servers has a slow port.
std::vector<std::string> without_common_iterations(const std::string& sync, const std::string& load) {
  return {"job.sync=" + sync,
          "job.server_load=" + load,
          "job.workers=4",
          "job.servers=2",
          "job.iterations=10",
          "job.compute=100 us",
          "compute.jitter=uniform 30 %",
          "seed=7",
          "nodes.rates=25 Gbit/s, 100 Gbit/s",
          "job.slice=256 kB",
          "fabric.tuning=10 us",
          "sync.p=3",
          "scheduler=sunflow_fifo"};
}

TEST(ServerLoadOverTheSwitch, FollowsASlowPortWhereWorkersShareNoIterations) {
  for (const char* sync : {"asp", "ssp", "dssp", "r2sp", "p_of_n", "elastic", "predictive"}) {
    SCOPED_TRACE(sync);
    const auto run = [&](const char* load, const char* payload) {
      std::vector<std::string> all = without_common_iterations(sync, load);
      all.push_back("job.payload=" + std::string(payload));
      return rows_of("server_load.toml", all).front();
    };
    const Row fixed = run("static", "none"), adaptive = run("adaptive", "none");
    EXPECT_GT(over(fixed, adaptive), 1.2);
    EXPECT_EQ(fixed.load->maps, 0);
    EXPECT_GE(adaptive.load->maps, 1);
    EXPECT_GT(adaptive.load->migrating.n, 0);
    for (const char* payload : {"digest", "full"}) {
      const Row row = run("adaptive", payload);
      EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << payload;
      EXPECT_EQ(row.event_log_hash, adaptive.event_log_hash) << payload;
    }
  }
}

TEST(ServerLoadOverTheSwitch, IsTheSameOnEveryDeviceWhereWorkersShareNoIterations) {
  for (const char* sync : {"asp", "predictive"}) {
    std::vector<std::string> all = without_common_iterations(sync, "adaptive");
    const Row model = rows_of("server_load.toml", all).front();
    for (const char* device : {"verilated_counter", "verilated", "sysc"}) {
      all.push_back("fabric.device=" + std::string(device));
      EXPECT_EQ(rows_of("server_load.toml", all).front().event_log_hash, model.event_log_hash) << device;
    }
  }
}

/// A trace in which the slow port is the next server's every `hold` iterations of a run that goes as the formula says.
/// Rates count for what is planned: they change a little before an iteration begins, behind the plan of the migration.
std::string trace_of(const abstract::LoadOutput& run, std::size_t hold, const char* slow) {
  std::string trace = "ns,node,rate\n0,0," + std::string(slow) + "\n";
  for (std::size_t k = hold; k < run.starts_ns.size(); k += hold) {
    const std::string at = std::to_string(run.starts_ns[k] - 200'000) + ",";
    trace += at + std::to_string((k / hold - 1) % 4) + ",1\n" + at + std::to_string(k / hold % 4) + "," + slow + "\n";
  }
  return trace;
}

TEST(ServerLoadOverTheSwitch, TakesAsLongAsTheFormulaSaysHoweverOftenTheSlowPortMoves) {
  struct Case {
    const char* slow;
    std::int64_t rate;
    std::size_t hold;
  };
  for (const Case& one :
       {Case{"1/10", 10 * giga, 20}, {"1/10", 10 * giga, 5}, {"1/10", 10 * giga, 1}, {"1/2", 50 * giga, 2}}) {
    std::vector<Row> rows;
    for (const char* load : {"static", "adaptive"}) {
      abstract::LoadInput input{.keys = std::vector<Bytes>(64, Bytes{1'000'000}),
                                .workers = 8,
                                .rates = abstract::moving_slow_server(4, 40, 100 * giga, one.rate, one.hold),
                                .compute_ns = 0,
                                .policy = load[0] == 's' ? abstract::LoadPolicy::fixed : abstract::LoadPolicy::adaptive,
                                .settings = {}};
      const abstract::LoadOutput expected = abstract::run_load(input);
      Names names = names_here();
      names.load_bandwidth_trace = [&](std::string_view) {
        return parse_bandwidth_trace(trace_of(expected, one.hold, one.slow), "t");
      };
      const std::vector<std::string> overrides = {"fabric.device=model", "nodes.rates=equal", "job.iterations=40",
                                                  "nodes.rate_trace=file:t", "job.server_load=" + std::string(load)};
      rows.push_back(run_point(load_experiment(folder + "server_load.toml", overrides, names).points.front(), {}));
      const std::int64_t ends = expected.starts_ns.back() + expected.iterations_ns.back();
      EXPECT_NEAR(static_cast<double>(rows.back().sim_time.n) / 1000, static_cast<double>(ends),
                  .0002 * static_cast<double>(ends))
          << load << ", " << one.slow << ", " << one.hold;
    }
    EXPECT_EQ(over(rows[0], rows[1]) > 1, one.hold > 1) << "it loses where the network changes as fast as it measures";
  }
}

/// Two servers, four workers; a server's port without light, or words that a timetable loses, are no load.
TEST(ServerLoadOverTheSwitch, TakesNeitherAnOutageNorLostWordsForLoad) {
  for (const char* sync : {"bsp", "bsp_phase"}) {
    if (share() > 1 && std::string_view(sync) == "bsp") continue;  // they go through the same code
    for (const char* disturbance : {"fabric.outages=1: 300 us - 900 us, 0: 2 ms - 2200 us", "nodes.clock_spread=4 us",
                                    "nodes.clock_spread=300 ns"}) {
      SCOPED_TRACE(std::string(sync) + ", " + disturbance);
      const auto run = [&](const char* rates) {
        std::vector<std::string> all = {"job.workers=4",
                                        "job.servers=2",
                                        "job.iterations=6",
                                        "job.slice=64 kB",
                                        "job.compute=50 us",
                                        "job.payload=full",
                                        "job.server_load=adaptive",
                                        "scheduler=colour",
                                        disturbance,
                                        std::string("nodes.rates=") + rates};
        if (std::string(disturbance).starts_with("nodes.")) {
          all.emplace_back("control.mode=timetable");
          all.emplace_back("control.guard=0 ns");
        }
        return run_scheme(sync, all);
      };
      const Row even = run("equal"), slow = run("50 Gbit/s, 100 Gbit/s");
      EXPECT_EQ(even.load->maps, 0);
      EXPECT_EQ(slow.load->maps, 1) << "the rates of servers are seen as they are";
      for (const Row& row : {even, slow}) {
        EXPECT_GT(row.words_retransmitted, 0);
        EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
      }
    }
  }
}

std::string server_load_complaint(const std::vector<std::string>& overrides) {
  return refusal([&] { load_experiment(folder + "server_load.toml", overrides, names_here()); });
}

TEST(ServerLoad, RefusesWhatItDoesntGoWith) {
  const std::string adaptive = "job.server_load=adaptive";
  EXPECT_EQ(server_load_complaint({adaptive, "job.collective=all_reduce", "nodes.rates=equal"}),
            "--set job.server_load=adaptive: job.server_load must be \"placed\" with job.collective \"all_reduce\"");
  EXPECT_NE(server_load_complaint({"load.hysteresis=\"0.9\""}).find("must be from 1 to 1000"), std::string::npos);
  EXPECT_NE(server_load_complaint({"load.ema_shift=17"}).find("must be a whole number from 0 to 16"),
            std::string::npos);
  EXPECT_NE(server_load_complaint({"load.budget=much"}).find("or \"none\""), std::string::npos);
  EXPECT_NE(server_load_complaint({"job.server_load=dynamic"}).find("must be one of placed, static, adaptive"),
            std::string::npos);
}

}  // namespace
}  // namespace ocs::test
