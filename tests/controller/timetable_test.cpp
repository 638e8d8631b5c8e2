// The controller by timetable, with plans made by hand: commits, words, and which of them are lost.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/timetable.hpp"

#include <gtest/gtest.h>

#include "firmware/ocs_dev.h"
#include "host/device/registers/register_switch.hpp"
#include "host/device/registers/register_switch_bus.hpp"
#include "tests/controller/rig.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

/// T = 3, L = 2: without guard delta = 5, with a guard of 4 it is 13.
class Timetable : public ::testing::TestWithParam<std::string> {
 protected:
  void make(std::int64_t guard = 0, std::vector<std::int64_t> offsets = {}, std::int64_t tuning = 3,
            std::int64_t locking = 2) {
    ControlTimes times{.mode = ControlMode::timetable, .tuning = Cycles{tuning}, .locking = Cycles{locking}};
    times.guard = Cycles{guard};
    for (const std::int64_t offset : offsets) times.clock_offset.push_back(Cycles{offset});
    make(times);
  }
  void make(const ControlTimes& times) {
    controller_.reset();
    switch_.reset();
    device_.reset();  // some devices exist once at a time
    device_ = make_device(GetParam(), {.ports = 4});
    switch_ = make_register_switch(*device_, {.delays = {.tuning = times.tuning, .locking = times.locking}});
    controller_ = std::make_unique<TimetableController>(*switch_, times);
  }

  static Reservation reserve(std::uint32_t flow, std::uint16_t in, std::uint16_t out, std::int64_t start,
                             std::int64_t up, std::int64_t end) {
    Outputs outs;
    outs.set(out);
    return {Id{flow}, Plane{0}, Input{in}, outs, Ticks{start}, Ticks{up}, Ticks{end}, Ticks{0}};
  }
  void adopt(std::vector<Reservation> list, std::int64_t from = 0) {
    controller_->adopt({.list = std::move(list), .bound = {}}, Cycles{from});
  }

