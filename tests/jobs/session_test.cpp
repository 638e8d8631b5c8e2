// Coflows that are released over time: on paper and on a switch alike, by every scheduler that can.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <optional>
#include <string>

#include "host/controller/circuit_network.hpp"
#include "host/controller/coflow_session.hpp"
#include "host/controller/event_hash.hpp"
#include "host/core/error.hpp"
#include "host/device/register_switch.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "testbed/engine/engine.hpp"
#include "testbed/jobs/carry.hpp"
#include "testbed/jobs/coflows_job.hpp"
#include "testbed/jobs/planes.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

constexpr int ports = 4;

SessionConfig config_of(std::int64_t lead, std::int64_t fibre) {
  SessionConfig config;
  config.ports = ports;
  config.times.tuning = Cycles{7};
  config.times.locking = Cycles{2};
  config.times.lead = Cycles{lead};
  config.times.fibre = Cycles{fibre};
  config.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
  return config;
}

struct Outcome {
  Carriage carriage;
  SessionStats stats;
  std::uint64_t hash = 0;
};

/// @param device empty: on paper.
Outcome run(const std::vector<Work>& works, const std::string& scheduler, const std::string& device,
            SessionConfig config) {
  const auto rule = make(schedulers(), scheduler, "scheduler");
  std::unique_ptr<Device> body;
  std::unique_ptr<Switch> plane;
  EventHash hash;
  if (!device.empty()) {
    body = make_device(device, {.ports = ports});
    plane = make_register_switch(*body, {.tuning = config.times.tuning, .locking = config.times.locking});
    config.on_event = [&](const Event& event) { hash.add(event); };
  }
  CoflowSession session(plane.get(), *rule, config);
  OneSession carrier(session);
  Outcome result{carry(works, carrier), {}, 0};
  result.stats = session.stats();
  result.hash = hash.value();
  return result;
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
    one.compute = Cycles{*rc::gen::inRange<std::int64_t>(0, 50)};
    one.priority = priorities ? *rc::gen::inRange(0, 2) : 0;
    works.push_back(std::move(one));
    arrival += Cycles{*rc::gen::element<std::int64_t>(0, 3, 40, 400)};
  }
  return works;
}

constexpr std::array<const char*, 7> able = {"sunflow_inter", "sunflow_fifo", "sunflow_fair", "hlf",
                                             "psscheduler",   "sunflow",      "colour"};

TEST(CoflowSessions, AreCarriedOutOnAModelAsOnPaperToTheCycle) {
  EXPECT_TRUE(rc::check([] {
    const std::string scheduler = *rc::gen::elementOf(std::vector<std::string>(able.begin(), able.end()));
    const auto works = any_works(scheduler.starts_with("sunflow_"));
    const auto config = config_of(*rc::gen::element(0, 1, 5), *rc::gen::element(0, 4));
    RC_LOG() << scheduler << ", " << works.size() << " works\n";
    const Outcome paper = run(works, scheduler, "", config), model = run(works, scheduler, "model", config);
    RC_ASSERT(model.stats.late == 0);
    RC_ASSERT(paper.carriage.coflows == model.carriage.coflows);
    RC_ASSERT(paper.carriage.ended == model.carriage.ended);
    RC_ASSERT(paper.stats.plans == model.stats.plans);
  }));
}

