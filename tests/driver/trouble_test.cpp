// What goes wrong in the hardware or on the way to it is noticed, and said.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/device/registers/register_switch.hpp"
#include "rtl/regs/generated/ocs_regs.h"
#include "tests/driver/every_device.hpp"
#include "tests/driver/spy_device.hpp"

namespace ocs::test {
namespace {

class Trouble : public ::testing::TestWithParam<std::string> {
 protected:
  void make(DeviceConfig device = {.ports = 4}) {
    switch_.reset();
    spy_.reset();  // some devices exist once at a time
    spy_ = std::make_unique<SpyDevice>(make_device(GetParam(), device));
    spy_->old_map = !brief_;
    switch_ = make_register_switch(*spy_, {.delays = {.tuning = Cycles{3}}});
  }
  /// A circuit and a burst of 10 words, with the driver told `told` more at `address`.
  std::string what_is_said(std::uint32_t address, std::uint32_t told) {
    make();
    spy_->lie = [=](std::uint32_t at, std::uint32_t value) { return at == address ? value + told : value; };
    EXPECT_FALSE(switch_->commit({Cycles{0}, {{Output{1}, Input{2}}}}));
    EXPECT_FALSE(switch_->start({Id{5}, Input{2}, Words{10}, Cycles{0}, true}));
    return said([&] { run_to(*switch_, Cycles{100}); });
  }
  template <class F>
  static std::string said(F&& f) {
    try {
      f();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::run);
      return error.what();
    }
    return "nothing";
  }

