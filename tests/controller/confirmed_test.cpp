// The controller by confirmation, with plans made by hand.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/confirmed.hpp"

#include <gtest/gtest.h>

#include "host/device/registers/register_switch.hpp"
#include "tests/controller/rig.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

/// T = 3, L = 2: a circuit that is set up in s is up in s + 6.
class Confirmed : public ::testing::TestWithParam<std::string> {
 protected:
  Confirmed()
      : device_(make_device(GetParam(), {.ports = 4})),
        switch_(make_register_switch(*device_, {.delays = {.tuning = Cycles{3}, .locking = Cycles{2}}})),
        controller_(*switch_) {}

  static Reservation reserve(std::uint32_t flow, std::uint16_t in, std::uint16_t out, std::int64_t start,
                             std::int64_t up, std::int64_t end) {
    Outputs outs;
    outs.set(out);
    return {Id{flow}, Plane{0}, Input{in}, outs, Ticks{start}, Ticks{up}, Ticks{end}, Ticks{0}};
  }
  void adopt(std::vector<Reservation> list, std::int64_t from = 0) {
    controller_.adopt({.list = std::move(list), .bound = {}}, Cycles{from});
  }

  /// As the network does it. Events as text to `events_`.
  Texts run(std::int64_t limit) {
    while (switch_->clock().now().n < limit) {
      controller_.act(switch_->clock().now());
      switch_->clock().run_until(std::min(Cycles{limit}, controller_.next()));
      std::vector<Event> events;
      switch_->take_events(events);
      for (const Event& event : events) {
        events_.push_back(text_of(event));
        controller_.on(event);
      }
    }
    Texts texts;
    for (const Carried& carried : controller_.take_carried())
      texts.push_back(text_of(carried) + (carried.late() ? " late" : ""));
    return texts;
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Switch> switch_;
  ConfirmedController controller_;
  Texts events_;
};

TEST_P(Confirmed, CarriesAReservationOutInItsCycles) {
  adopt({reserve(7, 2, 1, 5, 11, 21)});
  EXPECT_EQ(controller_.next().n, 5);
  EXPECT_EQ(run(50), Texts{"flow 7: 5 11 21"});
  EXPECT_EQ(events_, (Texts{"6 committed 0", "6 tuning 1", "9 locking 1", "11 up 1", "21 run 1 burst 1 words 0+10",
                            "21 burst_done 2 burst 1 words 0+10"}));
  EXPECT_TRUE(controller_.idle());
}

TEST_P(Confirmed, TheNextOneOnAPortStartsInTheCycleInWhichTheLastEnds) {
  adopt({reserve(1, 2, 1, 0, 6, 16), reserve(2, 2, 3, 16, 22, 23), reserve(3, 0, 1, 16, 22, 30)});
  EXPECT_EQ(run(60), (Texts{"flow 1: 0 6 16", "flow 2: 16 22 23", "flow 3: 16 22 30"}));
}

TEST_P(Confirmed, AllThatStartInOneCycleShareACommit) {
  adopt({reserve(1, 0, 1, 4, 10, 20), reserve(2, 1, 0, 4, 10, 30), reserve(3, 2, 3, 4, 10, 12)});
  run(60);
  EXPECT_EQ(std::count(events_.begin(), events_.end(), "5 committed 0"), 1);
  EXPECT_EQ(switch_->counters(0).reconfigurations, 1);
  EXPECT_EQ(switch_->counters(3).reconfigurations, 1);
}

TEST_P(Confirmed, OnAnEstablishedCircuitWordsFillTheWholeReservation) {
  adopt({reserve(1, 2, 1, 0, 6, 16)});
  EXPECT_EQ(run(20), Texts{"flow 1: 0 6 16"});
  ASSERT_EQ(controller_.circuits().size(), 1u);
  EXPECT_EQ(controller_.circuits()[0].in, Input{2});
  EXPECT_TRUE(controller_.circuits()[0].outs[1]);
  adopt({reserve(2, 2, 1, 30, 30, 35)}, 20);
  EXPECT_EQ(controller_.next().n, 29);
  EXPECT_EQ(run(60), Texts{"flow 2: 30 30 35"});
  EXPECT_EQ(switch_->counters(1).reconfigurations, 1);
}

TEST_P(Confirmed, BackToBackOnOneCircuitTheSecondIsOneCycleLate) {
  adopt({reserve(1, 2, 1, 0, 6, 16), reserve(2, 2, 1, 16, 16, 20)});
  EXPECT_EQ(run(60), (Texts{"flow 1: 0 6 16", "flow 2: 17 17 21 late"}));
}

TEST_P(Confirmed, AnOutputThatIsLeftBehindIsMadeDark) {
  adopt({reserve(1, 2, 1, 0, 6, 16), reserve(2, 2, 3, 20, 26, 30)});
  run(60);
  EXPECT_EQ(std::count(events_.begin(), events_.end(), "21 idle 1"), 1);
  ASSERT_EQ(controller_.circuits().size(), 1u);
  EXPECT_TRUE(controller_.circuits()[0].outs[3]);
}

TEST_P(Confirmed, WhatIsPlannedTooTightIsLateButLosesNothing) {
  adopt({reserve(1, 2, 1, 0, 2, 12), reserve(2, 2, 3, 12, 18, 20)});
  EXPECT_EQ(run(60), (Texts{"flow 1: 0 6 16 late", "flow 2: 16 22 24 late"}));
  EXPECT_EQ(switch_->counters(1).lost.n, 0);
  EXPECT_EQ(switch_->counters(1).passed.n, 10);
}

TEST_P(Confirmed, WhatIsPlannedWithRoomIsNeverEarly) {
  adopt({reserve(1, 2, 1, 0, 20, 30)});
  EXPECT_EQ(run(16), Texts{});
  EXPECT_EQ(controller_.earliest_end(Cycles{0}).n, 30);
  run(60);
  EXPECT_EQ(events_.back(), "30 burst_done 2 burst 1 words 0+10");
}

/// Two words were planned for cycles 1 and 2, but light comes in cycle 6. Another reservation waits for their end.
TEST_P(Confirmed, WhatIsOverdueEndsAtTheEarliestWhenItCanHaveSentItsWords) {
  adopt({reserve(1, 2, 1, 0, 1, 3), reserve(2, 2, 3, 3, 4, 5)});
  std::vector<std::int64_t> bounds;
  for (std::int64_t cycle = 1; cycle <= 7; ++cycle) {
    EXPECT_EQ(run(cycle), Texts{});
    bounds.push_back(controller_.earliest_end(Cycles{cycle}).n);
  }
  EXPECT_EQ(bounds, (std::vector<std::int64_t>{3, 3, 5, 6, 7, 8, 8}));
  EXPECT_EQ(run(60), (Texts{"flow 1: 0 6 8 late", "flow 2: 8 14 15 late"}));
}

/// A controller that knows the mirrors' times knows when light can come.
TEST_P(Confirmed, WhatTunesIsNotUpBeforeItsTime) {
  ConfirmedController knowing(*switch_, {.tuning = Cycles{3}, .locking = Cycles{2}});
  knowing.adopt({.list = {reserve(1, 2, 1, 0, 1, 3)}, .bound = {}}, Cycles{0});
  std::vector<std::int64_t> bounds;
  while (bounds.size() < 7) {
    knowing.act(switch_->clock().now());
    switch_->clock().run_until(switch_->clock().now() + Cycles{1});
    std::vector<Event> events;
    switch_->take_events(events);
    for (const Event& event : events) knowing.on(event);
    bounds.push_back(knowing.earliest_end(switch_->clock().now()).n);
  }
  EXPECT_EQ(bounds, (std::vector<std::int64_t>{3, 3, 8, 8, 8, 8, 8}));
}

TEST_P(Confirmed, ANewPlanReplacesWhatHasNotStarted) {
  adopt({reserve(1, 2, 1, 0, 6, 16), reserve(2, 0, 3, 12, 18, 20), reserve(3, 2, 0, 16, 22, 30)});
  EXPECT_EQ(run(10), Texts{});
  adopt({reserve(4, 2, 3, 16, 22, 24)}, 10);
  EXPECT_EQ(run(60), (Texts{"flow 1: 0 6 16", "flow 4: 16 22 24"}));
  EXPECT_EQ(switch_->counters(0).reconfigurations, 0);
}

TEST_P(Confirmed, ANewPlanKeepsWhatStartsBeforeIt) {
  adopt({reserve(1, 2, 1, 0, 6, 16), reserve(2, 0, 3, 12, 18, 20)});
  run(10);
  adopt({reserve(4, 2, 3, 20, 26, 28)}, 13);
  EXPECT_EQ(run(60), (Texts{"flow 1: 0 6 16", "flow 2: 12 18 20", "flow 4: 20 26 28"}));
}

TEST_P(Confirmed, TheSuccessorOfAnAbortedFlowKeepsItsCycle) {
  adopt({reserve(1, 2, 1, 0, 6, 16), reserve(2, 2, 3, 16, 22, 24)});
  run(8);
  EXPECT_TRUE(controller_.abort(Id{1}));
  EXPECT_EQ(run(60), (Texts{"flow 1: 0 6 9 late", "flow 2: 16 22 24"}));
}

TEST_P(Confirmed, AnAbortedFlowThatWaitsIsGone) {
  adopt({reserve(1, 2, 1, 0, 6, 16), reserve(2, 2, 3, 16, 22, 24), reserve(3, 1, 3, 24, 30, 31)});
  run(8);
  EXPECT_FALSE(controller_.abort(Id{2}));
  EXPECT_EQ(run(60), (Texts{"flow 1: 0 6 16", "flow 3: 24 30 31"}));
  EXPECT_TRUE(controller_.idle());
  EXPECT_EQ(controller_.earliest_end(Cycles{0}), never<Cycles>);
}

TEST_P(Confirmed, AnAbortedFlowThatWouldBeNextIsNotStarted) {
  adopt({reserve(1, 2, 1, 20, 26, 30), reserve(2, 0, 3, 40, 46, 50)});
  run(8);
  EXPECT_FALSE(controller_.abort(Id{1}));
  EXPECT_EQ(controller_.next().n, 40);
  EXPECT_EQ(run(60), Texts{"flow 2: 40 46 50"});
}

TEST_P(Confirmed, APlanThatDoesNotFitTheSwitchIsRefused) {
  EXPECT_THROW(adopt({reserve(1, 4, 1, 0, 6, 16)}), Error);
  EXPECT_THROW(adopt({reserve(1, 2, 4, 0, 6, 16)}), Error);
  EXPECT_THROW(adopt({reserve(1, 2, 1, 7, 6, 16)}), Error);
  Reservation nowhere = reserve(1, 2, 1, 0, 6, 16);
  nowhere.outs.reset();
  EXPECT_THROW(adopt({nowhere}), Error);
}

OCS_ON_EVERY_DEVICE(Confirmed);

}  // namespace
}  // namespace ocs::test