/// As one job of the engine, over a circuit network.
Outcome run_job(const std::vector<Work>& works, const std::string& scheduler, const std::string& device,
                const SessionConfig& config) {
  const auto rule = make(schedulers(), scheduler, "scheduler");
  const auto body = make_device(device, {.ports = ports});
  const auto plane = make_register_switch(*body, {.tuning = config.times.tuning, .locking = config.times.locking});
  EventHash hash;
  CircuitConfig network_config;
  network_config.times = config.times;
  network_config.online = network_config.at_ends = true;
  network_config.check = config.check;
  network_config.on_event = [&](const Event& event) { hash.add(event); };
  CircuitNetwork network(*plane, *rule, network_config);
  const Constants constants = plane->constants();
  const Picos cycle = plane->clock().cycle();
  Engine engine(network);
  Outcome result;
  engine.add(Picos{0}, [&](JobActions& actions) {
    return std::make_unique<CoflowsJob>(works, cycle, constants.word_bytes, actions, result.carriage);
  });
  engine.run();
  result.stats.plans = static_cast<std::int64_t>(network.stats().plans.size());
  result.stats.reservations = network.stats().reservations;
  result.stats.set_ups = network.stats().set_ups;
  result.stats.late = network.stats().late;
  result.hash = hash.value();
  return result;
}

TEST(CoflowsOfTheEngine, GiveTheEventsOfASession) {
  EXPECT_TRUE(rc::check([] {
    const std::string scheduler = *rc::gen::elementOf(std::vector<std::string>(able.begin(), able.end()));
    const auto works = any_works(scheduler.starts_with("sunflow_"));
    const auto config = config_of(*rc::gen::element(0, 1, 5), *rc::gen::element(0, 4));
    RC_LOG() << scheduler << ", " << works.size() << " works, lead " << config.times.lead.n << ", fibre "
             << config.times.fibre.n << "\n";
    for (const Work& one : works) {
      RC_LOG() << "at " << one.arrival.n << ", " << one.iterations << " x " << one.compute.n << ", priority "
               << one.priority << ":";
      for (const auto* parts : {&one.push, &one.pull}) {
        for (const CoflowPart& part : *parts) RC_LOG() << " " << part.from << ">" << part.to << ":" << part.words.n;
        RC_LOG() << ";";
      }
      RC_LOG() << "\n";
    }
    const Outcome session = run(works, scheduler, "model", config), job = run_job(works, scheduler, "model", config);
    for (const Outcome* one : {&session, &job}) {
      for (const CoflowTime& t : one->carriage.coflows)
        RC_LOG() << t.work << "." << t.round << " " << t.released.n << "-" << t.ended.n << ", ";
      RC_LOG() << one->stats.plans << " plans\n";
    }
    RC_ASSERT(session.carriage.coflows == job.carriage.coflows);
    RC_ASSERT(session.carriage.ended == job.carriage.ended);
    RC_ASSERT(session.carriage.last == job.carriage.last);
    RC_ASSERT(session.stats.reservations == job.stats.reservations);
    RC_ASSERT(session.stats.set_ups == job.stats.set_ups);
    RC_ASSERT(session.stats.plans == job.stats.plans);
    RC_ASSERT(job.stats.late == 0);
    RC_ASSERT(session.hash == job.hash);
  }));
}

TEST(CoflowSessions, GiveTheSameEventsOnModelAndRtl) {
  const std::vector<Work> works = {
      work(0, {{0, 1, Words{90}}, {2, 1, Words{10}}, {0, 3, Words{4}}}, {{1, 0, Words{9}}}),
      work(30, {{0, 1, Words{5}}}), work(41, {{2, 3, Words{70}}, {3, 2, Words{1}}})};
  for (const char* scheduler : able) {
    const Outcome model = run(works, scheduler, "model", config_of(1, 2));
    const Outcome rtl = run(works, scheduler, "verilated", config_of(1, 2));
    EXPECT_EQ(model.carriage.coflows, rtl.carriage.coflows) << scheduler;
    EXPECT_EQ(model.hash, rtl.hash) << scheduler;
  }
}

