// Coflows that are released over time: on paper and on a switch alike, by every scheduler that can.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <string>

#include "host/controller/circuits/circuit_network.hpp"
#include "host/controller/event_hash.hpp"
#include "host/controller/paper_switch.hpp"
#include "host/core/error.hpp"
#include "host/device/registers/register_switch.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "testbed/jobs/coflows_job.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

constexpr int ports = 4;
constexpr Picos cycle{5120};

CircuitConfig config_of(std::int64_t lead, std::int64_t fibre) {
  CircuitConfig config;
  config.times.tuning = Cycles{7};
  config.times.locking = Cycles{2};
  config.times.lead = Cycles{lead};
  config.times.fibre = Cycles{fibre};
  config.online = config.at_ends = true;
  config.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
  return config;
}

struct Outcome {
  CarriedCoflows carried;
  NetworkStats stats;
  std::uint64_t hash = 0;
};

/// @param device empty: on paper.
Outcome run(const std::vector<Work>& works, const std::string& scheduler, const std::string& device,
            CircuitConfig config) {
  const auto rule = make(schedulers(), scheduler, "scheduler");
  std::unique_ptr<Device> body;
  std::unique_ptr<Switch> plane;
  if (device.empty()) {
    plane = std::make_unique<PaperSwitch>(ports, 64, cycle, config.times);
  } else {
    body = make_device(device, {.ports = ports});
    plane = make_register_switch(*body, {.delays = {.tuning = config.times.tuning, .locking = config.times.locking}});
  }
  EventHash hash;
  config.on_event = [&](const Event& event) { hash.add(event); };
  CircuitNetwork network(*plane, *rule, config);
  const CoflowsSpec spec{.works = works, .cycle = plane->clock().cycle(), .word_bytes = plane->constants().word_bytes};
  const CoflowsResult result = run_coflows(spec, network, nullptr, nullptr);
  return {result.carried, network.stats(), hash.value()};
}

Work work(std::int64_t arrival, std::vector<CoflowPart> push, std::vector<CoflowPart> pull = {}) {
  return {.arrival = Cycles{arrival}, .push = std::move(push), .pull = std::move(pull)};
}

std::vector<CoflowPart> any_parts() {
  std::vector<CoflowPart> parts;
  for (std::uint16_t from = 0; from < ports; ++from)
    for (std::uint16_t to = 0; to < ports; ++to)
      if (from != to && *rc::gen::inRange(0, 3) == 0)
        parts.push_back({from, to, Words{*rc::gen::inRange<std::int64_t>(1, 60)}});
  return parts;
}

std::vector<Work> any_works(bool priorities) {
  std::vector<Work> works;
  Cycles arrival{0};
  for (int count = *rc::gen::inRange(1, 7); count > 0; --count) {
    Work one = work(arrival.n, any_parts(), any_parts());
    one.iterations = *rc::gen::inRange(1, 3);
    one.compute = {Cycles{*rc::gen::inRange<std::int64_t>(0, 50)}};
    one.priority = priorities ? *rc::gen::inRange(0, 2) : 0;
    works.push_back(std::move(one));
    arrival += Cycles{*rc::gen::element<std::int64_t>(0, 3, 40, 400)};
  }
  return works;
}

constexpr std::array<const char*, 7> able = {"sunflow_inter", "sunflow_fifo", "sunflow_fair", "hlf",
                                             "psscheduler",   "sunflow",      "colour"};

TEST(Coflows, AreCarriedOutOnAModelAsOnPaperToTheCycle) {
  EXPECT_TRUE(rc::check([] {
    const std::string scheduler = *rc::gen::elementOf(std::vector<std::string>(able.begin(), able.end()));
    const auto works = any_works(scheduler.starts_with("sunflow_"));
    const auto config = config_of(*rc::gen::element(0, 1, 5), *rc::gen::element(0, 4));
    RC_LOG() << scheduler << ", " << works.size() << " works\n";
    const Outcome paper = run(works, scheduler, "", config), model = run(works, scheduler, "model", config);
    RC_ASSERT(model.stats.late == 0);
    RC_ASSERT(paper.stats.late == 0);
    RC_ASSERT(paper.carried.coflows == model.carried.coflows);
    RC_ASSERT(paper.carried.ended == model.carried.ended);
    RC_ASSERT(paper.stats.plans.size() == model.stats.plans.size());
    RC_ASSERT(paper.stats.reservations == model.stats.reservations);
    RC_ASSERT(paper.stats.set_ups == model.stats.set_ups);
  }));
}

TEST(Coflows, GiveTheSameEventsOnModelAndRtl) {
  const std::vector<Work> works = {
      work(0, {{0, 1, Words{90}}, {2, 1, Words{10}}, {0, 3, Words{4}}}, {{1, 0, Words{9}}}),
      work(30, {{0, 1, Words{5}}}), work(41, {{2, 3, Words{70}}, {3, 2, Words{1}}})};
  for (const char* scheduler : able) {
    const Outcome model = run(works, scheduler, "model", config_of(1, 2));
    const Outcome rtl = run(works, scheduler, "verilated", config_of(1, 2));
    EXPECT_EQ(model.carried.coflows, rtl.carried.coflows) << scheduler;
    EXPECT_EQ(model.hash, rtl.hash) << scheduler;
  }
}

