// Over a clock that goes on by itself: in time with enough lead, late and counted without.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "host/device/model/model.hpp"
#include "host/device/switches.hpp"
#include "tests/board/ticking_device.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

class WallSwitch : public ::testing::Test {
 protected:
  Switch& make(const SwitchConfig& config, Cycles access, Cycles lag = {}) {
    device_ = std::make_unique<TickingDevice>(make_model({.ports = 4}));
    switch_ = make_switch(*device_, config, &times_);
    device_->pass(Cycles{1000});  // the host is busy with something else before the run
    device_->access = access;
    device_->lag = lag;
    return *switch_;
  }
  static Select join(std::uint16_t in, std::uint16_t out) { return {Output{out}, Input{in}}; }
  static Burst burst(std::uint32_t id, std::uint16_t in, std::int64_t length, std::int64_t not_before) {
    return {Id{id}, Input{in}, Words{length}, Cycles{not_before}, true};
  }
  void accept(const std::optional<Refusal>& refusal) { EXPECT_FALSE(refusal) << refusal->why; }

  CommandTimes times_;
  std::unique_ptr<TickingDevice> device_;
  std::unique_ptr<Switch> switch_;
};

TEST_F(WallSwitch, SaysThatCommandsAreToBeGivenAhead) {
  const Constants constants = make({}, Cycles{1}).constants();
  EXPECT_TRUE(constants.ahead);
  EXPECT_FALSE(constants.cycle_exact);
}

TEST_F(WallSwitch, TimeBeginsWithTheFirstCommandAndACommandInTimeActsInItsCycle) {
  Switch& plane = make({.delays = {.tuning = Cycles{300}, .locking = Cycles{20}}}, Cycles{5});
  accept(plane.commit({Cycles{500}, {join(2, 1)}}));
  accept(plane.start(burst(7, 2, 3, 821)));  // 500 + 1 + 320: when it is up
  EXPECT_EQ(run_to(plane, Cycles{900}), (Texts{"501 committed 1", "501 tuning 1", "801 locking 1", "821 up 1",
                                               "824 run 1 burst 7 words 0+3", "824 burst_done 2 burst 7 words 0+3"}));
  EXPECT_EQ(times_.count(), 2);
  EXPECT_EQ(times_.late(), 0);
}

TEST_F(WallSwitch, ReadsThePowerAtAnOutput) {
  Switch& plane = make({.delays = {.light = LightLevel{.laser = -300, .losses = {0, 725, 0, 0}}}}, Cycles{3});
  EXPECT_TRUE(plane.constants().power);
  EXPECT_EQ(plane.power(Output{1}), std::nullopt) << "it has no circuit";
  accept(plane.commit({Cycles{500}, {join(2, 1)}}));
  run_to(plane, Cycles{600});
  EXPECT_EQ(plane.power(Output{1}), -1025);
}

TEST_F(WallSwitch, EventsAreToldInTheirCyclesHoweverLateTheyAreRead) {
  Switch& plane = make({.delays = {.tuning = Cycles{30}, .locking = Cycles{20}}}, Cycles{3}, Cycles{400});
  accept(plane.commit({Cycles{500}, {join(2, 1)}}));
  std::vector<Event> events;
  EXPECT_EQ(plane.clock().run_until(Cycles{2000}), Cycles{501});
  plane.take_events(events);
  EXPECT_EQ(events.size(), 2u);
  EXPECT_EQ(plane.clock().now(), Cycles{501}) << "its user's time is that of the event";
  EXPECT_EQ(plane.clock().run_until(Cycles{2000}), Cycles{531});
  plane.take_events(events);
  EXPECT_EQ(plane.clock().run_until(Cycles{540}), Cycles{540}) << "nothing happens before its limit";
  EXPECT_EQ(plane.clock().run_until(Cycles{2000}), Cycles{551});
}

