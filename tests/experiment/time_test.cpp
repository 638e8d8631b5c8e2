// Where the time of workers and ports goes: held against a count by definition, closed forms, and
// the device's counters.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "host/controller/circuits/circuit_network.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/registers/register_switch.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "testbed/engine/port_time.hpp"
#include "testbed/run/node_time.hpp"
#include "testbed/run/run.hpp"
#include "tests/experiment/support.hpp"
#include "tests/nodes/small_job.hpp"

namespace ocs {
namespace {

constexpr Cycles tuning{150}, locking{30};

struct Span {
  Picos from, to;
  bool has(Picos t) const { return from <= t && t < to; }
};

/// Keeps everything that a watcher is told.
class Record final : public OutputWatcher {
 public:
  struct State {
    Picos at;
    EventKind kind;
    std::optional<Input> in;
  };
  Record(Picos cycle, const Fibres& fibre) : cycle_(cycle), fibre_(fibre) {}
  void entered(Output out, EventKind kind, std::optional<Input> in, Cycles at) override {
    states[out].push_back({to_picos(at, cycle_), kind, in});
  }
  void passed(Output out, Input in, Cycles from, Cycles to) override {
    words[{in, out}].push_back(
        {to_picos(from - fibre_.of(index(in)), cycle_), to_picos(to + fibre_.of(index(out)), cycle_)});
  }
  std::map<Output, std::vector<State>> states;
  std::map<std::pair<Input, Output>, std::vector<Span>> words;

 private:
  Picos cycle_;
  Fibres fibre_;
};

ControlTimes control(ControlMode mode = ControlMode::confirmed, const Fibres& fibre = {}) {
  ControlTimes times;
  times.mode = mode;
  times.tuning = tuning;
  times.locking = locking;
  times.fibre = fibre;
  return times;
}

/// A job on the model, watched.
struct Watched {
  Watched(const JobSpec& spec, const std::string& scheduler_name, const ControlTimes& times_of_control = control()) {
    const auto device = make(devices(), "model", "device", DeviceConfig{.ports = spec.ports});
    cycle = device->clock().cycle();
    const auto bare = make_register_switch(*device, {.delays = {.tuning = tuning, .locking = locking}});
    const auto scheduler = make(schedulers(), scheduler_name, "scheduler");
    PortTime port_time(spec.ports);
    NodeTime node_time(spec.ports, cycle, times_of_control.fibre);
    record = std::make_unique<Record>(cycle, times_of_control.fibre);
    WatchedSwitch plane(*bare, {&port_time, &node_time, record.get()});
    CircuitConfig config;
    config.times = times_of_control;
    config.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
    CircuitNetwork network(plane, *scheduler, config);
    JobHooks hooks;
    hooks.moment = [&](const JobMoment& moment) {
      moments.push_back(moment);
      node_time.on(moment);
    };
    result = run_job(spec, network, nullptr, hooks);
    times = node_time.finish(result.end);
    cycles = plane.clock().now();
    port_time.finish(cycles);
    for (const EventKind kind :
         {EventKind::idle, EventKind::tuning, EventKind::locking, EventKind::up, EventKind::held, EventKind::failed})
      ports[kind] = port_time.of(kind);
    for (int port = 0; port < spec.ports; ++port) {
      const Counters counters = plane.counters(static_cast<std::uint16_t>(port));
      dark += counters.dark;
      passed += counters.passed;
    }
  }