TEST(Coflows, PlanAnewWhenACoflowComesAndKeepWhatRuns) {
  // T + L + 1 = 10. Coflow 0 begins 0 -> 1 (100 words) at 0; coflow 1, shorter, comes at 20 and waits for input 0 until
  // 110, but goes before the 0 -> 2 of coflow 0.
  const std::vector<Work> works = {work(0, {{0, 1, Words{100}}, {0, 2, Words{50}}}), work(20, {{0, 3, Words{5}}})};
  const Outcome one = run(works, "sunflow_inter", "model", config_of(0, 0));
  ASSERT_EQ(one.carried.coflows.size(), 2u);
  EXPECT_EQ(one.carried.coflows[0], (CoflowTime{1, 0, Cycles{20}, Cycles{125}}));
  EXPECT_EQ(one.carried.coflows[1], (CoflowTime{0, 0, Cycles{0}, Cycles{185}}));
  EXPECT_EQ(one.stats.plans.size(), 3u) << "at 0, at 20, and when coflow 1 has ended";
}

TEST(Coflows, UseAnEstablishedCircuitAfterOneCycle) {
  const std::vector<Work> works = {work(0, {{0, 1, Words{20}}}), work(5, {{0, 1, Words{3}}}),
                                   work(100, {{0, 1, Words{3}}})};
  const Outcome one = run(works, "sunflow_inter", "model", config_of(0, 0));
  EXPECT_EQ(one.carried.ended, (std::vector<Cycles>{{30}, {34}, {104}}));
  EXPECT_EQ(one.stats.set_ups, 1);
}

TEST(Coflows, LetTheShorterGoBetweenThePushAndThePullOfTheLonger) {
  const std::vector<Work> works = {work(0, {{0, 1, Words{50}}}, {{1, 0, Words{50}}})};
  const Outcome one = run(works, "sunflow_inter", "", config_of(0, 3));
  ASSERT_EQ(one.carried.coflows.size(), 2u);
  EXPECT_EQ(one.carried.coflows[0].ended, Cycles{0 + 13 + 50 + 3});
  EXPECT_EQ(one.carried.coflows[1], (CoflowTime{0, 1, Cycles{66}, Cycles{66 + 66}}));
}

TEST(Coflows, ServeOwnersInTurnWhenTheyShareFairly) {
  // Two owners with one coflow after the other on one input: under shortest first the one of 8 words wins each time.
  std::vector<Work> works = {work(0, {{0, 1, Words{8}}}), work(0, {{0, 2, Words{9}}})};
  for (Work& one : works) one.iterations = 4;
  const Outcome shortest = run(works, "sunflow_inter", "", config_of(0, 0));
  const Outcome fair = run(works, "sunflow_fair", "", config_of(0, 0));
  EXPECT_GT(shortest.carried.ended[1] - shortest.carried.ended[0], fair.carried.ended[1] - fair.carried.ended[0]);
}

AloneRules alone(const ControlTimes& times) {
  return {.ports = ports,
          .planes = 1,
          .split = PlaneSplit(1, ports, SplitRule::longest, Words{times.set_up().n}),
          .times = times,
          .seed = 0};
}

TEST(TimesAlone, TakeNoAccountOfOthers) {
  const std::vector<Work> works = {work(0, {{0, 1, Words{8}}}), work(0, {{0, 1, Words{8}}}),
                                   work(7, {{0, 1, Words{8}}, {2, 1, Words{1}}})};
  const auto rule = make(schedulers(), "sunflow_inter", "scheduler");
  EXPECT_EQ(times_alone(works, alone(config_of(0, 0).times), *rule), (std::vector<Cycles>{{18}, {18}, {29}}));
}

TEST(TimesAlone, AreThoseOfANetworkOnPaper) {
  EXPECT_TRUE(rc::check([] {
    const std::string scheduler = *rc::gen::elementOf(std::vector<std::string>(able.begin(), able.end()));
    const auto works = any_works(false);
    const auto config = config_of(*rc::gen::element(0, 1, 5), *rc::gen::element(0, 4));
    const auto rule = make(schedulers(), scheduler, "scheduler");
    const std::vector<Cycles> lengths = times_alone(works, alone(config.times), *rule);
    for (std::size_t w = 0; w < works.size(); ++w) {
      Work one = works[w];
      one.arrival = {};
      RC_ASSERT(run({one}, scheduler, "", config).carried.ended.front() == lengths[w]);
    }
  }));
}

TEST(Coflows, GoByTimetableOnPaperAndOnAModelToTheCycle) {
  CircuitConfig config = config_of(0, 0);
  config.times.mode = ControlMode::timetable;
  config.times.guard = Cycles{3};  // delta = 7 + 2 + 2 * 3
  for (const char* device : {"", "model", "verilated"}) {
    SCOPED_TRACE(device);
    const Outcome outcome = run({work(0, {{0, 1, Words{8}}}, {{1, 0, Words{8}}}), work(30, {{2, 3, Words{5}}})},
                                "sunflow_inter", device, config);
    // Asked for in 0: start 1, up 16, end 24. The pull: start 25, up 40, end 48. The other: start 31, up 46, end 51.
    EXPECT_EQ(outcome.carried.ended, (std::vector<Cycles>{Cycles{48}, Cycles{51}}));
    EXPECT_EQ(outcome.stats.late, 0);
  }
}

}  // namespace
}  // namespace ocs::test
