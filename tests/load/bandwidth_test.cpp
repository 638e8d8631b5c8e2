// Bandwidth that changes: the table, rates at an instant, and jobs over switches whose ports keep to them.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbed/experiment/files/bandwidth_trace.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& lines) {
  try {
    parse_bandwidth_trace("ns,node,rate\n" + lines, "t.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "read";
}

TEST(BandwidthTrace, IsReadLineByLine) {
  const auto trace = parse_bandwidth_trace("ns,node,rate\n0,0,25 Gbit/s\r\n7, 3 ,0.25\n7,0,0\n8,0,1/2\n", "t.csv");
  ASSERT_EQ(trace.size(), 4u);
  EXPECT_EQ(trace[0], (BandwidthChange{Picos{0}, 0, 25'000'000'000, 0, 0}));
  EXPECT_EQ(trace[1], (BandwidthChange{Picos{7000}, 3, 0, 1, 4}));
  EXPECT_EQ(rate_changes(trace, 100'000'000'000, 4, Picos{4000}),
            (std::vector<RateChange>{{Cycles{0}, 0, Cycles{4}}, {Cycles{2}, 3, Cycles{4}}, {Cycles{2}, 0, Cycles{2}}}))
      << "7 and 8 ns are in cycle 2, and the later one counts";
}

TEST(BandwidthTrace, RefusesWhatCantBe) {
  EXPECT_THAT(refusal("5,3,1\n4,3,1/2\n"),
              HasSubstr("t.csv:3: the time is \"4\", but must not go back: the line before it is of 5 ns"));
  EXPECT_THAT(refusal("5,3,1\n6,3,0\n7,2,1\n"),
              HasSubstr("t.csv:3: the rate of node 3 is 0 for ever, but must be followed by one above 0"));
  EXPECT_THAT(refusal("5,256,1\n"), HasSubstr("the node is \"256\", but must be a number from 0 to 255"));
  EXPECT_THAT(refusal("5,3,1\n5,4,1\n5,3,1/2\n"), HasSubstr("t.csv:4: the node is \"3\", but must be named once"));
  EXPECT_THAT(refusal("5,3,2\n"), HasSubstr("the rate is \"2\", but must be at most the fabric's rate"));
  EXPECT_THAT(refusal("5,3,fast\n"), HasSubstr("rates are \"25 Gbit/s\", \"0.25\", \"1/4\" or \"0\""));
  EXPECT_THAT(refusal("-5,3,1\n"), HasSubstr("the time is \"-5\", but must be a whole number of ns"));
  EXPECT_THAT(refusal("5,3\n"), HasSubstr("must have three values"));
  EXPECT_THAT(refusal(""), HasSubstr("there is no rate in it"));
  try {
    parse_bandwidth_trace("time,node,rate\n", "t.csv");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the first line is \"time,node,rate\", but must be \"ns,node,rate\""));
  }
}

TEST(PortRates, AreThoseOfTheLatestChange) {
  const PortRates rates(
      {Cycles{2}, Cycles{5}},
      {{Cycles{10}, 0, Cycles{0}}, {Cycles{12}, 1, Cycles{0}}, {Cycles{20}, 0, Cycles{4}}, {Cycles{21}, 1, Cycles{1}}});
  EXPECT_EQ(rates.word(0, Cycles{9}), Cycles{2});
  EXPECT_EQ(rates.word(0, Cycles{10}), Cycles{0});
  EXPECT_EQ(rates.word(0, Cycles{20}), Cycles{4});
  EXPECT_EQ(rates.word(1, Cycles{11}), Cycles{5});
  EXPECT_EQ(rates.both_carry(0, 1, Cycles{9}), Cycles{9});
  EXPECT_EQ(rates.both_carry(0, 1, Cycles{10}), Cycles{21});
  EXPECT_EQ(PortRates().word(7, Cycles{1}), Cycles{1});
  EXPECT_THROW(PortRates({}, {{Cycles{10}, 0, Cycles{3}}}), Error) << "3 doesn't divide 40000";
  EXPECT_THROW(PortRates({}, {{Cycles{10}, 0, Cycles{2}}, {Cycles{9}, 1, Cycles{2}}}), Error);
  EXPECT_THROW(PortRates({}, {{Cycles{10}, 0, Cycles{0}}}), Error);
}

constexpr std::int64_t cycle = 5120, words = 65536, delta = 2001;

/// One server (node 0), two workers, 4 MiB, phases, a circuit after the other; no time to compute.
Row run_with(const std::string& trace, const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> all = {"fabric.device=model",
                                  "fabric.ports=16",
                                  "fabric.tuning=10.24 us",
                                  "job.payload=digest",
                                  "job.compute=0 s",
                                  "job.workers=2",
                                  "job.servers=1",
                                  "job.iterations=3",
                                  "policy=sunflow_equal",
                                  "scheduler=rotation_list",
                                  "nodes.rate_trace=file:t.csv",
                                  "job.workload=file:tests/schemes/one.csv"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
  for (const std::string& each : all) later.push_back(read_override(each));
  apply_overrides(settings, later);
  Names names = all_schemes();
  names.load_bandwidth_trace = [&](std::string_view) { return parse_bandwidth_trace("ns,node,rate\n" + trace, "t"); };
  const Row row = run_point(resolve(settings, names, "x.toml").points.front(), {});
  EXPECT_EQ(row.crc_errors, 0);
  EXPECT_EQ(row.sum_errors, 0);
  return row;
}

/// Of two circuits one after the other, whose words take so many cycles.
constexpr std::int64_t phase(std::int64_t word) { return 2 * (words * word + delta); }

TEST(ChangingBandwidth, CountsForWhatIsPlannedInItsCycleOrLater) {
  // The first push begins at 0 and its plan with it; at 1 ns the server's port gets slower: for the first pull.
  const Row slower = run_with("1,0,1/4\n");
  const std::int64_t after = 2;  // a plan that may reuse a circuit begins a cycle later, twice an iteration
  EXPECT_NEAR(static_cast<double>(slower.pst_min.n) / cycle, static_cast<double>(phase(1) + phase(4)), after);
  EXPECT_NEAR(static_cast<double>(slower.pst_max.n) / cycle, static_cast<double>(2 * phase(4)), after);
  // In cycle 0 it is there already.
  EXPECT_NEAR(static_cast<double>(run_with("0,0,1/4\n").pst_min.n) / cycle, static_cast<double>(2 * phase(4)), after);
  // The slower of both ports decides; a worker's own port slows its transfers alone.
  const std::int64_t one_slow = 2 * (words + words * 4 + 2 * delta);
  EXPECT_NEAR(static_cast<double>(run_with("0,1,1/4\n").pst_min.n) / cycle, static_cast<double>(one_slow), after);
}

TEST(ChangingBandwidth, LetsTransfersWaitWhileAPortHasNone) {
  const std::int64_t millisecond = 1'000'000'000 / cycle + 1;
  const Row row = run_with("0,0,0\n1000000,0,1\n");
  EXPECT_NEAR(static_cast<double>(row.pst_max.n) / cycle, static_cast<double>(millisecond + 2 * phase(1)), 3);
  EXPECT_NEAR(static_cast<double>(row.pst_min.n) / cycle, static_cast<double>(2 * phase(1)), 3);
}

TEST(ChangingBandwidth, IsTheSameOnEveryDeviceAndWithEveryScheme) {
  const std::string trace = "0,0,1/2\n1000000,1,1/5\n2000000,0,1\n2500000,0,0\n3000000,0,1/10\n9000000,1,1\n";
  for (const char* sync : {"bsp_phase", "bsp", "r2sp"}) {
    const std::vector<std::string> scheme = {"job.sync=" + std::string(sync), "job.iterations=8",
                                             "scheduler=sunflow_fifo"};
    const Row model = run_with(trace, scheme);
    for (const char* device : {"verilated", "sysc"}) {
      std::vector<std::string> on = scheme;
      on.push_back("fabric.device=" + std::string(device));
      const Row row = run_with(trace, on);
      EXPECT_EQ(row.event_log_hash, model.event_log_hash) << sync << " on " << device;
      EXPECT_EQ(row.sim_time, model.sim_time);
    }
    EXPECT_GT(model.sim_time, run_with("0,0,1\n", scheme).sim_time);
  }
}

TEST(ChangingBandwidth, RefusesANodeOrARateThatThePortsDontHave) {
  const auto why = [](const std::string& trace) -> std::string {
    try {
      run_with(trace);
    } catch (const Error& error) {
      return error.what();
    }
    return "ran";
  };
  EXPECT_THAT(why("0,3,1/2\n"), HasSubstr("must name nodes below 3, but names node 3"));
  EXPECT_THAT(why("0,1,0.75\n"), HasSubstr("must be fabric.rate over a divisor of 40000"));
  EXPECT_THAT(why("0,1,1/3\n"), HasSubstr("1/3 of 100 Gbit/s isn't one"));
}

}  // namespace
}  // namespace ocs::test