TEST_F(WallSwitch, ABurstWhoseCircuitAndEndAreReadTogetherLeavesNothingToTheNextOne) {
  Switch& plane = make({.delays = {.tuning = Cycles{30}}}, Cycles{2}, Cycles{400});
  accept(plane.commit({Cycles{500}, {join(2, 1)}}));
  accept(plane.start(burst(7, 2, 3, 531)));
  const Texts first = run_to(plane, Cycles{1500});
  EXPECT_EQ(first.back(), "534 burst_done 2 burst 7 words 0+3");
  accept(plane.commit({Cycles{2000}, {join(0, 1)}}));
  accept(plane.start(burst(8, 0, 5, 2031)));
  const Texts texts = run_to(plane, Cycles{3000});
  ASSERT_GE(texts.size(), 2u);
  EXPECT_EQ(texts[texts.size() - 2], "2036 run 1 burst 8 words 0+5");
  EXPECT_EQ(texts.back(), "2036 burst_done 0 burst 8 words 0+5");
}

TEST_F(WallSwitch, WhatTheNextBurstOfACircuitIsCheckedByIsItsOwn) {
  Switch& plane = make({.delays = {.tuning = Cycles{30}}}, Cycles{2}, Cycles{400});
  accept(plane.commit({Cycles{500}, {join(2, 1)}}));
  accept(plane.start(burst(7, 2, 3, 531)));
  EXPECT_EQ(run_to(plane, Cycles{1500}).back(), "534 burst_done 2 burst 7 words 0+3");
  device_->lag = Cycles{0};
  for (std::uint32_t id = 8; id < 10; ++id) {
    accept(plane.start(burst(id, 2, 5, 1000 * id)));
    const std::string last = run_to(plane, Cycles{1000 * id + 900}).back();
    EXPECT_NE(last.find("burst_done 2 burst " + std::to_string(id) + " words 0+5"), std::string::npos) << last;
  }
}

/// Burst 8 ends at every access of those that read events and segments of two stamps.
TEST_F(WallSwitch, ASegmentThatEndsWhileOthersAreReadIsReadOnce) {
  for (std::int64_t length = 4; length < 200; ++length) {
    SCOPED_TRACE(length);
    Switch& plane = make({.delays = {.tuning = Cycles{30}}}, Cycles{2}, Cycles{40});
    accept(plane.commit({Cycles{500}, {join(2, 1), join(3, 0)}}));
    accept(plane.start(burst(7, 2, 3, 531)));
    accept(plane.start(burst(8, 3, length, 531)));
    const Texts texts = run_to(plane, Cycles{1500});
    const std::string end = std::to_string(531 + length);
    EXPECT_EQ(std::ranges::count(texts, end + " burst_done 3 burst 8 words 0+" + std::to_string(length)), 1);
    EXPECT_EQ(std::ranges::count_if(texts, [](const auto& text) { return text.find("run 0 burst 8") != text.npos; }),
              1);
  }
}

TEST_F(WallSwitch, ACommandThatComesTooLateActsAtOnceAndIsCounted) {
  Switch& plane = make({.delays = {.tuning = Cycles{30}}}, Cycles{50});
  accept(plane.commit({Cycles{10}, {join(2, 1)}}));
  const Texts texts = run_to(plane, Cycles{2000});
  ASSERT_FALSE(texts.empty());
  EXPECT_NE(texts.front(), "11 committed 0");
  EXPECT_EQ(times_.late(), 1);
  EXPECT_GT(times_.quantile(1'000'000), Cycles{10});
}

TEST_F(WallSwitch, ACommitWaitsHereUntilTheOneBeforeItHasBeenTaken) {
  Switch& plane = make({.delays = {.tuning = Cycles{30}}}, Cycles{2});
  accept(plane.commit({Cycles{300}, {join(2, 1)}}));
  accept(plane.commit({Cycles{600}, {join(1, 0)}}));
  accept(plane.commit({Cycles{900}, {join(3, 3)}}));
  EXPECT_EQ(run_to(plane, Cycles{1000}),
            (Texts{"301 committed 1", "301 tuning 1", "331 up 1", "601 committed 1", "601 tuning 0", "631 up 0",
                   "901 committed 1", "901 tuning 3", "931 up 3"}));
  EXPECT_EQ(times_.late(), 0);
}

TEST_F(WallSwitch, ABurstBeginsWhenItsNewCircuitIsUpThoughItsStartTookItsTime) {
  Switch& plane =
      make({.delays = {.tuning = Cycles{300}}}, Cycles{40});  // a start takes several accesses, all in the dark
  accept(plane.commit({Cycles{800}, {join(2, 1)}}));
  accept(plane.start(burst(7, 2, 3, 1101)));
  const Texts texts = run_to(plane, Cycles{1500});
  EXPECT_EQ(texts.back(), "1104 burst_done 2 burst 7 words 0+3");
}