  bool brief_ = false;
  std::unique_ptr<SpyDevice> spy_;
  std::unique_ptr<Switch> switch_;
};

/// With the brief form, in which counters are read when they are asked for.
class BriefTrouble : public Trouble {
 protected:
  BriefTrouble() { brief_ = true; }
  std::string what_is_said_of(std::uint16_t port, std::uint32_t address, std::uint32_t told) {
    EXPECT_EQ(what_is_said(address, told), "nothing");
    return said([&] { switch_->counters(port); });
  }
  /// Every burst is said to be whole.
  void make_and_say_whole() {
    make();
    spy_->lie = [](std::uint32_t at, std::uint32_t value) {
      return at == OCS_TEST_CORE(EVENT) && (value & 0xF0u) == 0x20u ? value | 1u : value;
    };
  }
};

TEST_P(BriefTrouble, NoneIfTheHardwareTellsTheTruth) {
  EXPECT_EQ(what_is_said_of(1, OCS_TEST_PORT(PASSED) + 8, 0), "nothing");
}

TEST_P(BriefTrouble, CountersDoNotAgreeWithWholeBursts) {
  EXPECT_EQ(what_is_said_of(1, OCS_TEST_PORT(PASSED) + 8, 1),
            "output 1: by its counter 11 words passed, by its runs 10");
  EXPECT_EQ(what_is_said_of(1, OCS_TEST_PORT(LOST) + 8, 2),
            "output 1: 10 words passed and 2 lost don't add up to the 10 sent");
  EXPECT_EQ(what_is_said_of(2, OCS_TEST_PORT(SENT) + 16, 1), "input 2 sent 1 words beside those of its bursts");
}

TEST_P(BriefTrouble, ABurstThatLostWordsIsSaidToBeWhole) {
  make_and_say_whole();
  EXPECT_FALSE(switch_->commit({Cycles{0}, {{Output{1}, Input{2}}}}));
  EXPECT_FALSE(switch_->start({Id{5}, Input{2}, Words{10}, Cycles{0}, false}));
  EXPECT_EQ(said([&] {
              run_to(*switch_, Cycles{100});
              switch_->counters(1);
            }),
            "output 1: by its counter 7 words passed, by its runs 10");
}

TEST_P(BriefTrouble, AWholeBurstHasASegment) {
  make_and_say_whole();
  EXPECT_FALSE(switch_->commit({Cycles{0}, {{Output{1}, Input{2}}}}));
  EXPECT_FALSE(switch_->start({Id{5}, Input{2}, Words{20}, Cycles{0}, true}));
  EXPECT_EQ(said([&] {
              run_to(*switch_, Cycles{10});
              EXPECT_FALSE(switch_->set_dead(2, true));
              run_to(*switch_, Cycles{12});
              EXPECT_FALSE(switch_->set_dead(2, false));
              run_to(*switch_, Cycles{100});
            }),
            "burst 5 is whole, and yet output 1 reported a segment of it");
}

TEST_P(Trouble, NoneIfTheHardwareTellsTheTruth) { EXPECT_EQ(what_is_said(OCS_TEST_PORT(PASSED) + 8, 0), "nothing"); }

TEST_P(Trouble, ACounterAndTheRunsDisagree) {
  EXPECT_EQ(what_is_said(OCS_TEST_PORT(PASSED) + 8, 1),
            "burst 5, output 1: by its counter 11 words passed, by its runs 10");
  EXPECT_EQ(what_is_said(OCS_TEST_PORT(SEG_COUNT) + 4, 0xfffffffe),
            "burst 5, output 1: by its counter 10 words passed, by its runs 8");
}

TEST_P(Trouble, WordsAreMissing) {
  EXPECT_EQ(what_is_said(OCS_TEST_PORT(LOST) + 8, 2),
            "burst 5, output 1: 10 words passed and 2 lost don't add up to the 10 sent");
  EXPECT_EQ(what_is_said(OCS_TEST_PORT(SENT) + 16, 1), "burst 5 sent 11 words instead of 10");
}

TEST_P(Trouble, ARunIsOutOfTheBurst) {
  EXPECT_EQ(what_is_said(OCS_TEST_PORT(SEG_FIRST) + 4, 1),
            "burst 5, output 1: its runs aren't words 0 to 9 in their order, but for what was lost");
}

TEST_P(Trouble, RunsAreInAnotherOrder) {
  spy_ = std::make_unique<SpyDevice>(make_device(GetParam(), {.ports = 4}));
  spy_->old_map = true;
  switch_ = make_register_switch(*spy_, {.delays = {.tuning = Cycles{3}}, .all_stop = true});
  int segments = 0;  // the first run says that it is the second one, and the other way round
  spy_->lie = [&](std::uint32_t at, std::uint32_t value) {
    if (at != OCS_TEST_PORT(SEG_FIRST) + 4) return value;
    return ++segments == 1 ? 10u : 0u;
  };
  EXPECT_FALSE(switch_->commit({Cycles{0}, {{Output{1}, Input{2}}}}));
  EXPECT_FALSE(switch_->start({Id{5}, Input{2}, Words{20}, Cycles{4}, true}));
  EXPECT_EQ(said([&] {
              run_to(*switch_, Cycles{14});  // ten words; then all outputs are held while another one tunes
              EXPECT_FALSE(switch_->commit({Cycles{14}, {{Output{3}, Input{0}}}}));
              run_to(*switch_, Cycles{100});
            }),
            "burst 5, output 1: its runs aren't words 0 to 19 in their order, but for what was lost");
  EXPECT_EQ(segments, 2);
}

TEST_P(Trouble, ASegmentOfABurstThatDoesNotRun) {
  EXPECT_EQ(what_is_said(OCS_TEST_PORT(SEG) + 4, 0x10000),
            "output 1 reports words of input 2, tag 2, where no such burst runs");
}

TEST_P(Trouble, AnEventThatNoSwitchCanReport) {
  make();
  spy_->lie = [](std::uint32_t at, std::uint32_t value) { return at == OCS_TEST_CORE(EVENT) ? 0x80000720u : value; };
  EXPECT_NE(said([&] { run_to(*switch_, Cycles{1}); }).find("class 2, kind 0, port 7"), std::string::npos);
}

TEST_P(Trouble, AnEventOfAnEarlierCycle) {
  make();
  spy_->lie = [](std::uint32_t at, std::uint32_t value) {  // NEW_STAMP is lost
    return at == OCS_TEST_CORE(EVENT) ? value & ~0x40000000u : value;
  };
  EXPECT_FALSE(switch_->commit({Cycles{0}, {{Output{1}, Input{2}}}}));
  EXPECT_EQ(said([&] { run_to(*switch_, Cycles{100}); }),
            "the switch reports an event of cycle 0 in cycle 1; it was to be read then");
}

TEST_P(Trouble, ABurstEndsThatNobodyStarted) {
  make();
  spy_->honest().bus().write(OCS_TEST_PORT(LEN), 0);
  spy_->honest().bus().write(OCS_TEST_CORE(START), 1);
  EXPECT_EQ(said([&] { run_to(*switch_, Cycles{5}); }), "input 0 reports the end of a burst that nobody started");
}

TEST_P(Trouble, TheEventFifoOverflowed) {
  make({.ports = 4, .fifo_depth = 4});
  RegisterBus& bus = spy_->honest().bus();
  bus.write(offsetof(ocs_regs_t, IRQ_ENABLE), 0);
  for (int n = 0; n < 5; ++n) {
    bus.write(OCS_TEST_CORE(COMMIT), 1);
    spy_->clock().run_until(spy_->clock().now() + Cycles{1});
  }
  bus.write(offsetof(ocs_regs_t, IRQ_ENABLE), 7);
  std::vector<Event> events;
  EXPECT_NE(said([&] { switch_->take_events(events); }).find("OVERFLOW"), std::string::npos);
}

TEST_P(Trouble, ALateCommit) {
  make();
  run_to(*switch_, Cycles{10});
  spy_->honest().bus().write(OCS_TEST_CORE(COMMIT_AT), 5);
  spy_->honest().bus().write(OCS_TEST_CORE(COMMIT_AT) + 4, 0);
  EXPECT_NE(said([&] { run_to(*switch_, Cycles{20}); }).find("LATE"), std::string::npos);
}

TEST_P(Trouble, AMapThatTheHardwareRefuses) {
  make();
  RegisterBus& bus = spy_->honest().bus();
  bus.write(OCS_TEST_PORT(SHADOW), OCS_REGS__PORT__SHADOWX__VALID_bm | 1);
  EXPECT_FALSE(switch_->commit({Cycles{0}, {{Output{1}, Input{1}}}}));
  EXPECT_NE(said([&] { run_to(*switch_, Cycles{20}); }).find("CONFLICT"), std::string::npos);
}

TEST_P(Trouble, ARefusedAccess) {
  make();
  EXPECT_THROW(spy_->honest().bus().read(0x60), AccessRefused);
  EXPECT_NE(said([&] { run_to(*switch_, Cycles{1}); }).find("ACCESS"), std::string::npos);
}

TEST_P(Trouble, WhatTheBusThrowsArrivesOnThisSideOfTheC) {
  struct Unplugged {};
  make();
  spy_->lie = [](std::uint32_t, std::uint32_t) -> std::uint32_t { throw Unplugged{}; };
  EXPECT_THROW(switch_->counters(0), Unplugged);
  EXPECT_THROW(run_to(*switch_, Cycles{1}), Unplugged);
  spy_->lie = nullptr;
  EXPECT_NO_THROW(switch_->counters(0)) << "the error isn't kept";
}

OCS_ON_EVERY_DEVICE(Trouble);
OCS_ON_EVERY_DEVICE(BriefTrouble);

}  // namespace
}  // namespace ocs::test