  /// As the network does it. Events as text to `events_`.
  Texts run(std::int64_t limit) {
    while (switch_->clock().now().n < limit) {
      controller_->act(switch_->clock().now());
      switch_->clock().run_until(std::min(Cycles{limit}, controller_->next()));
      std::vector<Event> events;
      switch_->take_events(events);
      for (const Event& event : events) {
        events_.push_back(text_of(event));
        controller_->on(event);
      }
    }
    Texts texts;
    for (const Carried& carried : controller_->take_carried())
      texts.push_back(text_of(carried) + (carried.late() ? " late" : "") +
                      (carried.missed_guard ? ", beyond the guard" : ""));
    return texts;
  }
  std::string error_of(std::vector<Reservation> list) {
    try {
      adopt(std::move(list));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::int64_t lost(std::uint16_t output) { return switch_->counters(output).lost.n; }
  std::int64_t passed(std::uint16_t output) { return switch_->counters(output).passed.n; }
  std::int64_t unrouted(std::uint16_t input) { return switch_->counters(input).unrouted.n; }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Switch> switch_;
  std::unique_ptr<TimetableController> controller_;
  Texts events_;
};

TEST_P(Timetable, CommitsInTheCycleBeforeTheStartAndSendsBlind) {
  make();
  adopt({reserve(7, 2, 1, 5, 10, 20)});
  EXPECT_EQ(controller_->next().n, 4);
  EXPECT_EQ(run(50), Texts{"flow 7: 5 10 20"});
  EXPECT_EQ(events_, (Texts{"5 committed 1", "5 tuning 1", "8 locking 1", "10 up 1", "20 run 1 burst 1 words 0+10",
                            "20 burst_done 2 burst 1 words 0+10"}));
  EXPECT_TRUE(controller_->idle());
  EXPECT_EQ(controller_->earliest_end(Cycles{0}), never<Cycles>);
}

TEST_P(Timetable, KeepsTheCircuitUpForTheGuardBeforeAndAfterTheWords) {
  make(4);
  adopt({reserve(1, 2, 1, 5, 18, 28), reserve(2, 2, 3, 28, 41, 42)});
  EXPECT_EQ(run(60), (Texts{"flow 1: 5 18 28", "flow 2: 28 41 42"}));
  EXPECT_EQ(events_,
            (Texts{"9 committed 1", "9 tuning 1", "12 locking 1", "14 up 1", "28 run 1 burst 1 words 0+10",
                   "28 burst_done 2 burst 1 words 0+10", "32 committed 1", "32 idle 1", "32 tuning 3", "35 locking 3",
                   "37 up 3", "42 run 3 burst 2 words 0+1", "42 burst_done 2 burst 2 words 0+1"}));
  EXPECT_EQ(lost(1) + lost(3), 0);
}

TEST_P(Timetable, SetsUpTheCircuitOfABurstThatIsOverBeforeIt) {
  make(4, {-20, -20, 0, 0});
  adopt({reserve(1, 1, 3, 30, 43, 48), reserve(2, 0, 2, 31, 44, 50)});
  EXPECT_EQ(run(34), (Texts{"flow 1: 30 23 28 late, beyond the guard", "flow 2: 31 24 30 late, beyond the guard"}));
  EXPECT_EQ(unrouted(0) + unrouted(1), 11);
  EXPECT_FALSE(controller_->idle()) << "the second commit is still to be given, in 34";
  EXPECT_EQ(run(60), Texts{});
  EXPECT_EQ(std::vector(events_.begin() + 2, events_.end()),
            (Texts{"34 committed 1", "34 tuning 3", "35 committed 0", "35 tuning 2", "37 locking 3", "38 locking 2",
                   "39 up 3", "40 up 2"}));
  EXPECT_TRUE(controller_->idle());
}

TEST_P(Timetable, HoldsOneCommitAtATimeAlsoInConsecutiveCycles) {
  make();
  adopt({reserve(1, 0, 1, 5, 10, 20), reserve(2, 1, 2, 6, 11, 20), reserve(3, 2, 3, 6, 11, 20),
         reserve(4, 3, 0, 7, 12, 20)});
  EXPECT_EQ(run(40), (Texts{"flow 1: 5 10 20", "flow 2: 6 11 20", "flow 3: 6 11 20", "flow 4: 7 12 20"}));
  EXPECT_EQ(std::count(events_.begin(), events_.end(), "6 committed 0"), 1) << "given in its own cycle";
  for (std::uint16_t port = 0; port < 4; ++port) EXPECT_EQ(lost(port), 0);
}

TEST_P(Timetable, OnAnEstablishedCircuitWordsFillTheWholeReservation) {
  make(2);
  adopt({reserve(1, 2, 1, 1, 10, 20), reserve(2, 2, 1, 30, 30, 35)});
  EXPECT_EQ(run(50), (Texts{"flow 1: 1 10 20", "flow 2: 30 30 35"}));
  EXPECT_EQ(switch_->counters(1).reconfigurations, 1);
  ASSERT_EQ(controller_->circuits().size(), 1u);
  EXPECT_EQ(controller_->circuits()[0].in, Input{2});
}

TEST_P(Timetable, WithoutAnyDelayACircuitIsCommittedInItsStart) {
  make(0, {}, 0, 0);  // delta = 1
  adopt({reserve(1, 2, 1, 1, 2, 12), reserve(2, 2, 3, 12, 13, 20)});
  EXPECT_EQ(run(40), (Texts{"flow 1: 1 2 12", "flow 2: 12 13 20"}));
  EXPECT_EQ(lost(1) + lost(3), 0);
}

// ---- clocks that are off
// ---------------------------------------------------------------------------------------------

TEST_P(Timetable, WithinTheGuardNothingIsLost) {
  for (const std::int64_t offset : {-4, -1, 1, 4}) {
    make(4, {0, 0, offset});
    adopt({reserve(1, 2, 1, 5, 18, 28), reserve(2, 2, 3, 28, 41, 51), reserve(3, 0, 1, 28, 41, 51)});
    EXPECT_EQ(run(90).size(), 3u);
    EXPECT_EQ(lost(1) + lost(3) + unrouted(2), 0) << offset;
    EXPECT_EQ(passed(1), 20) << offset;
    EXPECT_EQ(passed(3), 10) << offset;
  }
}

TEST_P(Timetable, ANodeThatIsLateLosesItsLastWords) {
  make(4, {0, 0, 7});  // 3 beyond the guard
  adopt({reserve(1, 2, 1, 5, 18, 28), reserve(2, 2, 3, 28, 41, 51)});
  EXPECT_EQ(run(90), (Texts{"flow 1: 5 25 35 late, beyond the guard", "flow 2: 28 48 58 late, beyond the guard"}));
  // Output 1 is left in 31: words 7, 8 and 9 of [25, 35) come in 32, 33, 34, while output 3 tunes.
  EXPECT_EQ(passed(1), 7);
  EXPECT_EQ(lost(1), 0);
  EXPECT_EQ(lost(3), 3);
  EXPECT_EQ(passed(3), 10) << "nobody takes the second circuit away";
  EXPECT_EQ(std::count(events_.begin(), events_.end(), "32 run 1 burst 1 words 0+7"), 1);
}

TEST_P(Timetable, ANodeThatIsEarlyLosesItsFirstWords) {
  make(4, {0, 0, -7});
  adopt({reserve(1, 2, 1, 10, 23, 33)});
  EXPECT_EQ(run(90), Texts{"flow 1: 10 16 26 late, beyond the guard"});
  EXPECT_EQ(lost(1), 3) << "up is 19, the first word comes in 16";
  EXPECT_EQ(passed(1), 7);
}

TEST_P(Timetable, WordsBeforeTheCommitGoTheOldWayOrNowhere) {
  make(1, {0, 0, -9});  // commit in the start, tuning for 5 cycles from the next
  adopt({reserve(1, 2, 1, 10, 17, 27), reserve(2, 2, 3, 40, 47, 57)});
  EXPECT_EQ(run(90), (Texts{"flow 1: 10 8 18 late, beyond the guard", "flow 2: 40 38 48 late, beyond the guard"}));
  EXPECT_EQ(unrouted(2), 3) << "cycles 8, 9, 10";
  EXPECT_EQ(lost(1), 5);
  EXPECT_EQ(passed(1), 2 + 3) << "and cycles 38, 39, 40 of the other flow's words";
  EXPECT_EQ(lost(3), 5);
  EXPECT_EQ(passed(3), 2);
}

/// In 10 cycles node 2 falls 1 behind; its clock is set in cycles 0, 100, 200.
ControlTimes with_a_slow_clock(std::int64_t guard) {
  constexpr std::int64_t a_tenth = 100'000'000;
  ControlTimes times{.mode = ControlMode::timetable, .tuning = Cycles{3}, .locking = Cycles{2}};
  times.guard = Cycles{guard};
  times.clock_drift = {0, 0, a_tenth};
  times.clock_sync = Cycles{100};
  return times;
}

TEST_P(Timetable, AClockThatDriftsIsOffByWhatItHasFallenBehindSinceItWasSet) {
  make(with_a_slow_clock(4));
  adopt({reserve(1, 2, 1, 5, 18, 28), reserve(2, 2, 3, 28, 41, 51), reserve(3, 2, 1, 60, 73, 83),
         reserve(4, 2, 3, 205, 218, 228), reserve(5, 1, 0, 205, 218, 228)});
  // In 17 it is 1 behind, in 40 4, in 72 7, in 217 1 again.
  EXPECT_EQ(run(300), (Texts{"flow 1: 5 19 29 late", "flow 2: 28 45 55 late", "flow 3: 60 80 90 late, beyond the guard",
                             "flow 5: 205 218 228", "flow 4: 205 219 229 late"}));
  EXPECT_EQ(passed(1) + passed(3), 40);
}

TEST_P(Timetable, WhatIsDueBeforeTheLastBurstHasEndedIsSentRightAfterIt) {
  make(with_a_slow_clock(4));
  adopt({reserve(1, 2, 1, 80, 93, 108), reserve(2, 2, 1, 109, 109, 112), reserve(3, 2, 1, 113, 113, 120)});
  // In 92 it is 9 behind, so flow 1 ends in 117. Set right in 100, it is 0 behind in 108, when flow 2 is due, and 1 in
  // 112, when flow 3 is.
  EXPECT_EQ(controller_->last_of(Id{2})->up, Cycles{118});
  EXPECT_EQ(run(200), (Texts{"flow 1: 80 102 117 late, beyond the guard", "flow 2: 118 118 121 late, beyond the guard",
                             "flow 3: 122 122 129 late, beyond the guard"}));
  EXPECT_EQ(passed(1), 25);
}

TEST_P(Timetable, ASwitchThatTunesLongerThanPlannedLosesTheFirstWords) {
  make(2);
  DriverBus bus(device_->bus());
  ocs_dev dev{};
  bus.check(ocs_probe(&dev, bus.c()));
  bus.check(ocs_set_slow(&dev, 1, 5));
  adopt({reserve(1, 2, 1, 5, 14, 24)});
  EXPECT_EQ(run(50), Texts{"flow 1: 5 14 24"});
  EXPECT_EQ(lost(1), 3);
  EXPECT_EQ(events_[4], "24 run 1 burst 1 words 3+7");
}

TEST_P(Timetable, JitterIsCoveredByAsMuchGuard) {
  for (const std::int64_t guard : {7, 2}) {
    make(guard);
    DriverBus bus(device_->bus());
    ocs_dev dev{};
    bus.check(ocs_probe(&dev, bus.c()));
    bus.check(ocs_set_jitter(&dev, 1, 7));
    std::vector<Reservation> list;
    std::int64_t at = 1;
    for (std::uint32_t k = 0; k < 20; ++k, at += 40) {
      list.push_back(reserve(2 * k + 1, 2, 1, at, at + 5 + 2 * guard, at + 6 + 2 * guard));
      list.push_back(reserve(2 * k + 2, 2, 3, at + 20, at + 25 + 2 * guard, at + 26 + 2 * guard));
    }
    if (guard == 7) {  // no room for the second ones
      std::erase_if(list, [](const Reservation& r) { return r.outs[3]; });
      for (Reservation& r : list)
        if (index(r.flow) % 4 == 3) r.outs = Outputs{}.set(0);  // so that each is set up anew
    }
    adopt(list);
    run(at + 100);
    if (guard == 7)
      EXPECT_EQ(lost(1), 0);
    else
      EXPECT_GT(lost(1), 5);
  }
}

// ---- plans and aborts
// ------------------------------------------------------------------------------------------------

TEST_P(Timetable, AnAbortedFlowThatWaitsIsGoneAndItsCommitWithIt) {
  make();
  adopt({reserve(1, 2, 1, 5, 10, 20), reserve(2, 2, 3, 20, 25, 30), reserve(3, 2, 0, 30, 35, 40)});
  run(8);
  EXPECT_FALSE(controller_->abort(Id{3}));
  EXPECT_EQ(run(60), (Texts{"flow 1: 5 10 20", "flow 2: 20 25 30"}));
  EXPECT_EQ(switch_->counters(0).reconfigurations, 0);
}

TEST_P(Timetable, ACommitThatHasBeenGivenIsTakenAlthoughItsFlowIsAborted) {
  make();
  adopt({reserve(1, 2, 1, 5, 10, 20), reserve(2, 2, 3, 20, 25, 30)});
  run(8);
  EXPECT_FALSE(controller_->abort(Id{2}));
  EXPECT_EQ(run(22), Texts{"flow 1: 5 10 20"});
  EXPECT_TRUE(controller_->idle());
  EXPECT_EQ(switch_->counters(3).reconfigurations, 1);
}

TEST_P(Timetable, IsBusyAsLongAsACommitIsOnItsWay) {
  make();
  adopt({reserve(1, 2, 1, 20, 25, 30)});
  run(8);
  EXPECT_FALSE(controller_->abort(Id{1}));
  EXPECT_EQ(controller_->earliest_end(Cycles{0}), never<Cycles>);
  run(19);
  EXPECT_FALSE(controller_->idle());
  run(21);
  EXPECT_TRUE(controller_->idle());
}

TEST_P(Timetable, AnAbortedFlowThatRunsIsStopped) {
  make();
  adopt({reserve(1, 2, 1, 5, 10, 20)});
  run(14);
  EXPECT_TRUE(controller_->abort(Id{1}));
  EXPECT_EQ(run(40), Texts{"flow 1: 5 10 15 late"});
  EXPECT_EQ(passed(1), 5);
}

TEST_P(Timetable, RefusesWhatCannotBeKept) {
  make(0, {0, 0, -3});
  EXPECT_NE(error_of({reserve(1, 0, 1, 0, 5, 9)}), "") << "its commit would be in cycle -1";
  EXPECT_EQ(error_of({reserve(1, 2, 1, 3, 3, 9)}),
            "a timetable can't keep the reservation of flow 1 that is up in cycle 3: it is cycle 0 already");
  EXPECT_EQ(error_of({reserve(1, 2, 1, 5, 10, 20), reserve(2, 2, 1, 20, 20, 30)}),
            "a timetable can't keep the reservation of flow 2 that is up in cycle 20: the burst before it on input 2 "
            "ends in cycle 20");
  EXPECT_NE(error_of({reserve(1, 4, 1, 5, 10, 20)}), "");
}

OCS_ON_EVERY_DEVICE(Timetable);

}  // namespace
}  // namespace ocs::test
