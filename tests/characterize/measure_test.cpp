// Measuring a live switch: every pair, exactly, from both states, on every device; ports that never come up.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/measure.hpp"

#include <map>
#include <set>
#include <tuple>

#include "host/core/error.hpp"
#include "ocs_regs.h"
#include "tests/characterize/rig.hpp"

namespace ocs::characterize {
namespace {

using test::Live;

class Measure : public ::testing::TestWithParam<std::string> {};

TEST_P(Measure, FindsTheDelaysOfEveryPairFromIdleAndFromAnotherCircuit) {
  constexpr int ports = 4;
  Live live(GetParam(), ports, test::known_delays(ports));
  const auto set_ups = measure(*live.plane, {.repeats = 1, .limit = Cycles{1000}, .progress = {}});
  std::set<std::tuple<int, int, From>> seen;
  for (const CircuitSetUp& s : set_ups) {
    ASSERT_TRUE(s.in && s.up);
    EXPECT_TRUE(seen.emplace(s.out, *s.in, s.from).second) << name_of(s);
    EXPECT_EQ(s.tuning, to_picos(test::known_tuning(*s.in, s.out), test::cycle)) << name_of(s);
    EXPECT_EQ(s.locking, to_picos(test::known_locking(s.out), test::cycle)) << name_of(s);
  }
  EXPECT_EQ(seen.size(), 2u * ports * ports);
}

TEST_P(Measure, RepeatsAndTellsHowFarItIs) {
  Live live(GetParam(), 4, {.tuning = Cycles{7}, .locking = Cycles{2}});
  std::vector<std::pair<int, int>> told;
  const auto set_ups = measure(
      *live.plane, {.repeats = 3, .limit = Cycles{100}, .progress = [&](int k, int n) { told.emplace_back(k, n); }});
  EXPECT_EQ(set_ups.size(), 3u * 2 * 16);
  EXPECT_EQ(told.front(), std::pair(0, 24));
  EXPECT_EQ(told.back(), std::pair(23, 24));
}

TEST_P(Measure, SeesDelaysOfNothing) {
  Live live(GetParam(), 4, {});
  for (const CircuitSetUp& s : measure(*live.plane, {.repeats = 1, .limit = Cycles{10}, .progress = {}})) {
    EXPECT_TRUE(s.up);
    EXPECT_EQ(s.together(), Picos{0});
  }
}

TEST_P(Measure, ReadsThePowerOfEveryPair) {
  SwitchDelays delays = test::known_delays(4);
  delays.light = LightLevel{.lasers = {-300, 0, 32767, -32768}, .losses = {0, 725, 65535, 1}};
  Live live(GetParam(), 4, delays);
  for (const CircuitSetUp& s : measure(*live.plane, {.repeats = 1, .limit = Cycles{1000}, .progress = {}}))
    EXPECT_EQ(s.power, delays.light->lasers[*s.in] - delays.light->losses[s.out]) << name_of(s);
}

TEST_P(Measure, ReadsNoPowerOfWhatNeverCameUp) {
  Live live(GetParam(), 4, {.tuning = Cycles{20}});
  live.device->bus().write(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, FAULT) + 4 * 2,
                           OCS_REGS__PORT__FAULTX__LOS_bm);
  for (const CircuitSetUp& s : measure(*live.plane, {.repeats = 1, .limit = Cycles{100}, .progress = {}}))
    EXPECT_EQ(s.power, *s.in == 2 ? std::nullopt : std::optional(0)) << name_of(s);
  EXPECT_EQ(live.plane->power(Output{2}), 0);
  EXPECT_EQ(live.plane->power(Output{3}), std::nullopt) << "it has input 2, which has no light";
}

TEST_P(Measure, FindsWhomMirrorsThatMoveDisturb) {
  SwitchDelays delays = test::known_delays(8);
  delays.neighbours = {.disturbed = Cycles{2345}, .distances = 0b101001};
  delays.programming = Cycles{17};
  Live live(GetParam(), 8, delays);
  const MeasureOptions options{.repeats = 1, .limit = Cycles{1000}, .progress = {}};
  const auto set_ups = measure(*live.plane, options);
  EXPECT_EQ(set_ups.front().tuning,
            to_picos(test::known_tuning(*set_ups.front().in, set_ups.front().out), test::cycle));
  const auto found = measure_neighbours(*live.plane, options);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->times.distances, 0b101001u);
  EXPECT_EQ(found->times.disturbed, to_picos(Cycles{2345}, test::cycle));
  EXPECT_TRUE(found->alike);
}

