// Collectives over the Verilated switch against their closed forms, to the cycle; delta = T + L + 1.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/policies.hpp"
#include "tests/collectives/support.hpp"
#include "tests/common/places.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t cycle = 5120, word = 64, delta = 2001;
constexpr std::int64_t compute = 100'000'000;  // ps

/// Words of a leg in which blocks [0, h) and their likes go: the first s mod n blocks are a word larger.
std::int64_t largest(std::int64_t s, std::int64_t n, std::int64_t h) { return s / n * h + std::min(s % n, h); }

/// One burst: each block but one in each round. The two that a rank leaves out are neighbours.
std::int64_t ring_words(std::int64_t s, std::int64_t n) { return 2 * s - 2 * (s / n) - (s % n == n - 1 ? 1 : 0); }

struct Form {
  std::int64_t words, legs;
};

Form form(const std::string& name, std::int64_t s, std::int64_t n) {
  if (name == "ring") return {ring_words(s, n), 1};
  Form sum{0, 0};
  if (name == "recursive_doubling") {
    for (std::int64_t h = 1; h < n; h *= 2) sum.words += s, ++sum.legs;
    return sum;
  }
  for (std::int64_t h = n / 2; h > 1; h /= 2) sum.words += 2 * largest(s, n, h), sum.legs += 2;
  return {sum.words + largest(s, n, 2), sum.legs + 1};  // the turn-over: a block each way, twice
}

void expect(const std::string& name, int n, std::int64_t s) {
  const Form right = form(name, s, n);
  const Row cold = run_point(collective_job(name, n, s * word, {"job.iterations=1"}), {});
  const Row warm = run_point(collective_job(name, n, s * word, {"job.iterations=3"}), {});
  const std::string what = name + ", " + std::to_string(n) + " workers, " + std::to_string(s) + " words";
  const std::int64_t begin = (compute + cycle - 1) / cycle;  // the plan is made in the next cycle
  EXPECT_EQ(cold.sim_time.n, (begin + right.words + right.legs * delta) * cycle) << what;
  const std::int64_t set_ups = name == "recursive_doubling" ? right.legs : right.legs - 1;
  const std::int64_t length = right.words + set_ups * delta + (set_ups < right.legs ? 1 : 0);
  EXPECT_EQ(warm.schemes->iteration_last.n / cycle, begin + length) << what;
  EXPECT_EQ(warm.slices, right.legs) << what;
}

TEST(ClosedForm, OfTheRing) {
  for (const int n : {2, 3, 4, 5, 8, 16})
    for (const int more : {0, 1, n - 1}) expect("ring", n, 1000 * n + more);
}

TEST(Collectives, ComputeTheFixedTimeToo) {
  const Row longer = run_point(collective_job("ring", 4, 6400, {"job.compute=107 us"}), {});
  const Row fixed = run_point(collective_job("ring", 4, 6400, {"compute.fixed=7 us"}), {});
  EXPECT_EQ(fixed.event_log_hash, longer.event_log_hash);
  EXPECT_EQ(fixed.sim_time, longer.sim_time);
  EXPECT_EQ(fixed.schemes->blocked_mean, longer.schemes->blocked_mean) << "computing is no waiting";
}

TEST(ClosedForm, OfHalvingDoubling) {
  for (const int n : {2, 4, 8, 16})
    for (const int more : {0, 1, n / 2, n - 1}) expect("halving_doubling", n, 1000 * n + more);
}

TEST(ClosedForm, OfRecursiveDoubling) {
  for (const int n : {4, 8, 16}) expect("recursive_doubling", n, 1000);
}