  Picos cycle;
  Cycles cycles, dark;
  Words passed;
  JobResult result;
  std::unique_ptr<Record> record;
  std::vector<JobMoment> moments;
  std::map<Node, WorkerTime> times;
  std::map<EventKind, Cycles> ports;
};

/// docs/results.md, "Where the time goes", instant by instant: between two neighbouring instants of
/// `watched` nothing changes.
class ByDefinition {
 public:
  explicit ByDefinition(const Watched& watched) : record_(*watched.record), end_(watched.result.end) {
    std::map<Node, Picos> computes;
    std::map<TransferKey, Picos> offered;
    for (const JobMoment& moment : watched.moments) {
      const TransferKey& key = moment.key;
      instants_.insert(moment.at);
      if (moment.what == JobMoment::What::computes) computes[key.worker] = moment.at;
      if (moment.what == JobMoment::What::offered) offered[key] = moment.at;
      if (moment.what == JobMoment::What::delivered && key.worker != key.server)
        transfers_.push_back({key, {offered.at(key), moment.at}});
      if (moment.what == JobMoment::What::offered && key.phase == TransferPhase::push &&
          computes.contains(key.worker)) {
        compute_[key.worker].push_back({computes.at(key.worker), moment.at});
        computes.erase(key.worker);
      }
    }
    for (const auto& [path, spans] : record_.words)
      for (const Span& span : spans) instants_.insert({span.from, span.to});
    for (const auto& [out, states] : record_.states)
      for (const Record::State& state : states) instants_.insert(state.at);
    instants_.insert({Picos{0}, end_});
  }

  WorkerTime of(Node worker) const {
    WorkerTime time;
    for (auto at = instants_.begin(); *at < end_; ++at) part(time, worker, *at) += *std::next(at) - *at;
    return time;
  }

 private:
  Picos& part(WorkerTime& time, Node worker, Picos t) const {
    for (const Span& span : compute_.at(worker))
      if (span.has(t)) return time.compute;
    bool dark = false;
    for (const auto& [key, under_way] : transfers_) {
      if (key.worker != worker || !under_way.has(t)) continue;
      const Input in{index(key.from())};
      const Output out{index(key.to())};
      if (const auto words = record_.words.find({in, out}); words != record_.words.end())
        for (const Span& span : words->second)
          if (span.has(t)) return time.communication;
      dark = dark || is_dark(out, in, t);
    }
    return dark ? time.dark : time.waiting;
  }

  bool is_dark(Output out, Input in, Picos t) const {
    bool dark = false;
    if (const auto states = record_.states.find(out); states != record_.states.end())
      for (const Record::State& state : states->second)
        if (state.at <= t)
          dark = state.in == in && (state.kind == EventKind::tuning || state.kind == EventKind::locking);
    return dark;
  }