TEST_P(Measure, FindsThatMirrorsDisturbNobody) {
  Live live(GetParam(), 4, test::known_delays(4));
  const auto found = measure_neighbours(*live.plane, {.repeats = 1, .limit = Cycles{1000}, .progress = {}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->times, NeighbourTimes{});
  EXPECT_TRUE(found->alike);
  EXPECT_FALSE(measure_neighbours(*live.plane, {.repeats = 1, .limit = Cycles{1}, .progress = {}}))
      << "no circuit is up within a cycle";
}

TEST(Neighbours, AreNotAlikeWhereOneLosesLessThanAnother) {
  const auto found = neighbours_of({{1, Picos{50}}, {1, Picos{50}}, {2, Picos{0}}, {32, Picos{50}}});
  EXPECT_EQ(found.times, (NeighbourTimes{.distances = 0x80000001u, .disturbed = Picos{50}, .park = {}}));
  EXPECT_TRUE(found.alike);
  const auto uneven = neighbours_of({{1, Picos{50}}, {1, Picos{49}}});
  EXPECT_EQ(uneven.times.disturbed, Picos{50});
  EXPECT_FALSE(uneven.alike);
  EXPECT_FALSE(neighbours_of({{1, Picos{50}}, {1, Picos{0}}}).alike);
}

TEST_P(Measure, FindsMirrorsThatAreProgrammedInTurn) {
  SwitchDelays delays = test::known_delays(8);
  delays.programming = Cycles{17};
  delays.lanes = 3;
  Live live(GetParam(), 8, delays);
  const MeasureOptions options{.repeats = 1, .limit = Cycles{1000}, .progress = {}};
  const auto set_ups = measure(*live.plane, options);
  for (const CircuitSetUp& s : set_ups)
    EXPECT_EQ(s.tuning, to_picos(test::known_tuning(*s.in, s.out) + Cycles{17} * (s.out / 3), test::cycle));
  const auto found = measure_programming(*live.plane, options, set_ups);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->time, to_picos(Cycles{17}, test::cycle));
  EXPECT_EQ(found->lanes, 3);
  EXPECT_EQ(found->longest, to_picos(Cycles{34}, test::cycle));
}

TEST_P(Measure, FindsNoProgrammingWhereMirrorsMoveAtOnce) {
  Live live(GetParam(), 4, test::known_delays(4));
  const MeasureOptions options{.repeats = 1, .limit = Cycles{1000}, .progress = {}};
  EXPECT_FALSE(measure_programming(*live.plane, options, measure(*live.plane, options)));
}

const MeasureOptions patient{.repeats = 1, .limit = Cycles{100'000}, .progress = {}};

/// In picoseconds, less what the least of a switch's table adds to every output.
std::vector<Picos> times_of(const std::vector<int>& cycles, int least) {
  std::vector<Picos> out;
  for (const int n : cycles) out.push_back(to_picos(Cycles{n - least}, test::cycle));
  return out;
}

Receivers receivers(int warm_time, const std::vector<int>& warm, const std::vector<int>& cold) {
  Receivers out{.warm_time = Cycles{warm_time}};
  for (std::size_t k = 0; k < Receivers::points; ++k) {
    out.warm[k] = Cycles{warm[k * warm.size() / Receivers::points]};
    out.cold[k] = Cycles{cold[k * cold.size() / Receivers::points]};
  }
  return out;
}

TEST_P(Measure, FindsReceiversThatRemember) {
  SwitchDelays delays = test::known_delays(4);
  delays.receivers = receivers(3333, {3, 40}, {3, 40, 400, 401, 402, 500, 600, 9000});
  delays.seed = 7;
  Live live(GetParam(), 4, delays);
  const auto found = measure_receivers(*live.plane, patient, measure(*live.plane, patient));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->times.warm_time, to_picos(Cycles{3333}, test::cycle));
  EXPECT_EQ(found->times.warm, times_of({3, 40}, 3));
  EXPECT_EQ(found->times.cold, times_of({3, 40, 400, 401, 402, 500, 600, 9000}, 3));
  for (std::size_t o = 0; o < 4; ++o)
    EXPECT_EQ(found->locking[o], to_picos(test::known_locking(static_cast<int>(o)) + Cycles{3}, test::cycle));
}

TEST_P(Measure, FindsReceiversThatAlwaysTakeTheSameWhileWarm) {
  SwitchDelays delays = test::known_delays(4);
  delays.receivers = receivers(200, {0}, {70});
  Live live(GetParam(), 4, delays);
  const auto set_ups = measure(*live.plane, patient);
  EXPECT_FALSE(locking_varies(set_ups)) << "all pairs are cold";
  const auto found = measure_receivers(*live.plane, patient, set_ups);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->times.warm_time, to_picos(Cycles{200}, test::cycle));
  EXPECT_EQ(found->times.warm, times_of({0}, 0));
  EXPECT_EQ(found->times.cold, times_of({70}, 0));
}