/// tests/goldens/sync/closed_forms.json, with words that divide blocks and a whole number of cycles for delta. What is
/// warm begins a cycle after it is asked for (docs/controller.md, rule 3).
TEST(ClosedForm, OfTheGoldensIsExact) {
  std::ifstream file(ocs::test::source_dir() + "/tests/goldens/sync/closed_forms.json");
  const auto goldens = nlohmann::json::parse(file);
  int cases = 0;
  for (const auto& one : goldens.at("cases")) {
    const auto& in = one.at("input");
    const std::int64_t rate = in.at("rate_bps"), bytes = in.at("bytes"), delta_ns = in.at("delta_ns");
    const std::int64_t computed_ns = in.at("compute_ns");
    const int n = in.at("workers");
    const std::int64_t size = delta_ns == 11500 ? 10 : 40,
                       ps = size * 8 * 1000 * (1'000'000'000 / (rate / 1000)) / 1000;
    ASSERT_EQ(bytes % (n * size), 0);
    for (const std::string name : {"ring", "halving_doubling"}) {
      const auto run = [&](const char* iterations) {
        return run_point(collective_job(name, n, bytes,
                                        {"fabric.rate=" + std::to_string(rate) + " bit/s",
                                         "fabric.word=" + std::to_string(size) + " B",
                                         "fabric.tuning=" + std::to_string(delta_ns * 1000 - ps) + " ps",
                                         "job.compute=" + std::to_string(computed_ns) + " ns", iterations}),
                         {});
      };
      const Row cold = run("job.iterations=1"), warm = run("job.iterations=3");
      const std::int64_t begin = (computed_ns * 1000 + ps - 1) / ps * ps;
      EXPECT_EQ((cold.sim_time.n - begin) / 1000, one.at("expect").at(name + "_cold_ns")) << name << " " << n;
      EXPECT_EQ((warm.schemes->iteration_last.n - begin - ps) / 1000, one.at("expect").at(name + "_warm_ns"))
          << name << " " << n;
      ++cases;
    }
  }
  EXPECT_EQ(cases, 8);
}

/// A ring in 2 (n - 1) steps, each a block of every rank. Nothing is dark and nothing is set up; that a step is in is
/// known at once.
TEST(Collectives, OverPacketsTakeTheirWordsAndTheFlightOfEachStep) {
  const int n = 4, s = 4000;
  for (const int fibre : {0, 7}) {
    const std::vector<std::string> packets = {"network=packet", "job.iterations=2",
                                              "fabric.fibre=" + std::to_string(fibre * cycle) + " ps"};
    const Row row = run_point(collective_job("ring", n, s * word, packets), {});
    const std::int64_t step = (s / n + 2 * fibre) * cycle;
    EXPECT_EQ(row.sim_time.n, 2 * (compute + 2 * (n - 1) * step)) << fibre;
    EXPECT_EQ(row.slices, 2 * (n - 1));
    EXPECT_EQ(row.words_passed, 2 * 2 * (n - 1) * s);
  }
}

/// Words of a transfer come together only when its last part is in: a step is a leg.
TEST(Collectives, OnPlanesAndAtUnequalRatesGoStepByStep) {
  const int n = 4, s = 8000;
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"job.iterations=1", "fabric.device=model"});
    return run_point(collective_job("ring", n, s * word, more), {});
  };
  const std::int64_t begin = (compute + cycle - 1) / cycle, steps = 2 * (n - 1);
  // Circuits stay from step to step: each but the first begins a cycle after it is asked for.
  const Row planes = run({"fabric.planes=2", "fabric.split=equal"});
  EXPECT_EQ(planes.slices, steps);
  EXPECT_EQ(planes.sim_time.n, (begin + delta + steps * (s / n / 2) + steps - 1) * cycle);
  const Row slow = run({R"(nodes.rates="100 Gbit/s, 50 Gbit/s")"});
  EXPECT_EQ(slow.slices, steps);
  EXPECT_EQ(slow.sim_time.n, (begin + delta + steps * (s / n) * 2 + steps - 1) * cycle) << "the slowest rank's words";
}