  const Record& record_;
  Picos end_;
  std::set<Picos> instants_;
  std::map<Node, std::vector<Span>> compute_;
  std::vector<std::pair<TransferKey, Span>> transfers_;
};

JobSpec job(int workers, int servers, bool colocate) {
  JobSpec spec = small_job(workers, servers, colocate, 20'001);
  spec.payload = PayloadMode::none;
  spec.compute = Picos{1'234'567};  // no whole cycles
  return spec;
}

void expect_the_definition(const Watched& watched, const std::string& what) {
  const ByDefinition expected(watched);
  ASSERT_EQ(watched.times.size(), 4u);
  Picos dark, waiting;
  for (const auto& [worker, time] : watched.times) {
    const WorkerTime by_definition = expected.of(worker);
    const std::string who = what + ", worker " + std::to_string(index(worker));
    EXPECT_EQ(time.compute, by_definition.compute) << who;
    EXPECT_EQ(time.communication, by_definition.communication) << who;
    EXPECT_EQ(time.dark, by_definition.dark) << who;
    EXPECT_EQ(time.waiting, by_definition.waiting) << who;
    EXPECT_EQ(time.sum(), watched.result.end) << who;
    EXPECT_EQ(time.compute.n, 2 * 1'234'567) << who;
    dark += time.dark;
    waiting += time.waiting;
  }
  EXPECT_GT(dark.n, 0);
  EXPECT_GT(waiting.n, 0);
}

TEST(WorkerTime, IsWhatItsDefinitionSaysAndAddsUpForEachWorker) {
  for (const char* scheduler : {"sunflow", "hlf", "psscheduler", "rotation_list"})
    for (const bool colocate : {false, true}) expect_the_definition(Watched(job(4, 3, colocate), scheduler), scheduler);
}

TEST(WorkerTime, IsTheSameByTimetableAndOnLongFibres) {
  for (const ControlMode mode : {ControlMode::confirmed, ControlMode::timetable})
    for (const Cycles fibre : {Cycles{0}, Cycles{40}, Cycles{100}})
      expect_the_definition(Watched(job(4, 3, true), "sunflow", control(mode, fibre)),
                            "fibre of " + std::to_string(fibre.n) + " cycles");
}

TEST(WorkerTime, IsTheSameOnFibresOfDifferentLengths) {
  const Fibres fibres(std::vector{Cycles{0}, Cycles{70}, Cycles{15}, Cycles{120}, Cycles{0}, Cycles{40}, Cycles{9}});
  for (const ControlMode mode : {ControlMode::confirmed, ControlMode::timetable})
    expect_the_definition(Watched(job(4, 3, true), "sunflow", control(mode, fibres)), "fibres that differ");
}

TEST(WorkerTime, OfOneWorkerAndOneServerIsTheClosedForm) {
  JobSpec spec = job(1, 1, false);
  spec.iterations = 3;
  const Watched watched(spec, "sunflow");
  const WorkerTime& time = watched.times.at(Node{1});
  const Picos words = watched.cycle * to_words(Bytes{20'001}, 64).n;
  EXPECT_EQ(time.compute, spec.compute * 3);
  EXPECT_EQ(time.communication, words * 6);
  EXPECT_EQ(time.dark, to_picos(tuning + locking, watched.cycle) * 2);  // each circuit is set up once and stays
  EXPECT_EQ(time.waiting, watched.result.end - time.compute - time.communication - time.dark);
  EXPECT_LT(time.waiting, watched.cycle * 13);  // the cycles in which commits and bursts are given
}

/// Worker 1 and server 0, told by hand; a cycle is 10 ps.
struct ByHand {
  NodeTime time{2, Picos{10}, Cycles{0}};
  void moment(JobMoment::What what, std::int64_t at, TransferPhase phase = TransferPhase::push) {
    time.on({what, Picos{at}, {0, phase, Node{1}, Node{0}}});
  }
  void state(EventKind kind, std::int64_t cycle) { time.entered(Output{0}, kind, Input{1}, Cycles{cycle}); }
  void expect(std::int64_t end, WorkerTime expected) {
    const WorkerTime got = time.finish(Picos{end}).at(Node{1});
    EXPECT_EQ(got.compute, expected.compute);
    EXPECT_EQ(got.communication, expected.communication);
    EXPECT_EQ(got.dark, expected.dark);
    EXPECT_EQ(got.waiting, expected.waiting);
  }
};
using What = JobMoment::What;

TEST(WorkerTime, CountsOnlyTheDarknessWhileATransferIsUnderWay) {
  ByHand by_hand;
  by_hand.moment(What::computes, 0);
  by_hand.state(EventKind::tuning, 5);    // the circuit of nothing yet
  by_hand.moment(What::offered, 100);     // dark since 50
  by_hand.state(EventKind::locking, 12);  // 120
  by_hand.moment(What::delivered, 170);   // given up, still dark
  by_hand.state(EventKind::up, 30);
  by_hand.expect(400, {.compute = {100}, .communication = {}, .dark = {70}, .waiting = {230}});
}

TEST(WorkerTime, CountsWordsOnceThatAreSentAgainWhileTheFirstAreOnTheirWay) {
  ByHand by_hand;
  by_hand.moment(What::offered, 0);
  by_hand.time.passed(Output{0}, Input{1}, Cycles{2}, Cycles{5});
  by_hand.moment(What::offered, 100);  // the same transfer, what of it is missing
  by_hand.time.passed(Output{0}, Input{1}, Cycles{10}, Cycles{12});
  by_hand.moment(What::delivered, 130);
  by_hand.time.passed(Output{0}, Input{1}, Cycles{14}, Cycles{15});
  by_hand.moment(What::delivered, 150);
  by_hand.time.passed(Output{0}, Input{1}, Cycles{16}, Cycles{18});  // nobody's
  by_hand.expect(200, {.compute = {}, .communication = {60}, .dark = {}, .waiting = {140}});
}

TEST(WorkerTime, CountsWordsOfATransferOnlyFromItsOfferOn) {
  ByHand by_hand;
  by_hand.moment(What::offered, 50, TransferPhase::pull);  // the other direction: no words of this circuit
  by_hand.time.passed(Output{0}, Input{1}, Cycles{6}, Cycles{9});
  by_hand.moment(What::offered, 100);
  by_hand.time.passed(Output{0}, Input{1}, Cycles{9}, Cycles{15});  // half of it before
  by_hand.moment(What::delivered, 150);
  by_hand.moment(What::delivered, 160, TransferPhase::pull);
  by_hand.expect(160, {.compute = {}, .communication = {50}, .dark = {}, .waiting = {110}});
}

TEST(WorkerTime, HidesWordsBehindComputing) {
  ByHand by_hand;
  by_hand.moment(What::offered, 0, TransferPhase::pull);
  by_hand.moment(What::computes, 40);
  by_hand.time.passed(Output{1}, Input{0}, Cycles{2}, Cycles{7});
  by_hand.moment(What::delivered, 70, TransferPhase::pull);
  by_hand.moment(What::offered, 90);
  by_hand.moment(What::delivered, 100);
  by_hand.expect(100, {.compute = {50}, .communication = {20}, .dark = {}, .waiting = {30}});
}

TEST(PortTime, AddsUpAndAgreesWithTheCountersOfTheDevice) {
  for (const std::string scheduler : {"sunflow", "psscheduler", "rotation_list"}) {
    const JobSpec spec = job(3, 3, true);
    const Watched watched(spec, scheduler);
    Cycles sum;
    for (const auto& [state, cycles] : watched.ports) sum += cycles;
    EXPECT_EQ(sum.n, watched.cycles.n * spec.ports);
    EXPECT_EQ(watched.ports.at(EventKind::tuning) + watched.ports.at(EventKind::locking), watched.dark);
    EXPECT_EQ(watched.ports.at(EventKind::tuning).n * locking.n, watched.ports.at(EventKind::locking).n * tuning.n);
    EXPECT_GE(watched.ports.at(EventKind::up).n, watched.passed.n);
    EXPECT_GT(watched.passed.n, 0);
  }
}

TEST(PortTime, CountsOutputsThatAreHeld) {
  const auto device = make(devices(), "model", "device", DeviceConfig{.ports = 4});
  const auto bare =
      make_register_switch(*device, {.delays = {.tuning = Cycles{10}, .locking = Cycles{5}}, .all_stop = true});
  PortTime time(4);
  WatchedSwitch plane(*bare, {&time});
  std::vector<Event> events;
  const auto until = [&](Cycles t) {
    while (plane.clock().run_until(t) < t) plane.take_events(events);
    plane.take_events(events);
  };
  plane.commit({Cycles{0}, {{Output{1}, Input{0}}}});
  until(Cycles{40});
  plane.commit({Cycles{40}, {{Output{2}, Input{3}}}});  // output 1 is held for 15 cycles
  until(Cycles{100});
  plane.commit({Cycles{100}, {{Output{1}, std::nullopt}}});
  until(Cycles{200});
  time.finish(plane.clock().now());
  EXPECT_EQ(time.of(EventKind::tuning), Cycles{20});
  EXPECT_EQ(time.of(EventKind::locking), Cycles{10});
  EXPECT_EQ(time.of(EventKind::held), Cycles{15});
  EXPECT_EQ(time.of(EventKind::up), Cycles{(101 - 16 - 15) + (200 - 56)});
  Cycles dark;
  for (std::uint16_t port = 0; port < 4; ++port) dark += plane.counters(port).dark;
  EXPECT_EQ(time.of(EventKind::tuning) + time.of(EventKind::locking) + time.of(EventKind::held), dark);
}

TEST(WatchedSwitch, FollowsTablesThatTheSwitchPlaysByItself) {
  const auto device = make(devices(), "model", "device", DeviceConfig{.ports = 4});
  const auto bare = make_register_switch(*device, {.delays = {.tuning = Cycles{10}}});
  Record record(Picos{1}, Cycles{0});
  WatchedSwitch plane(*bare, {&record});
  std::vector<Event> events;
  const auto until = [&](Cycles t) {
    while (plane.clock().run_until(t) < t) plane.take_events(events);
    plane.take_events(events);
  };
  plane.commit({Cycles{0}, {{Output{3}, Input{2}}}});
  plane.clock().run_until(Cycles{1});  // taken, and the table knows it; told of only later
  ASSERT_FALSE(plane.repeat(std::vector<Commit>{{Cycles{20}, {{Output{0}, Input{1}}}},
                                                {Cycles{50}, {{Output{0}, Input{3}}, {Output{1}, Input{0}}}},
                                                {Cycles{80}, {{Output{3}, std::nullopt}}}},
                            Cycles{100}));
  until(Cycles{170});
  plane.repeat({}, Cycles{0});
  until(Cycles{175});
  ASSERT_FALSE(plane.commit({Cycles{175}, {{Output{0}, Input{1}}}}));
  until(Cycles{200});
  std::vector<std::string> told;
  for (const auto& [out, states] : record.states)
    for (const Record::State& state : states)
      if (state.kind == EventKind::tuning || state.kind == EventKind::idle)
        told.push_back(std::to_string(index(out)) + " from " + (state.in ? std::to_string(index(*state.in)) : "none") +
                       " at " + std::to_string(state.at.n));
  EXPECT_EQ(told,
            (std::vector<std::string>{"0 from 1 at 21", "0 from 3 at 51", "0 from 1 at 121", "0 from 3 at 151",
                                      "0 from 1 at 176", "1 from 0 at 51", "1 from none at 121", "1 from 0 at 151",
                                      "3 from 2 at 1", "3 from none at 81", "3 from 2 at 121"}));
}

TEST(WatchedSwitch, PausesOnLongWaysAndChangesNothing) {
  const auto device = make(devices(), "model", "device", DeviceConfig{.ports = 4, .time_warp = false});
  const auto bare = make_register_switch(*device, {.delays = {.tuning = Cycles{10}}});
  int pauses = 0;
  WatchedSwitch plane(*bare, {}, [&] {
    if (++pauses == 5) throw Error(ErrorKind::run, "enough");
  });
  EXPECT_EQ(plane.clock().run_until(WatchedSwitch::slice * 3), WatchedSwitch::slice * 3);
  EXPECT_EQ(pauses, 2);
  plane.commit({plane.clock().now(), {{Output{1}, Input{0}}}});
  EXPECT_EQ(plane.clock().run_until(WatchedSwitch::slice * 9), WatchedSwitch::slice * 3 + Cycles{1});
  std::vector<Event> events;
  plane.take_events(events);
  EXPECT_EQ(events.at(0).kind, EventKind::committed);
  plane.clock().run_until(WatchedSwitch::slice * 4);
  plane.take_events(events);
  EXPECT_THROW(plane.clock().run_until(never<Cycles>), Error);
}

TEST(RunOfAPoint, CanBeBrokenOffOnALongWayWithoutTimeWarp) {
  const Point point = test::resolved(
                          "policy = 'hlf'\nfabric.device = 'model'\nfabric.ports = 8\nfabric.tuning = '5 s'\n"
                          "fabric.time_warp = false\njob.workers = 3\njob.servers = 2\njob.payload = 'none'")
                          .points.at(0);
  struct Enough {};
  RunOptions options;
  int pauses = 0;
  options.pause = [&] {
    if (++pauses == 3) throw Enough();
  };
  EXPECT_THROW(run_point(point, options), Enough);
}

}  // namespace
}  // namespace ocs