TEST_P(Measure, FindsThatNoReceiverIsWarmWhereMirrorsMoveForLonger) {
  SwitchDelays delays = test::known_delays(4);
  delays.receivers = receivers(90, {0}, {10, 20, 30, 40});
  Live live(GetParam(), 4, delays);
  const auto found = measure_receivers(*live.plane, patient, measure(*live.plane, patient));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->times.warm_time, Picos{0});
  EXPECT_EQ(found->times.cold, times_of({10, 20, 30, 40}, 10));
}

TEST_P(Measure, FindsNoReceiversWhereAllLockAlike) {
  Live live(GetParam(), 4, test::known_delays(4));
  EXPECT_FALSE(measure_receivers(*live.plane, patient, measure(*live.plane, patient)));
}

TEST(Quantiles, AreAsFewAsSayTheSame) {
  const auto of = [](std::vector<int> cycles) {
    std::vector<Picos> out;
    for (const int n : cycles) out.push_back(Picos{n});
    return out;
  };
  EXPECT_EQ(quantiles_of(of({5, 5, 5})), of({5}));
  EXPECT_EQ(quantiles_of(of({9, 1, 9, 1})), of({1, 9}));
  EXPECT_EQ(quantiles_of(of({1, 1, 1, 9})), of({1, 1, 1, 9}));
  std::vector<Picos> all;
  for (int k = 0; k < 16; ++k) all.push_back(Picos{k});
  EXPECT_EQ(quantiles_of(all), all);
}

TEST(Programming, IsOfEqualGroupsAlone) {
  const auto found = programming_of({Picos{0}, Picos{0}, Picos{5}, Picos{5}, Picos{10}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->time, Picos{5});
  EXPECT_EQ(found->lanes, 2);
  const auto odd = programming_of({Picos{0}, Picos{5}, Picos{9}});
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->time, Picos{0});
  EXPECT_EQ(odd->longest, Picos{9});
  const auto first = programming_of({Picos{4}, Picos{4}});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->time, Picos{0}) << "the first one waits for nobody";
}

TEST_P(Measure, NotesWhatNeverComesUp) {
  Live live(GetParam(), 4, {.tuning = Cycles{20}});
  live.device->bus().write(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, FAULT) + 4 * 2,
                           OCS_REGS__PORT__FAULTX__LOS_bm);
  for (const CircuitSetUp& s : measure(*live.plane, {.repeats = 1, .limit = Cycles{100}, .progress = {}}))
    EXPECT_EQ(s.up, *s.in != 2) << name_of(s) << ": input 2 has no light";
}

TEST_P(Measure, WaitsNoLongerThanItsLimit) {
  Live live(GetParam(), 4, test::known_delays(4));
  std::map<int, int> late;
  for (const CircuitSetUp& s : measure(*live.plane, {.repeats = 1, .limit = Cycles{119}, .progress = {}}))
    if (!s.up) ++late[s.out];
  EXPECT_EQ(late, (std::map<int, int>{{2, 8}, {3, 8}})) << "outputs 0 and 1 take at most 103 and 116 cycles";
}