TEST(Collectives, EndWhenARankDiesUnlessTheyAreOverByThen) {
  const Row whole = run_point(collective_job("ring", 4, 6400, {"job.iterations=3"}), {});
  const auto with = [](Picos at) {
    return collective_job("ring", 4, 6400,
                          {"job.iterations=3", "nodes.deaths=2: " + std::to_string(at.n) + " ps, 1: 50 s"});
  };
  EXPECT_EQ(run_point(with(whole.sim_time + Picos{1}), {}).event_log_hash, whole.event_log_hash);
  const Picos at = whole.sim_time - Picos{5120};
  EXPECT_EQ(failure([&] { run_point(with(at), {}); }),
            "node 2 died at " + std::to_string(at.n) + " ps, and a collective needs every rank");
}

TEST(Collectives, EndWithTheIterationThatIsUnderWayAtTheirDuration) {
  const Row three = run_point(collective_job("ring", 4, 6400, {"job.iterations=3"}), {});
  const Row one = run_point(collective_job("ring", 4, 6400, {"job.iterations=1"}), {});
  const auto until = [](Picos duration) {
    return run_point(collective_job("ring", 4, 6400, {"job.duration=" + std::to_string(duration.n) + " ps"}), {});
  };
  EXPECT_EQ(until(one.sim_time).event_log_hash, one.event_log_hash);
  EXPECT_EQ(until(three.sim_time).event_log_hash, three.event_log_hash);
  EXPECT_EQ(until(three.sim_time - Picos{1}).event_log_hash, three.event_log_hash);
  EXPECT_EQ(until(three.sim_time - Picos{1}).schemes->updates, 3 * 4);
}

/// A run of a list of the catalogue.
Point list_job(const CollectiveEntry& entry, int workers, std::int64_t bytes, std::vector<std::string> more) {
  more.insert(more.begin(), "job.collective=" + std::string(name_of(entry.kind)));
  return collective_job(std::string(entry.name), workers, bytes, more);
}

/// Settings under which the scheduler, or one of the policies, sets up circuits for this list.
std::vector<std::string> reconfigurations(const CollectiveEntry& entry) {
  std::vector<std::string> all = {"collective.reconfigure=scheduler"};
  if (is_at_once(entry)) return all;
  for (const ReconfigurationPolicy& policy : reconfiguration_policies())
    all.push_back("collective.reconfigure=" + std::string(policy.name));
  return all;
}

