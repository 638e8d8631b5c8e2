// What the register switch refuses, and that a refusal leaves the hardware alone.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>

#include "host/device/model/model.hpp"
#include "host/device/registers/register_switch.hpp"
#include "rtl/regs/generated/ocs_regs.h"
#include "tests/common/refusal.hpp"
#include "tests/driver/every_device.hpp"
#include "tests/driver/spy_device.hpp"

namespace ocs::test {
namespace {

class Refusals : public ::testing::Test {
 protected:
  Refusals() : spy_(make_model({.ports = 4})), switch_(make_register_switch(spy_, {.delays = {.tuning = Cycles{5}}})) {
    run_to(*switch_, Cycles{10});
    EXPECT_FALSE(switch_->commit({Cycles{10}, {{Output{1}, Input{0}}, {Output{2}, Input{3}}}}));
    run_to(*switch_, Cycles{20});
    spy_.accesses.clear();
  }
  /// The reason; nothing may have been written.
  Refusal refused(const std::optional<Refusal>& refusal) {
    EXPECT_EQ(spy_.writes(), 0u);
    EXPECT_TRUE(refusal);
    return refusal.value_or(Refusal{});
  }

  SpyDevice spy_;
  std::unique_ptr<Switch> switch_;
};

TEST_F(Refusals, AnInputFeedsOneOutput) {
  const Refusal refusal = refused(switch_->commit({Cycles{20}, {{Output{0}, Input{2}}, {Output{3}, Input{0}}}}));
  EXPECT_EQ(refusal.why, "input 0 would feed outputs 1 and 3, and multicast is off");
  ASSERT_TRUE(refusal.blocked_by);
  EXPECT_EQ(refusal.blocked_by->out, Output{1});
  EXPECT_EQ(refusal.blocked_by->in, Input{0});
}

TEST_F(Refusals, AnInputFeedsOneOutputWithinTheCommitToo) {
  const Refusal refusal = refused(switch_->commit({Cycles{20}, {{Output{0}, Input{2}}, {Output{3}, Input{2}}}}));
  EXPECT_EQ(refusal.why, "input 2 would feed outputs 0 and 3, and multicast is off");
}

TEST_F(Refusals, TheWholeResultingMapCounts) {
  EXPECT_FALSE(switch_->commit({Cycles{20}, {{Output{1}, Input{3}}, {Output{2}, Input{0}}}})) << "they change places";
  run_to(*switch_, Cycles{30});
  EXPECT_FALSE(switch_->commit({Cycles{30}, {{Output{1}, std::nullopt}, {Output{0}, Input{3}}}}));
}

TEST_F(Refusals, APastCommit) {
  EXPECT_EQ(refused(switch_->commit({Cycles{19}, {{Output{0}, Input{2}}}})).why, "cycle 19 is past, it is cycle 20");
}

TEST_F(Refusals, ATimedCommitBesideOneOfThePresentCycle) {
  EXPECT_FALSE(switch_->commit({Cycles{20}, {{Output{0}, Input{2}}}}));
  spy_.accesses.clear();
  refused(switch_->commit({Cycles{25}, {{Output{0}, std::nullopt}}}));
  run_to(*switch_, Cycles{21});
  EXPECT_FALSE(switch_->commit({Cycles{25}, {{Output{0}, std::nullopt}}}));
}

TEST_F(Refusals, PortsBeyondTheSwitch) {
  refused(switch_->commit({Cycles{20}, {{Output{4}, Input{2}}}}));
  refused(switch_->commit({Cycles{20}, {{Output{0}, Input{4}}}}));
  refused(switch_->start({Id{1}, Input{4}, Words{1}, Cycles{0}, true}));
  EXPECT_THROW(switch_->counters(4), Error);
}

TEST_F(Refusals, AnOutputNamedTwice) {
  EXPECT_EQ(refused(switch_->commit({Cycles{20}, {{Output{0}, Input{2}}, {Output{0}, std::nullopt}}})).why,
            "output 0 is named twice");
}

TEST_F(Refusals, BurstsThatDoNotFitTheEngine) {
  refused(switch_->start({Id{1}, Input{0}, Words{-1}, Cycles{0}, true}));
  refused(switch_->start({Id{1}, Input{0}, Words{std::int64_t{1} << 32}, Cycles{0}, true}));
  refused(switch_->start({Id{1}, Input{0}, Words{1}, Cycles{(std::int64_t{1} << 32) + 21}, true}));
  EXPECT_FALSE(switch_->start({Id{1}, Input{0}, Words{1}, Cycles{(std::int64_t{1} << 32) + 20}, true}));
}

TEST_F(Refusals, WordsThatTakeWhatNoRateGives) {
  const auto taking = [&](std::int64_t cycles) {
    return switch_->start({Id{1}, Input{0}, Words{1}, Cycles{0}, true, Cycles{cycles}});
  };
  EXPECT_EQ(refused(taking(3)).why, "a word takes a divisor of 40000 cycles, not 3");
  refused(taking(0));
  refused(taking(80000));
  EXPECT_FALSE(taking(40000));
}

TEST_F(Refusals, SlowWordsOnASwitchWithoutRates) {
  spy_.lie = [](std::uint32_t address, std::uint32_t value) {
    return address == offsetof(ocs_regs_t, CAP_OPTIONS) ? value & ~OCS_REGS__CAP_OPTIONS__RATE_bm : value;
  };
  const auto plain = make_register_switch(spy_, {});
  spy_.accesses.clear();
  EXPECT_EQ(refused(plain->start({Id{1}, Input{0}, Words{1}, Cycles{0}, true, Cycles{2}})).why,
            "a word takes one cycle on a switch without the RATE option, not 2");
  EXPECT_FALSE(plain->start({Id{1}, Input{0}, Words{1}, Cycles{0}, true}));
}

TEST_F(Refusals, FaultsOfMirrorsThatDoNotFit) {
  EXPECT_EQ(refused(switch_->set_mirror_fault(Output{4}, MirrorFault::stuck, Cycles{1})).why,
            "port 4 isn't one of this switch's 4");
  EXPECT_EQ(refused(switch_->set_mirror_fault(Output{1}, MirrorFault::slow, Cycles{1 << 30})).why,
            "a fault of 1073741824 cycles doesn't fit the switch: 0 to 1073741823 cycles");
  EXPECT_EQ(refused(switch_->retry(Output{4})).why, "output 4 isn't one of this switch's 4");
}

TEST_F(Refusals, StoppingWhatDoesNotRun) { EXPECT_EQ(refused(switch_->stop(Id{8})).why, "burst 8 isn't running"); }

TEST(RegisterSwitchIsNotMade, WithDelaysThatDoNotFit) {
  const auto device = make_model({.ports = 4});
  EXPECT_THROW(make_register_switch(*device, {.delays = {.tuning = Cycles{1 << 30}}}), Error);
  EXPECT_THROW(make_register_switch(*device, {.delays = {.locking = Cycles{-1}}}), Error);
  EXPECT_THROW(make_register_switch(*device, {.delays = {.programming = Cycles{1 << 30}}}), Error);
  EXPECT_THROW(make_register_switch(*device, {.delays = {.programming = Cycles{1}, .lanes = 257}}), Error);
  Receivers receivers;
  receivers.cold[3] = Cycles{1 << 30};
  EXPECT_THROW(make_register_switch(*device, {.delays = {.receivers = receivers}}), Error);
  receivers = {};
  receivers.warm_time = Cycles{-1};
  EXPECT_THROW(make_register_switch(*device, {.delays = {.receivers = receivers}}), Error);
  EXPECT_EQ(
      refusal([&] {
        make_register_switch(*device, {.delays = {.neighbours = {.disturbed = Cycles{1 << 30}, .distances = 1}}});
      }),
      "the time for which mirrors are disturbed of 1073741824 cycles doesn't fit the switch: 0 to 1073741823 cycles");
  EXPECT_EQ(refusal([&] { make_register_switch(*device, {.delays = {.light = LightLevel{.lost = Cycles{1 << 30}}}}); }),
            "the time after which a loss of light is reported of 1073741824 cycles doesn't fit the switch: 0 to "
            "1073741823 cycles");
  for (const LightLevel& light :
       {LightLevel{.back = Cycles{1 << 30}}, LightLevel{.ring_after = Cycles{1 << 30}}, LightLevel{.ring = Cycles{-1}}})
    EXPECT_THROW(make_register_switch(*device, {.delays = {.light = light}}), Error);
  EXPECT_EQ(refusal([&] {
              make_register_switch(*device, {.delays = {.light = LightLevel{.lasers = {1, 2, 3}}}});
            }),
            "there are 3 levels of lasers, but the switch has 4 to be given one");
  EXPECT_EQ(refusal([&] { make_register_switch(*device, {.delays = {.light = LightLevel{.losses = {1}}}}); }),
            "there are 1 losses of outputs, but the switch has 4 to be given one");
  EXPECT_EQ(refusal([&] { make_register_switch(*device, {.delays = {.jitter = Cycles{6}}}); }),
            "jitter is 6 cycles, but must be 2^m - 1");
  EXPECT_THROW(make_register_switch(*device, {.delays = {.jitter = Cycles{1 << 30}}}), Error);
  EXPECT_NO_THROW(make_register_switch(*device, {.delays = {.tuning = Cycles{(1 << 30) - 1}}}));
}

TEST(RegisterSwitchIsNotMade, WithOptionsThatTheSwitchLacks) {
  SpyDevice spy(make_model({.ports = 4}));
  spy.lie = [](std::uint32_t address, std::uint32_t value) {
    return address == offsetof(ocs_regs_t, CAP_OPTIONS) ? 0 : value;
  };
  EXPECT_THROW(make_register_switch(spy, {.multicast = true}), Error);
  EXPECT_THROW(make_register_switch(spy, {.all_stop = true}), Error);
  EXPECT_NO_THROW(make_register_switch(spy, {}));
  EXPECT_EQ(refusal([&] { make_register_switch(spy, {.delays = {.programming = Cycles{3}}}); }),
            "mirrors are to be programmed in turn, but this switch has no option for serial programming");
  EXPECT_EQ(refusal([&] { make_register_switch(spy, {.delays = {.receivers = Receivers{}}}); }),
            "receivers are to lock by what they last received, but this switch has no option for receivers");
  EXPECT_EQ(
      refusal([&] { make_register_switch(spy, {.delays = {.neighbours = {.disturbed = Cycles{3}, .distances = 1}}}); }),
      "mirrors are to disturb others when they move, but this switch has no option for neighbours");
  EXPECT_EQ(refusal([&] { make_register_switch(spy, {.delays = {.light = LightLevel{}}}); }),
            "light is to have a level, but this switch has no option for power");
  EXPECT_EQ(refusal([&] { make_register_switch(spy, {.delays = {.jitter = Cycles{3}}}); }),
            "tuning times are to be drawn, but this switch has no option for jitter");
  const auto plain = make_register_switch(spy, {});
  spy.lie = [](std::uint32_t address, std::uint32_t value) {
    EXPECT_TRUE(address < offsetof(ocs_regs_t, optics.POWER) || address >= offsetof(ocs_regs_t, optics.POWER) + 1024)
        << "an old switch has no such register";
    return address == offsetof(ocs_regs_t, CAP_OPTIONS) ? 0 : value;
  };
  EXPECT_FALSE(plain->constants().power);
  EXPECT_EQ(plain->power(Output{1}), std::nullopt);
  spy.lie = [](std::uint32_t address, std::uint32_t value) {
    return address == offsetof(ocs_regs_t, CAP_OPTIONS) ? std::uint32_t{OCS_REGS__CAP_OPTIONS__FAULTS_bm} : value;
  };
  const auto without_positions = make_register_switch(spy, {});
  EXPECT_EQ(without_positions->set_mirror_fault(Output{1}, MirrorFault::kept, Cycles{1}).value().why,
            "this switch has no POSITIONS option, and the light of stuck mirrors can't be kept");
  EXPECT_EQ(plain->set_mirror_fault(Output{1}, MirrorFault::slow, Cycles{1}).value().why,
            "this switch has no FAULTS option");
}

TEST(RegisterSwitchIsNotMade, WhereNoSwitchAnswers) {
  SpyDevice spy(make_model({.ports = 4}));
  spy.lie = [](std::uint32_t, std::uint32_t) { return 0xffffffffu; };
  try {
    make_register_switch(spy, {});
    FAIL() << "an empty window was taken for a switch";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no switch answers"), std::string::npos) << error.what();
  }
}

TEST(RegisterSwitchIsNotMade, OnASwitchThatHasUnreadEvents) {
  const auto device = make_model({.ports = 4});
  device->bus().write(OCS_TEST_CORE(COMMIT), 1);
  device->clock().run_until(Cycles{3});
  EXPECT_THROW(make_register_switch(*device, {}), Error);
}

}  // namespace
}  // namespace ocs::test