TEST_P(Measure, AndEmulationOfWhatWasMeasuredAgree) {
  constexpr int ports = 4;
  Live live(GetParam(), ports, test::known_delays(ports));
  const auto first = measure(*live.plane, {.repeats = 1, .limit = Cycles{1000}, .progress = {}});
  SwitchDelays again;
  again.pair_tuning.resize(ports * ports);
  again.output_locking.resize(ports);
  for (const CircuitSetUp& s : first) {
    again.pair_tuning[*s.in * std::size_t{ports} + s.out] = to_cycles(s.tuning, test::cycle);
    again.output_locking[s.out] = to_cycles(s.locking, test::cycle);
  }
  Live twin(GetParam(), ports, again);
  const auto second = measure(*twin.plane, {.repeats = 1, .limit = Cycles{1000}, .progress = {}});
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_EQ(first[k].tuning, second[k].tuning) << name_of(first[k]);
    EXPECT_EQ(first[k].locking, second[k].locking) << name_of(first[k]);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Measure, ::testing::Values("model", "verilated_counter", "verilated"),
                         [](const auto& device) { return device.param; });

/// A switch whose counters of dark cycles run away.
class Forgetful : public Switch {
 public:
  explicit Forgetful(Switch& real) : real_(real) {}
  FabricClock& clock() override { return real_.clock(); }
  Constants constants() override { return real_.constants(); }
  Counters counters(std::uint16_t port) override {
    Counters all = real_.counters(port);
    if (port == 1 && clock().now().n > 0) all.dark += Cycles{1};
    return all;
  }
  std::optional<Refusal> commit(const Commit& commit) override { return real_.commit(commit); }
  std::optional<Refusal> start(const Burst& burst) override { return real_.start(burst); }
  std::optional<Refusal> repeat(std::span<const Commit> table, Cycles period) override {
    return real_.repeat(table, period);
  }
  std::optional<Refusal> stop(Id burst) override { return real_.stop(burst); }
  void take_events(std::vector<Event>& append) override { real_.take_events(append); }

 protected:
  Switch& real_;
};

/// Counts what outputs enter.
class Watched : public Forgetful {
 public:
  using Forgetful::Forgetful;
  Counters counters(std::uint16_t port) override { return real_.counters(port); }
  void take_events(std::vector<Event>& append) override {
    const std::size_t before = append.size();
    real_.take_events(append);
    for (std::size_t k = before; k < append.size(); ++k) ++entered[append[k].kind];
  }
  std::map<EventKind, int> entered;
};

TEST(Measurement, TurnsOutputsOffBeforeWhatIsFromIdleAndOnlyThen) {
  Live live("model", 4, {.tuning = Cycles{5}});
  Watched plane(*live.plane);
  measure(plane, {.repeats = 2, .limit = Cycles{100}, .progress = {}});
  EXPECT_EQ(plane.entered[EventKind::up], 2 * 2 * 16);
  EXPECT_EQ(plane.entered[EventKind::idle], 2 * 16 - 4) << "each time but the first, when all are dark already";
}

/// A switch without the option.
class WithoutPower : public Forgetful {
 public:
  using Forgetful::Forgetful;
  Counters counters(std::uint16_t port) override { return real_.counters(port); }
  Constants constants() override {
    Constants all = real_.constants();
    all.power = false;
    return all;
  }
  std::optional<int> power(Output) override { throw Error(ErrorKind::run, "there is no such register"); }
};

TEST(Measurement, AsksASwitchWithoutPowerForNone) {
  Live live("model", 4, {.tuning = Cycles{5}});
  WithoutPower plane(*live.plane);
  for (const CircuitSetUp& s : measure(plane, {.repeats = 1, .limit = Cycles{100}, .progress = {}}))
    EXPECT_FALSE(s.power);
}

TEST(Measurement, IsHeldAgainstTheCountersOfDarkCycles) {
  Live live("model", 4, {.tuning = Cycles{5}});
  Forgetful plane(*live.plane);
  try {
    measure(plane, {.repeats = 1, .limit = Cycles{100}, .progress = {}});
    FAIL() << "counter and events disagree";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "output 1 was dark for 41 cycles by its counter, but for 40 by its events");
  }
}

}  // namespace
}  // namespace ocs::characterize
