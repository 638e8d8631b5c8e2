// Jobs by timetable on both devices: times as planned, losses as worked out by hand, one log whoever is first.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "host/controller/circuits/circuit_network.hpp"
#include "host/controller/event_hash.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/registers/register_switch.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/results/print/table.hpp"
#include "testbed/results/text/human.hpp"
#include "testbed/run/run.hpp"
#include "testbed/workloads/input.hpp"
#include "tests/common/places.hpp"
#include "tests/experiment/support.hpp"
#include "tests/nodes/odd_transports.hpp"
#include "tests/nodes/small_job.hpp"

namespace ocs::test {
namespace {

/// Tiny on four ports: two servers on nodes 0 and 1, two workers on 2 and 3; T = 20, L = 2 cycles of 5.12 ns.
Point tiny(std::vector<std::string> more) {
  std::vector<std::string> said = {"policy=sunflow",
                                   "fabric.device=model",
                                   "fabric.ports=4",
                                   "fabric.tuning=100 ns",
                                   "fabric.locking=10 ns",
                                   "control.mode=timetable",
                                   "job.workload=file:testbed/experiments/tiny.csv",
                                   "job.workers=2",
                                   "job.servers=2",
                                   "job.compute=5.12 us",
                                   "job.iterations=1"};
  said.insert(said.end(), more.begin(), more.end());
  return resolved("seed = 1", said).points.at(0);
}

/// With single spaces.
std::string spaced(const std::string& text) {
  std::istringstream words(text);
  std::string all, word;
  while (words >> word) all += word + " ";
  return all;
}

TEST(TimetableJob, TakesTheTimeThatIsPlanned) {
  for (const char* policy : {"psscheduler", "psscheduler_dedicated", "sunflow", "hlf"})
    for (const char* guard : {"0 ns", "40 ns"}) {
      const Point point = tiny({"policy=" + std::string(policy), "control.guard=" + std::string(guard),
                                "control.lead=20 ns", "fabric.fibre=100 ns", "nodes.control_latency=10.24 ns"});
      const Row row = run_point(point, {});
      const PlannedJob planned = plan_job(point);
      EXPECT_EQ(row.pst_mean, to_picos({planned.pst().n}, point.fabric.cycle)) << policy << ", guard " << guard;
      EXPECT_EQ(row.words_lost + row.words_unrouted, 0);
    }
}

TEST(TimetableJob, IsTheSameOnBothDevices) {
  for (const char* spread : {"0 ns", "50 ns", "400 ns"}) {
    Point point = tiny({"control.guard=30 ns", "nodes.clock_spread=" + std::string(spread), "job.iterations=3"});
    const Row model = run_point(point, {});
    point.fabric.device = "verilated";
    const Row verilated = run_point(point, {});
    EXPECT_EQ(model.event_log_hash, verilated.event_log_hash) << spread;
    EXPECT_EQ(model.pst_mean, verilated.pst_mean);
    EXPECT_EQ(model.words_lost, verilated.words_lost);
    EXPECT_EQ(model.words_retransmitted, verilated.words_retransmitted);
  }
}

TEST(TimetableJob, LosesTheFirstWordsOfAnEarlyNodeOnceASetUp) {
  // Worker 2 is 10 cycles early, the guard 3: each circuit that is set up for it loses 7 words. It sends two pushes,
  // each on a circuit of its own: 14. They are offered together when both are lost; delta is then T + L + 2 * 6, and a
  // guard of 6 cycles loses 4 of 7 words; then 12 covers all.
  const Row row = run_point(tiny({"control.guard=15 ns", "nodes.clock_offset=0 ns, 0 ns, -51.2 ns, 0 ns"}), {});
  EXPECT_EQ(row.guard.n, 3 * 5120);
  EXPECT_EQ(row.words_misrouted, 0);
  EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
  EXPECT_EQ(row.words_lost + row.words_unrouted, row.words_retransmitted);
  EXPECT_GE(row.words_retransmitted, 14);
}

TEST(TimetableJob, BeginsToSynchroniseWithItsFirstPushesWhateverIsSentAgain) {
  const Row row = run_point(tiny({"job.compute=0 ns", "control.guard=0 ns", "nodes.clock_offset=-100 ns"}), {});
  EXPECT_GT(row.words_retransmitted, 0);
  EXPECT_EQ(row.pst_mean, row.sim_time);
}

TEST(TimetableJob, EndsWithWhatIsMissingIfNothingIsSentAgain) {
  try {
    run_point(tiny({"job.retransmit=false", "control.guard=15 ns", "nodes.clock_offset=0 ns, 0 ns, -51.2 ns, 0 ns"}),
              {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 1);
    EXPECT_NE(std::string(error.what()).find("(0 to 6); the switch lost them and nothing sends them again"),
              std::string::npos)
        << error.what();
  }
}

TEST(GuardBand, LosesFewerWordsTheLongerTheGuardIsAsTheDocumentSays) {
  const std::string root = ocs::test::source_dir();
  const Experiment experiment = load_experiment(root + "/testbed/experiments/guard.toml", {}, few_names());
  const std::string document = read_text_file(root + "/docs/loss.md", "document", 1 << 20);
  ASSERT_EQ(experiment.points.size(), 8u);
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
  for (const Point& point : experiment.points) {
    const Row row = run_point(point, {});
    EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
    EXPECT_LE(row.words_lost, before);
    EXPECT_TRUE(row.guard < row.clock_spread || row.words_retransmitted == 0);
    before = row.words_lost;
    std::ostringstream printed;
    print_table(printed, {{row}});
    for (const char* heading : {"PST mean", "words lost"}) {
      const std::size_t at = printed.str().find(heading);
      const std::size_t line = printed.str().find('\n', at) + 1;
      std::string numbers = printed.str().substr(line, printed.str().find('\n', line) - line);
      numbers = numbers.substr(numbers.find("  ") + 2);  // without the policy
      EXPECT_NE(spaced(document).find(spaced(numbers)), std::string::npos) << numbers;
    }
  }
}

TEST(TimetableJobs, EndThoughANodeSendsAllOfABurstBeforeItsReservationStarts) {
  for (const char* policy : {"hlf", "sunflow"})
    for (const char* offset : {"-120 ns", "-150 ns"}) {
      const Row row = run_point(tiny({"policy=" + std::string(policy), "control.guard=100 ns", "jobs=[{count = 4}]",
                                      "nodes.clock_offset=" + std::string(offset)}),
                                {});
      EXPECT_GT(row.words_lost + row.words_unrouted, 0) << policy << ", " << offset;
      EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
    }
}

TEST(ClockDrift, MissesTheGuardTheMoreOftenTheLongerClocksAreLeftAloneAsTheDocumentSays) {
  const std::string root = ocs::test::source_dir();
  const Experiment experiment = load_experiment(root + "/testbed/experiments/clock_drift.toml", {}, few_names());
  const std::string document = read_text_file(root + "/docs/loss.md", "document", 1 << 20);
  ASSERT_EQ(experiment.points.size(), 7u);
  for (const Point& point : experiment.points) {
    const Row row = run_point(point, {});
    EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
    ASSERT_TRUE(row.clocks && row.guard_misses);
    EXPECT_EQ(*row.guard_misses == 0, row.words_lost + row.words_unrouted == 0);
    const std::string line = "| " + to_text(point.nodes.clock_sync.n, Dimension::time) + " | " +
                             human_time(row.pst_mean) + " | " + human_count(*row.guard_misses) + " | " +
                             human_count(row.words_lost + row.words_unrouted) + " |\n";
    EXPECT_NE(spaced(document).find(spaced(line)), std::string::npos) << line;
  }
}

TEST(ClockDrift, IsTheSameOnBothDevices) {
  Point point = tiny({"control.guard=10 ns", "nodes.clock_drift=1000", "nodes.clock_sync=30 us", "job.iterations=4"});
  const Row model = run_point(point, {});
  point.fabric.device = "verilated";
  const Row verilated = run_point(point, {});
  EXPECT_EQ(model.event_log_hash, verilated.event_log_hash);
  EXPECT_EQ(model.guard_misses, verilated.guard_misses);
  EXPECT_GT(*model.guard_misses, 0);
}

struct Outcome {
  std::uint64_t hash;
  std::int64_t end, retransmitted, errors;
  bool operator==(const Outcome&) const = default;
};

/// A job on a switch with clocks far off, its messages shuffled by `order`.
Outcome shuffled(std::uint64_t order) {
  const JobSpec spec = small_job(3, 2, false, 20'000);
  const auto device = make(devices(), "model", "device", DeviceConfig{.ports = 5});
  const auto plane = make_register_switch(*device, {.delays = {.tuning = Cycles{100}, .locking = Cycles{5}}});
  const auto scheduler = make(schedulers(), "hlf", "scheduler");
  EventHash hash;
  CircuitConfig config;
  config.times = {.mode = ControlMode::timetable, .tuning = Cycles{100}, .locking = Cycles{5}, .guard = Cycles{2}};
  for (const std::int64_t offset : {-30, 0, 25, 7, -4}) config.times.clock_offset.push_back(Cycles{offset});
  config.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
  config.on_event = [&](const Event& event) { hash.add(event); };
  CircuitNetwork network(*plane, *scheduler, config);
  JobHooks hooks;
  if (order > 0)
    hooks.transport = [order](std::unique_ptr<Transport> inner, std::uint16_t participant) {
      return std::make_unique<ShufflingTransport>(std::move(inner), order * 1000 + participant);
    };
  const JobResult result = run_job(spec, network, nullptr, hooks);
  return {hash.value(), result.end.n, result.words_retransmitted, result.crc_errors + result.sum_errors};
}

TEST(TimetableJob, IsTheSameInWhateverOrderMessagesArrive) {
  const Outcome straight = shuffled(0);
  EXPECT_GT(straight.retransmitted, 0);
  EXPECT_EQ(straight.errors, 0);
  for (std::uint64_t order = 1; order <= 5; ++order) EXPECT_EQ(shuffled(order), straight) << order;
}

}  // namespace
}  // namespace ocs::test