TEST(CoflowSessions, PlanAnewWhenACoflowComesAndKeepWhatRuns) {
  // T + L + 1 = 10. Coflow 0 begins 0 -> 1 (100 words) at 0; coflow 1, shorter, comes at 20 and waits for input 0 until
  // 110, but goes before the 0 -> 2 of coflow 0.
  const std::vector<Work> works = {work(0, {{0, 1, Words{100}}, {0, 2, Words{50}}}), work(20, {{0, 3, Words{5}}})};
  const Outcome one = run(works, "sunflow_inter", "model", config_of(0, 0));
  ASSERT_EQ(one.carriage.coflows.size(), 2u);
  EXPECT_EQ(one.carriage.coflows[0], (CoflowTime{1, 0, Cycles{20}, Cycles{125}}));
  EXPECT_EQ(one.carriage.coflows[1], (CoflowTime{0, 0, Cycles{0}, Cycles{185}}));
  EXPECT_EQ(one.stats.plans, 3) << "at 0, at 20, and when coflow 1 has ended";
}

TEST(CoflowSessions, UseAnEstablishedCircuitAfterOneCycle) {
  const std::vector<Work> works = {work(0, {{0, 1, Words{20}}}), work(5, {{0, 1, Words{3}}}),
                                   work(100, {{0, 1, Words{3}}})};
  const Outcome one = run(works, "sunflow_inter", "model", config_of(0, 0));
  EXPECT_EQ(one.carriage.ended, (std::vector<Cycles>{{30}, {34}, {104}}));
  EXPECT_EQ(one.stats.set_ups, 1);
}

TEST(CoflowSessions, LetTheShorterGoBetweenThePushAndThePullOfTheLonger) {
  const std::vector<Work> works = {work(0, {{0, 1, Words{50}}}, {{1, 0, Words{50}}})};
  const Outcome one = run(works, "sunflow_inter", "", config_of(0, 3));
  ASSERT_EQ(one.carriage.coflows.size(), 2u);
  EXPECT_EQ(one.carriage.coflows[0].ended, Cycles{0 + 13 + 50 + 3});
  EXPECT_EQ(one.carriage.coflows[1], (CoflowTime{0, 1, Cycles{66}, Cycles{66 + 66}}));
}

TEST(CoflowSessions, ServeOwnersInTurnWhenTheyShareFairly) {
  // Two owners with one coflow after the other on one input: under shortest first the one of 8 words wins each time.
  std::vector<Work> works = {work(0, {{0, 1, Words{8}}}), work(0, {{0, 2, Words{9}}})};
  for (Work& one : works) one.iterations = 4;
  const Outcome shortest = run(works, "sunflow_inter", "", config_of(0, 0));
  const Outcome fair = run(works, "sunflow_fair", "", config_of(0, 0));
  EXPECT_GT(shortest.carriage.ended[1] - shortest.carriage.ended[0], fair.carriage.ended[1] - fair.carriage.ended[0]);
}

TEST(CarryAlone, TakesNoAccountOfOthers) {
  const std::vector<Work> works = {work(0, {{0, 1, Words{8}}}), work(0, {{0, 1, Words{8}}}),
                                   work(7, {{0, 1, Words{8}}, {2, 1, Words{1}}})};
  const auto rule = make(schedulers(), "sunflow_inter", "scheduler");
  int made = 0;
  const auto fresh = [&] {
    ++made;
    std::vector<std::unique_ptr<CoflowSession>> sessions;
    sessions.push_back(std::make_unique<CoflowSession>(nullptr, *rule, config_of(0, 0)));
    return std::make_unique<PlanesCarrier>(std::move(sessions), PlaneSplit(1, ports, SplitRule::longest, Words{10}));
  };
  EXPECT_EQ(carry_alone(works, fresh), (std::vector<Cycles>{{18}, {18}, {29}}));
  EXPECT_EQ(made, 2);
}

TEST(CoflowSessions, RefuseATimetable) {
  SessionConfig config = config_of(0, 0);
  config.times.mode = ControlMode::timetable;
  const auto rule = make(schedulers(), "sunflow_inter", "scheduler");
  EXPECT_THROW(CoflowSession(nullptr, *rule, config), Error);
}

}  // namespace
}  // namespace ocs::test
