// Every policy of the catalogue runs a job to the right sums, equal on model and RTL, and no faster than its bounds.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/run/run.hpp"
#include "tests/common/places.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

Point tiny(const std::string& policy, const std::vector<std::string>& overrides) {
  Names names = test::few_names();
  names.policies = {policy};
  std::vector<std::string> all = {"policy=" + policy, "fabric.device=model",
                                  "job.workload=file:testbed/experiments/tiny.csv"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return load_experiment(ocs::test::source_dir() + "/testbed/experiments/tiny.toml", all, names).points.at(0);
}

void expect_sound(const Row& row) {
  EXPECT_EQ(row.sum_errors, 0);
  EXPECT_EQ(row.crc_errors, 0);
  EXPECT_EQ(row.words_lost, 0);
  EXPECT_GE(row.pst_min, row.lp_bound);
  EXPECT_GE(row.pst_mean, row.bound);
  EXPECT_EQ(row.pst_pipelined.has_value(), !row.all_stop && !row.extra_fibre);
  if (row.pst_pipelined) {
    EXPECT_GE(*row.pst_pipelined, *row.pipelined_bound);
  }
  EXPECT_GT(row.lp_bound, Picos{0});
}

TEST(EveryPolicy, RunsAJobToTheRightSums) {
  for (const Policy& policy : policies())
    for (const char* colocated : {"false", "true"}) {
      SCOPED_TRACE(std::string(policy.name) + ", colocated " + colocated);
      const std::string where = std::string("job.colocated=") + colocated;
      const Row row = run_point(tiny(std::string(policy.name), {where}), {});
      expect_sound(row);
      EXPECT_EQ(row.allocation, policy.allocation);
      EXPECT_EQ(row.colocated, colocated == std::string("true"));
    }
}

TEST(EveryPolicy, GivesEqualResultsOnTheRtl) {
  for (const Policy& policy : policies()) {
    SCOPED_TRACE(policy.name);
    const Row model = run_point(tiny(std::string(policy.name), {}), {});
    const Row rtl = run_point(tiny(std::string(policy.name), {"fabric.device=verilated"}), {});
    EXPECT_EQ(model.pst_mean, rtl.pst_mean);
    EXPECT_EQ(model.event_log_hash, rtl.event_log_hash);
  }
}

TEST(AllStop, IsCarriedOutAsPlannedByThePoliciesThatPlanForIt) {
  for (const char* policy :
       {"rotor", "solstice_allstop", "bvn_allstop", "tms_allstop", "eclipse_allstop", "edmonds_allstop"})
    for (const char* device : {"model", "verilated"}) {
      SCOPED_TRACE(std::string(policy) + " on " + device);
      const Point point = tiny(policy, {"fabric.all_stop=true", std::string("fabric.device=") + device});
      const Row row = run_point(point, {});
      expect_sound(row);
      EXPECT_TRUE(row.all_stop);
      EXPECT_GT(row.port_held, Cycles{0});
      const Point one = tiny(policy, {"fabric.all_stop=true", "job.iterations=1", "job.compute=5.12 us",
                                      std::string("fabric.device=") + device});
      EXPECT_EQ(run_point(one, {}).pst_mean, to_picos({plan_job(one).pst().n}, one.fabric.cycle));
    }
  EXPECT_NE(test::refusal([] { run_point(tiny("hlf", {"fabric.all_stop=true"}), {}); }).find("all-stop"),
            std::string::npos);
}

/// A few points of the evaluation grid, on 16 ports: what docs/schedulers.md says holds on the RTL too.
TEST(Study, GivesEqualResultsOnTheRtl) {
  Names names = test::few_names();
  for (const Policy& policy : policies()) names.policies.emplace_back(policy.name);
  const std::vector<std::string> spot = {"fabric.ports=16",        "fabric.device=[\"model\", \"verilated\"]",
                                         "fabric.rate=400 Gbit/s", "fabric.tuning=[\"10 us\", \"20 ms\"]",
                                         "job.workload=resnet50",  "job.workers=7",
                                         "job.servers=5"};
  for (const char* file : {"pst.toml", "pst_colocated.toml", "pst_drawn.toml"}) {
    const auto path = std::filesystem::path(ocs::test::source_dir() + "/testbed/experiments") / file;
    const std::vector<Point> points = load_experiment(path, spot, names).points;
    const std::size_t half = points.size() / 2;  // the device varies slowest
    for (std::size_t k = 0; k < half; ++k) {
      const Row model = run_point(points[k], {}), rtl = run_point(points[k + half], {});
      SCOPED_TRACE(std::string(file) + ", " + model.policy);
      EXPECT_EQ(model.device + rtl.device, "modelverilated");
      EXPECT_EQ(model.pst_mean, rtl.pst_mean);
      EXPECT_EQ(model.event_log_hash, rtl.event_log_hash);
      EXPECT_GE(rtl.pst_mean, rtl.lp_bound);
      EXPECT_GE(rtl.pst_mean, rtl.bound);
    }
  }
}

/// The case in which the published gains are largest: seven workers, five servers, dear set-ups.
TEST(Study, ReachesWhatIsPublishedNearSevenWorkersAndFiveServers) {
  Names names = test::few_names();
  const auto pst = [&](const char* policy) {
    const std::vector<std::string> point = {
        "policy=" + std::string(policy), "fabric.rate=400 Gbit/s", "fabric.tuning=20 ms",
        "job.workload=bert_large",       "job.workers=7",          "job.servers=5"};
    return static_cast<double>(
        run_point(load_experiment(ocs::test::source_dir() + "/testbed/experiments/pst.toml", point, names).points.at(0),
                  {})
            .pst_mean.n);
  };
  EXPECT_NEAR(100 * (1 - pst("psscheduler") / pst("sunflow")), 45.4, 0.1);
  EXPECT_NEAR(100 * (1 - pst("psscheduler") / pst("hlf")), 25, 1);
}

TEST(DrawnRates, AreTheRateAHalfOrAQuarterOfIt) {
  const Point point = tiny("hlf", {"nodes.rates=drawn", "seed=5"});
  std::map<std::int64_t, int> rates;
  for (int seed = 0; seed < 20; ++seed)
    for (const std::int64_t rate :
         prepare(tiny("hlf", {"nodes.rates=drawn", "seed=" + std::to_string(seed)})).job.rate_bps)
      ++rates[rate];
  EXPECT_EQ(rates.size(), 3u);
  for (const std::int64_t rate : {25'000'000'000, 50'000'000'000, 100'000'000'000}) EXPECT_GT(rates[rate], 15) << rate;
  EXPECT_GT(plan_job(point).pst(), plan_job(tiny("hlf", {})).pst());
}

/// One synchronisation takes what was planned for it, whatever the nodes' rates and delays.
TEST(UnequalNodes, AreServedAsPlannedOnEveryDevice) {
  const std::vector<std::string> unlike = {"nodes.rates=100 Gbit/s, 20 Gbit/s, 50 Gbit/s, 12.5 Gbit/s",
                                           "job.iterations=1", "job.compute=5.12 us"};
  for (const Policy& policy : policies()) {
    SCOPED_TRACE(policy.name);
    std::vector<Row> rows;
    for (const char* device : {"model", "verilated"}) {
      std::vector<std::string> keys = unlike;
      keys.push_back(std::string("fabric.device=") + device);
      const bool all_stop = policy.name.ends_with("_allstop") || policy.name == "rotor";
      keys.emplace_back(all_stop ? "fabric.all_stop=true" : "nodes.extra_tuning=0 ns, 300 ns, 1 us");
      if (!all_stop) keys.emplace_back("nodes.extra_fibre=200 ns, 0 ns, 2 us");
      const Point point = tiny(std::string(policy.name), keys);
      rows.push_back(run_point(point, {}));
      expect_sound(rows.back());
      EXPECT_EQ(rows.back().pst_mean, to_picos({plan_job(point).pst().n}, point.fabric.cycle));
    }
    EXPECT_EQ(rows[0].event_log_hash, rows[1].event_log_hash);
    EXPECT_GT(rows[0].pst_mean, run_point(tiny(std::string(policy.name), {"job.iterations=1"}), {}).pst_mean);
  }
}

TEST(UnequalNodes, AreServedByTimetableWithoutLoss) {
  for (const char* policy : {"psscheduler", "bvn", "edmonds"}) {
    SCOPED_TRACE(policy);
    const Row row = run_point(tiny(policy, {"nodes.rates=25 Gbit/s, 100 Gbit/s, 10 Gbit/s", "control.mode=timetable",
                                            "control.guard=20 ns", "fabric.device=verilated"}),
                              {});
    expect_sound(row);
    EXPECT_EQ(row.node_rates, "25 Gbit/s, 100 Gbit/s, 10 Gbit/s");
  }
}

TEST(UnequalNodes, LoseAndSendAgainWhatComesTooEarly) {
  const Row row = run_point(tiny("sunflow", {"nodes.rates=25 Gbit/s", "control.mode=timetable",
                                             "nodes.clock_offset=-100 ns", "control.guard=10 ns"}),
                            {});
  EXPECT_GT(row.words_lost, 0);
  EXPECT_EQ(row.sum_errors, 0);
  EXPECT_EQ(row.crc_errors, 0);
}

TEST(UnequalNodes, HaveRatesThatThePortsCanKeep) {
  const auto complaint = [](const std::string& key) { return test::refusal([&] { tiny("hlf", {key}); }); };
  EXPECT_NE(complaint("nodes.rates=slow").find(R"(must be "equal", "drawn", or rates of nodes 0, 1, ...)"),
            std::string::npos);
  EXPECT_EQ(
      complaint("nodes.rates=100 Gbit/s, 30 Gbit/s"),
      "--set nodes.rates=100 Gbit/s, 30 Gbit/s: nodes.rates must be fabric.rate over a divisor of 40000 for every "
      "node, but names 30 Gbit/s; next to it are 25 Gbit/s and 50 Gbit/s");
  EXPECT_NE(complaint("nodes.rates=400 Gbit/s").find("must be at most fabric.rate, 100 Gbit/s"), std::string::npos);
  EXPECT_NE(complaint("nodes.rates=1 bit/s").find("next to it are 2.5 Mbit/s"), std::string::npos);
  EXPECT_NE(complaint("nodes.rates=0 Gbit/s").find("nodes.rates"), std::string::npos);
  EXPECT_NE(
      complaint("nodes.rates=1Gbit/s,1Gbit/s,1Gbit/s,1Gbit/s,1Gbit/s,1Gbit/s").find("each of the 5 nodes, but has 6"),
      std::string::npos);
  EXPECT_NE(complaint("nodes.extra_tuning=-1 us").find("must be times without a sign"), std::string::npos);
  EXPECT_NE(complaint("nodes.extra_tuning=1 h").find("nodes.extra_tuning"), std::string::npos);
  EXPECT_NE(complaint("nodes.extra_tuning=1 us,1 us,1 us,1 us,1 us,1 us").find("has 6 values"), std::string::npos);
}

/// The job waits for a port that lives again; what was cut is sent again, and nothing is summed twice.
TEST(Outages, CostTimeAndNothingElse) {
  for (const char* mode : {"confirmed", "timetable"})
    for (const char* policy : {"sunflow", "bvn"}) {
      SCOPED_TRACE(std::string(mode) + ", " + policy);
      const auto run = [&](const std::string& outages, const char* device) {
        return run_point(tiny(policy, {"fabric.outages=" + outages, "control.guard=20 ns",
                                       std::string("control.mode=") + mode, std::string("fabric.device=") + device}),
                         {});
      };
      const Row whole = run("", "model"), model = run("0: 4 us - 30 us, 3: 1 us - 8 us", "model"),
                rtl = run("0: 4 us - 30 us, 3: 1 us - 8 us", "verilated");
      EXPECT_EQ(model.sum_errors + model.crc_errors, 0);
      EXPECT_EQ(model.bytes_delivered, whole.bytes_delivered);
      EXPECT_GT(model.sim_time, whole.sim_time);
      EXPECT_GT(model.sim_time.n, 30'000'000);
      EXPECT_EQ(model.event_log_hash, rtl.event_log_hash);
      EXPECT_EQ(model.sim_time, rtl.sim_time);
      EXPECT_EQ(model.outages, "0: 4 us - 30 us, 3: 1 us - 8 us");
    }
}

TEST(Outages, AreOfEveryPlane) {
  const auto run = [&](const std::string& outages) {
    return run_point(tiny("sunflow", {"fabric.planes=2", "fabric.outages=" + outages, "fabric.device=verilated"}), {});
  };
  const Row whole = run(""), cut = run("0: 4 us - 50 us");
  EXPECT_EQ(cut.sum_errors + cut.crc_errors, 0);
  EXPECT_EQ(cut.bytes_delivered, whole.bytes_delivered);
  EXPECT_LT(whole.sim_time.n, 50'000'000);
  EXPECT_GT(cut.sim_time.n, 50'000'000);
}

TEST(Outages, AreOfPortsThatLiveBeforeTheyDie) {
  const auto complaint = [](const std::string& value) {
    return test::refusal([&] { tiny("hlf", {"fabric.outages=" + value}); });
  };
  EXPECT_EQ(
      complaint("9: 1 us"),
      "--set fabric.outages=9: 1 us: fabric.outages is \"9: 1 us\", but must name ports from 0 to 4; it names port 9");
  EXPECT_NE(complaint("1 us").find("must be outages of ports"), std::string::npos);
  EXPECT_NE(complaint("x: 1 us").find("must be outages of ports"), std::string::npos);
  EXPECT_NE(complaint("-1: 1 us").find("must be outages of ports"), std::string::npos);
  EXPECT_NE(complaint("1: soon").find("must be a time"), std::string::npos);
  EXPECT_NE(complaint("1: 1 us,").find("must be outages of ports"), std::string::npos);
  EXPECT_NE(complaint("1: 1 us - 1 us").find("the outage of port 1 must last at least one cycle"), std::string::npos);
  EXPECT_NE(complaint("1: 1 us - 5 us, 1: 5 us - 6 us").find("the outages of port 1 must be apart"), std::string::npos);
  EXPECT_NE(complaint("1: 1 us, 1: 5 us").find("the outages of port 1 must be apart"), std::string::npos);
  EXPECT_NE(complaint("1: 1 us - 9 us, 1: 5 us - 6 us").find("the outages of port 1 must be apart"), std::string::npos);
  EXPECT_EQ(tiny("hlf", {"fabric.outages=2: 5 us - 6 us, 1: 1us"}).fabric.outages_cycles.size(), 3u);
}

TEST(Outages, ForGoodEndARunThatNeedsThePort) {
  try {
    run_point(tiny("hlf", {"fabric.outages=1: 3 us"}), {});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("waits for port 1, which is dead and never lives again"),
              std::string::npos);
  }
}

TEST(Seed, HasAnEffectWhereSomethingIsDrawn) {
  const auto idle = [](const char* policy, const char* rates) {
    Experiment experiment;
    experiment.settings = {{"seed", {{Scalar{std::int64_t{3}}, "--set seed"}}, false, "--set seed"}};
    experiment.points = {tiny(policy, {"job.payload=none", "seed=3", std::string("nodes.rates=") + rates})};
    return without_effect(experiment).size();
  };
  EXPECT_EQ(idle("hlf", "equal"), 1u);
  EXPECT_EQ(idle("hlf", "drawn"), 0u);
  EXPECT_EQ(idle("best", "equal"), 0u);
  EXPECT_EQ(idle("random", "equal"), 0u);
}

TEST(Colocated, PutsServersOnTheFirstWorkers) {
  const PreparedJob prepared = prepare(tiny("sunflow", {"job.colocated=true"}));
  EXPECT_EQ(prepared.job.workers, (std::vector<Node>{Node{0}, Node{1}, Node{2}}));
  EXPECT_EQ(prepared.placement.servers, (std::vector<Node>{Node{0}, Node{1}}));
}

TEST(Colocated, NeedsNoMorePortsThanWorkersAndNoMoreServers) {
  EXPECT_EQ(tiny("sunflow", {"job.colocated=true", "job.workers=5"}).node_count(), 5);
  const auto complaint = [](const std::vector<std::string>& overrides) {
    return test::refusal([&] { tiny("sunflow", overrides); });
  };
  EXPECT_EQ(complaint({"job.colocated=true", "job.servers=4"}),
            "--set job.servers=4: job.servers is 4, but must be at most job.workers, which is 3, when job.colocated is "
            "true");
  EXPECT_NE(complaint({"job.colocated=true", "job.workers=6"})
                .find("job.workers is 6, but must be at most fabric.ports, which is 5"),
            std::string::npos);
  EXPECT_NE(complaint({"job.colocated=yes"}).find("must be true or false"), std::string::npos);
}

}  // namespace
}  // namespace ocs