/// Output 0 is programmed first, whichever is named first: the circuit of output 1 is up 100 cycles later.
TEST_F(WallSwitch, ABurstBeginsWhenItsCircuitIsUpThoughMirrorsAreProgrammedInTurn) {
  Switch& plane = make({.delays = {.tuning = Cycles{300}, .programming = Cycles{100}}}, Cycles{40});
  accept(plane.commit({Cycles{800}, {join(2, 1), join(3, 0)}}));
  accept(plane.start(burst(7, 2, 3, 1201)));
  const Texts texts = run_to(plane, Cycles{1500});
  EXPECT_EQ(texts.back(), "1204 burst_done 2 burst 7 words 0+3");
}

TEST_F(WallSwitch, ABurstThatWaitsForMoreThanLightIsAsLateAsItsStart) {
  Switch& plane = make({.delays = {.tuning = Cycles{300}}}, Cycles{40});
  accept(plane.commit({Cycles{800}, {join(2, 1)}}));
  accept(plane.start(burst(7, 2, 3, 1151)));  // its node is told a fibre later
  const Texts texts = run_to(plane, Cycles{2000});
  const std::int64_t end = std::stoll(texts.back());
  EXPECT_GE(end, 1154);
  EXPECT_LE(end, 1154 + 8 * 40);
}

TEST_F(WallSwitch, OfAnEstablishedCircuitNothingLeavesTooEarly) {
  Switch& plane = make({.delays = {.tuning = Cycles{30}}}, Cycles{1});
  accept(plane.commit({Cycles{100}, {join(2, 1)}}));
  run_to(plane, Cycles{400});
  accept(plane.start(burst(7, 2, 3, 700)));
  EXPECT_GE(std::stoll(run_to(plane, Cycles{1000}).back()), 703);
}

TEST_F(WallSwitch, AStopIsCountedWithWhatItTook) {
  Switch& plane = make({.delays = {.tuning = Cycles{30}}}, Cycles{4});
  accept(plane.commit({Cycles{100}, {join(2, 1)}}));
  accept(plane.start(burst(7, 2, 100'000, 131)));
  run_to(plane, Cycles{400});
  accept(plane.stop(Id{7}));
  const std::string last = run_to(plane, Cycles{1000}).back();
  EXPECT_GE(std::stoll(last), 401);
  EXPECT_NE(last.find("burst_done 2 burst 7"), std::string::npos);
  EXPECT_EQ(times_.count(), 3);
  EXPECT_TRUE(plane.stop(Id{7}).has_value());
}

TEST_F(WallSwitch, ATableIsPlayedInItsCycles) {
  Switch& plane = make({.delays = {.tuning = Cycles{3}}}, Cycles{2});
  const std::vector<Commit> table{{Cycles{500}, {join(2, 1)}}, {Cycles{600}, {join(3, 1)}}};
  accept(plane.repeat(table, Cycles{0}));
  EXPECT_EQ(run_to(plane, Cycles{700}),
            (Texts{"501 committed 2", "501 tuning 1", "504 up 1", "601 committed 2", "601 tuning 1", "604 up 1"}));
}

TEST(CommandTimes, CountsAndSorts) {
  CommandTimes times;
  EXPECT_EQ(times.quantile(500'000), Cycles{0});
  EXPECT_EQ(times.histogram(Picos{5120}), "");
  for (const std::int64_t cycles : {100, 1, 2, 300, -5}) times.add(Cycles{cycles}, cycles > 200);
  EXPECT_EQ(times.count(), 5);
  EXPECT_EQ(times.late(), 1);
  EXPECT_EQ(times.quantile(500'000), Cycles{2});
  EXPECT_EQ(times.quantile(1'000'000), Cycles{300});
  EXPECT_EQ(times.mean(), Cycles{80});
  EXPECT_EQ(times.histogram(Picos{5120}), "<= 1 ns: 1, <= 8 ns: 1, <= 16 ns: 1, <= 512 ns: 1, <= 2.048 us: 1");
}

}  // namespace
}  // namespace ocs::test