/// Words that a timetable or a dead port loses are sent again; no rank passes on what it hasn't got.
TEST(Collectives, AddUpRightWhereWordsAreLost) {
  for (const CollectiveEntry& entry : collectives())
    for (const char* payload : {"job.payload=none", "job.payload=digest", "job.payload=full"})
      for (const bool timetable : {false, true}) {
        std::vector<std::string> all = {"job.iterations=3", "fabric.device=model", payload};
        if (timetable)
          all.insert(all.end(), {"control.mode=timetable", R"(nodes.clock_offset="0 ns, -3 us")"});
        else
          all.emplace_back("fabric.outages=1: 111 us - 120 us, 2: 250 us - 300 us");
        const Row row = run_point(list_job(entry, 4, 100'000, all), {});
        const std::string what = row.collective + payload + (timetable ? ", timetable" : ", outages");
        EXPECT_GT(row.words_retransmitted, 0) << what;
        EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted, 0) << what;
        all.emplace_back("job.retransmit=false");
        EXPECT_NE(failure([&] {
                    run_point(list_job(entry, 4, 100'000, all), {});
                  }).find("the switch lost them and nothing sends them again"),
                  std::string::npos)
            << what;
      }
}

TEST(Collectives, AddUpRightOverEveryNetwork) {
  for (const CollectiveEntry& entry : collectives())
    for (const char* network : {"network=packet", "fabric.planes=3", R"(nodes.rates="100 Gbit/s, 50 Gbit/s")"}) {
      const std::vector<std::string> base = {"job.iterations=3", "fabric.device=model", network};
      const Row none = run_point(list_job(entry, 8, 100'000, base), {});
      for (const char* payload : {"job.payload=digest", "job.payload=full"}) {
        std::vector<std::string> more = base;
        more.emplace_back(payload);
        const Row row = run_point(list_job(entry, 8, 100'000, more), {});
        EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << row.collective << network << payload;
        EXPECT_EQ(row.sim_time, none.sim_time) << row.collective << network << payload;
        EXPECT_EQ(row.words_passed, none.words_passed) << row.collective << network << payload;
        EXPECT_EQ(row.words_misrouted, 0) << row.collective << network << payload;
      }
    }
}

/// Payload of this list arrives whole and right and changes no event, whether the scheduler or a policy sets up circuits.
void expect_right_payload(const CollectiveEntry& entry, const std::string& reconfigure, const char* latency) {
  const std::vector<std::string> base = {"job.iterations=3", "compute.factors=1: 2", reconfigure,
                                         std::string("nodes.control_latency=") + latency};
  const Row none = run_point(list_job(entry, 8, 100'000, base), {});
  for (const char* payload : {"digest", "full"}) {
    std::vector<std::string> more = base;
    more.push_back(std::string("job.payload=") + payload);
    const Row row = run_point(list_job(entry, 8, 100'000, more), {});
    EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << row.collective << payload;
    EXPECT_EQ(row.event_log_hash, none.event_log_hash) << row.collective << payload;
    EXPECT_EQ(row.sim_time, none.sim_time) << row.collective << payload;
    EXPECT_EQ(row.words_lost + row.words_unrouted + row.words_misrouted, 0) << row.collective << payload;
  }
  EXPECT_EQ(none.schemes->blocked_max.n, compute + (latency[0] == '3' ? 3'000'000 : 0))
      << none.collective << ": the others wait";
}

TEST(Collectives, AddUpRightAndPayloadChangesNoTime) {
  for (const CollectiveEntry& entry : collectives())
    for (const std::string& reconfigure : reconfigurations(entry))
      for (const char* latency : {"0 ns", "3 us"}) expect_right_payload(entry, reconfigure, latency);
}

/// 65536 words, a compute time of 195312.5 cycles.
TEST(Collectives, AreARunOfTheReadyExperiment) {
  const std::string folder = ocs::test::source_dir() + "/testbed/experiments/sync/";
  Names names = all_schemes();
  names.load_workload = [folder](std::string_view table) { return load_workload(table, folder, folder); };
  const Experiment experiment = load_experiment(folder + "collectives.toml", {}, names);
  ASSERT_EQ(experiment.points.size(), 27u);
  for (const Point& point : experiment.points) {
    const Row row = run_point(point, {});
    const Form right = form(row.collective.substr(11), 65536, row.workers);
    const std::int64_t set_ups = right.legs - (row.collective == "all_reduce/recursive_doubling" ? 0 : 1);
    const std::int64_t one = (row.delta.n / cycle) + 1, again = set_ups < right.legs ? 1 : 0;
    EXPECT_EQ(row.schemes->iteration_last.n, (195'313 + right.words + set_ups * one + again) * cycle)
        << row.collective << " " << row.workers << " " << row.delta.n;
    EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << row.collective;
  }
}

TEST(Collectives, AreTheSameOnTheModel) {
  for (const CollectiveEntry& entry : collectives())
    for (const std::string& reconfigure : reconfigurations(entry)) {
      const Row model = run_point(list_job(entry, 16, 1'000'000, {"fabric.device=model", reconfigure}), {});
      const Row compiled = run_point(list_job(entry, 16, 1'000'000, {reconfigure}), {});
      EXPECT_EQ(compiled.event_log_hash, model.event_log_hash) << model.collective;
      EXPECT_EQ(compiled.sim_time, model.sim_time) << model.collective;
    }
}

/// Blocks of 25 words, and light that needs 20 cycles, or 13: twice that must be less than a block.
TEST(Collectives, StreamOnlyWhatHasComeBefore) {
  const auto legs = [](const char* fibre) {
    return run_point(collective_job("ring", 4, 6400, {std::string("fabric.fibre=") + fibre}), {}).slices;
  };
  EXPECT_EQ(legs("61.44 ns"), 1);
  EXPECT_EQ(legs("66.56 ns"), 6);
}

}  // namespace
}  // namespace ocs::test
