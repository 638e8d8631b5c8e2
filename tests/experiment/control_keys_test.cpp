// The keys of control, fibre and clocks: what they mean in cycles, and what is refused.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "testbed/experiment/files/clock_offset.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/experiment/plan.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::refusal;
using test::resolved;

/// Four nodes, T = 20 and L = 2 cycles of 5.12 ns.
Point small(const std::vector<std::string>& overrides) {
  std::vector<std::string> all = {"policy=sunflow",       "fabric.ports=4", "fabric.tuning=100 ns",
                                  "fabric.locking=10 ns", "job.workers=2",  "job.servers=2"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return resolved("seed = 1", all).points.at(0);
}

std::string control_keys_complaint(const std::string& override) {
  return refusal([&] { small({override}); });
}

TEST(ControlKeys, AreByDefaultThoseOfAConfirmedSwitchWithoutDistance) {
  const Point point = small({});
  const ControlTimes times = control_times(point);
  EXPECT_EQ(times.mode, ControlMode::confirmed);
  EXPECT_EQ(times.tuning, Cycles{20});
  EXPECT_EQ(times.locking, Cycles{2});
  EXPECT_EQ(times.set_up(), Cycles{23});
  EXPECT_EQ(times.clock_offset, std::vector<Cycles>(4));
  EXPECT_TRUE(point.job.retransmit);
  EXPECT_EQ(point.nodes.control_latency, Picos{0});
}

TEST(ControlKeys, AreRoundedUpToCyclesEachOnItsOwn) {
  const ControlTimes times = control_times(
      small({"control.mode=timetable", "control.guard=6 ns", "control.lead=5.13 ns", "fabric.fibre=1 ps"}));
  EXPECT_EQ(times.mode, ControlMode::timetable);
  EXPECT_EQ(times.guard, Cycles{2});
  EXPECT_EQ(times.lead, Cycles{2});
  EXPECT_EQ(times.fibre, Cycles{1});
  EXPECT_EQ(times.set_up(), Cycles{20 + 2 + 2 * 2});
  for (const bool reuses : {false, true}) EXPECT_EQ(times.origin(Cycles{100}, reuses), Cycles{100 + 1 + 2 + 1});
}

TEST(ControlKeys, MakeAConfirmedSetUpLongerByLeadAndFibre) {
  const ControlTimes times = control_times(small({"control.lead=10.24 ns", "fabric.fibre=36 ns"}));
  EXPECT_EQ(times.set_up(), Cycles{20 + 2 + 1 + 2 + 8});
  EXPECT_EQ(times.origin(Cycles{100}, false), Cycles{100});
  EXPECT_EQ(times.origin(Cycles{100}, true), Cycles{111});
}

TEST(ControlKeys, ATimetableWithoutAnyDelayStillKeepsACycleBetweenBursts) {
  const ControlTimes times =
      control_times(small({"control.mode=timetable", "fabric.tuning=0 ns", "fabric.locking=0 ns"}));
  EXPECT_EQ(times.set_up(), Cycles{1});
}

TEST(ControlKeys, APlanCountsEveryWayThereIs) {
  const std::vector<std::string> far = {"fabric.fibre=51.2 ns", "nodes.control_latency=102.4 ns"};
  const PlannedJob near_plan = plan_job(small({})), far_plan = plan_job(small(far));
  EXPECT_EQ(far_plan.push.problem.delta.n, near_plan.push.problem.delta.n + 10);
  EXPECT_EQ(far_plan.pull.asked, far_plan.push.end + Ticks{10 + 2 * 20});
  EXPECT_EQ(far_plan.pst(), far_plan.pull.end + Ticks{10});
}

TEST(ExtraFibre, IsOfAllNodesOrOfEachInTurnAndRoundedWithTheFibre) {
  EXPECT_EQ(control_times(small({"nodes.extra_fibre=6 ns", "fabric.fibre=3 ns"})).fibre, Fibres{Cycles{2}});
  const Point point = small({"nodes.extra_fibre=0 ns, 6 ns", "fabric.fibre=3 ns"});
  EXPECT_EQ(control_times(point).fibre, Fibres(std::vector{Cycles{1}, Cycles{2}, Cycles{1}, Cycles{1}}));
  EXPECT_EQ(point.fabric.fibre_cycles, Cycles{2}) << "of the node that is farthest";
  EXPECT_FALSE(control_times(small({"nodes.extra_fibre=0 ns, 1 ns", "fabric.fibre=2 ns"})).fibre.differ());
}

TEST(ExtraFibre, MakesAConfirmedSetUpLongerByThatOfItsSender) {
  ControlTimes times = control_times(small({"nodes.extra_fibre=0 ns, 51.2 ns", "control.lead=10.24 ns"}));
  const std::vector<Ticks> all = times.pair_set_ups(4);
  ASSERT_EQ(all.size(), 16u);
  for (std::size_t pair = 0; pair < all.size(); ++pair)
    EXPECT_EQ(all[pair].n, 20 + 2 + 1 + 2 + (pair / 4 == 1 ? 10 : 0)) << pair;
  EXPECT_EQ(times.set_up(), Cycles{35});
  EXPECT_EQ(times.origin(Cycles{100}, true), Cycles{100 + 1 + 2 + 10});
  times.mode = ControlMode::timetable;
  EXPECT_TRUE(times.pair_set_ups(4).empty());
}

TEST(ExtraFibre, OfReceiversDelaysWhatIsAskedForNext) {
  const PlannedJob plan = plan_job(small({"nodes.extra_fibre=0 ns, 51.2 ns, 102.4 ns, 153.6 ns"}));
  EXPECT_GE(plan.push.arrived, plan.push.end);
  EXPECT_LE(plan.push.arrived, plan.push.end + Ticks{30});
  EXPECT_EQ(plan.pull.asked, plan.push.arrived);
  EXPECT_EQ(plan.pst(), plan.pull.arrived);
  EXPECT_FALSE(plan.pipelined);
}

TEST(ClockOffset, IsOfAllNodesOrOfEachInTurn) {
  EXPECT_EQ(small({"nodes.clock_offset=-6 ns"}).nodes.clock_offset_cycles, std::vector<Cycles>(4, Cycles{-2}));
  EXPECT_EQ(small({"nodes.clock_offset= +6 ns, -  1ps,0 s"}).nodes.clock_offset_cycles,
            (std::vector<Cycles>{Cycles{2}, Cycles{-1}, Cycles{0}, Cycles{0}}));
}

TEST(ClockOffset, SpreadIsDrawnFromTheSeedForEachNode) {
  const std::vector<Cycles> a = clock_offsets({Cycles{0}}, Cycles{3}, 256, 1),
                            b = clock_offsets({Cycles{0}}, Cycles{3}, 256, 2);
  EXPECT_NE(a, b);
  EXPECT_EQ(a, clock_offsets({Cycles{0}}, Cycles{3}, 256, 1));
  const std::vector<Cycles> few = clock_offsets({Cycles{100}}, Cycles{3}, 5, 1);
  for (std::size_t v = 0; v < few.size(); ++v) EXPECT_EQ(few[v], a[v] + Cycles{100}) << "a node more changes no other";
  std::set<std::int64_t> values;
  for (const Cycles one : a) values.insert(one.n);
  EXPECT_EQ(values, (std::set<std::int64_t>{-3, -2, -1, 0, 1, 2, 3}));
}

TEST(ClockOffset, MakesATimetableBeginSoLateThatTheEarliestClockCanKeepIt) {
  const ControlTimes times = control_times(small({"control.mode=timetable", "nodes.clock_offset=9 ns, -6 ns, -11 ns"}));
  EXPECT_EQ(times.earliness(), Cycles{3});
  EXPECT_EQ(times.origin(Cycles{100}, false), Cycles{104});
}

TEST(ClockDrift, IsDrawnFromTheSeedForEachNodeApartFromItsOffset) {
  const std::vector<std::int64_t> drawn = clock_drifts(20, 256, 1);
  EXPECT_EQ(drawn, clock_drifts(20, 256, 1));
  EXPECT_NE(drawn, clock_drifts(20, 256, 2));
  EXPECT_EQ(clock_drifts(20, 5, 1), std::vector<std::int64_t>(drawn.begin(), drawn.begin() + 5));
  EXPECT_EQ(clock_drifts(0, 5, 1), std::vector<std::int64_t>{});
  const std::vector<Cycles> offsets = clock_offsets({Cycles{0}}, Cycles{20'000}, 256, 1);
  int alike = 0;
  for (std::size_t v = 0; v < drawn.size(); ++v) {
    EXPECT_LE(std::abs(drawn[v]), 20'000);
    alike += drawn[v] == offsets[v].n;
  }
  EXPECT_LT(alike, 5);
  EXPECT_LT(*std::ranges::min_element(drawn), -15'000);
  EXPECT_GT(*std::ranges::max_element(drawn), 15'000);
}

TEST(ClockDrift, MakesANodeEarlyOrLateUntilItsClockIsSet) {
  ControlTimes times = control_times(small({"control.mode=timetable", "nodes.clock_offset=0 ns, 10.24 ns",
                                            "nodes.clock_drift=1000", "nodes.clock_sync=51.2 us"}));
  EXPECT_EQ(times.clock_sync, Cycles{10'000});
  ASSERT_EQ(times.clock_drift.size(), 4u);
  times.clock_drift = {1'000'000, -1'000'000, 450'000, 0};  // in 10,000 cycles 10 behind, 10 ahead, 4.5 behind
  EXPECT_EQ(times.lateness(Input{0}, Cycles{999}), Cycles{0});
  EXPECT_EQ(times.lateness(Input{0}, Cycles{1'000}), Cycles{1});
  EXPECT_EQ(times.lateness(Input{0}, Cycles{9'999}), Cycles{9});
  EXPECT_EQ(times.lateness(Input{0}, Cycles{10'000}), Cycles{0});
  EXPECT_EQ(times.lateness(Input{1}, Cycles{39'999}), Cycles{2 - 9});
  EXPECT_EQ(times.lateness(Input{2}, Cycles{29'999}), Cycles{4});
  EXPECT_EQ(times.lateness(Input{3}, Cycles{29'999}), Cycles{0});
  EXPECT_EQ(times.earliness(), Cycles{7});
}

TEST(ControlKeys, ThatOnlyATimetableKnowsHaveNoEffectByConfirmation) {
  const auto said = [](const std::string& mode) {
    std::vector<std::string> keys;
    for (const std::string& sentence : without_effect(
             resolved("policy = 'hlf'",
                      {"control.mode=" + mode, "control.guard=1 us", "job.retransmit=false", "nodes.clock_offset=1 ns",
                       "nodes.clock_spread=1 ns", "nodes.clock_drift=1", "control.lead=1 ns"})))
      keys.push_back(sentence.substr(0, sentence.find('=')));
    return keys;
  };
  EXPECT_EQ(said("confirmed"),
            (std::vector<std::string>{"--set control.guard", "--set job.retransmit", "--set nodes.clock_offset",
                                      "--set nodes.clock_spread", "--set nodes.clock_drift"}));
  EXPECT_EQ(said("timetable"), std::vector<std::string>{});
}

TEST(WrongControlKeys, AreRefusedInOneSentence) {
  EXPECT_EQ(control_keys_complaint("control.mode=timetabel"),
            "--set control.mode=timetabel: control.mode is \"timetabel\", but must be one of confirmed, timetable; did "
            "you mean \"timetable\"?");
  EXPECT_EQ(control_keys_complaint("control.guard=-1 ns"),
            "--set control.guard=-1 ns: control.guard is \"-1 ns\", but must be a time from 0 in decimal digits with a "
            "unit, such as \"10 ms\"");
  for (const char* key : {"control.guard", "control.lead", "fabric.fibre", "nodes.clock_spread"})
    EXPECT_EQ(control_keys_complaint(std::string(key) + "=6 s"),
              "--set " + std::string(key) + "=6 s: " + key +
                  " is 6 s, but must be at most 5.49755813376 s (2^30 - 1 cycles of 5.12 ns)");
  EXPECT_EQ(control_keys_complaint("nodes.clock_offset=-6 s"),
            "--set nodes.clock_offset=-6 s: nodes.clock_offset is 6 s, but must be at most 5.49755813376 s (2^30 - 1 "
            "cycles of 5.12 ns)");
  EXPECT_EQ(control_keys_complaint("nodes.clock_offset=1 ns,2 ns,3 ns,4 ns,5 ns"),
            "--set nodes.clock_offset=1 ns,2 ns,3 ns,4 ns,5 ns: nodes.clock_offset has 5 values, but must have at most "
            "one for each of the 4 nodes");
  EXPECT_EQ(control_keys_complaint("nodes.clock_offset=--1 ns"),
            "--set nodes.clock_offset=--1 ns: nodes.clock_offset is \"--1 ns\", but must be a time from 0 in decimal "
            "digits with a unit, such as \"10 ms\"");
  EXPECT_EQ(control_keys_complaint("nodes.clock_offset=1 ns,").substr(0, 82),
            "--set nodes.clock_offset=1 ns,: nodes.clock_offset is \"1 ns,\", but must be a time ");
  EXPECT_EQ(control_keys_complaint("nodes.clock_offset=3"),
            "--set nodes.clock_offset=3: nodes.clock_offset is 3, but must be text in quotes, such as \"5 ns\"");
  EXPECT_EQ(control_keys_complaint("nodes.control_latency=2000 s"),
            "--set nodes.control_latency=2000 s: nodes.control_latency is \"2000 s\", but must be from 0 ps to 1000 s");
  EXPECT_EQ(control_keys_complaint("job.retransmit=no"),
            "--set job.retransmit=no: job.retransmit is \"no\", but must be true or false, without quotes");
}

}  // namespace
}  // namespace ocs
