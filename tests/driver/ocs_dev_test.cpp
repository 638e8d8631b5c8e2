// The C driver alone: which accesses it makes, and what the hardware makes of them.
// SPDX-License-Identifier: Apache-2.0
#include "firmware/ocs_dev.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "host/device/model/model.hpp"
#include "host/device/registers/register_switch_bus.hpp"
#include "rtl/regs/generated/ocs_regs.h"
#include "tests/driver/spy_device.hpp"

namespace ocs::test {
namespace {

/// A probed model switch of 4 ports.
class OcsDev : public ::testing::Test {
 protected:
  OcsDev() : spy_(make_model({.ports = 4})), bus_(spy_.bus()) {
    EXPECT_EQ(ocs_probe(&dev_, bus_.c()), OCS_OK);
    spy_.accesses.clear();
  }

  void run_to(std::int64_t cycle) {
    while (spy_.clock().now().n < cycle) spy_.clock().run_until(Cycles{cycle});
  }
  ocs_output_state state_of(std::uint16_t output) {
    ocs_output_state state{};
    EXPECT_EQ(ocs_state(&dev_, output, &state, &cause_), OCS_OK);
    return state;
  }
  std::vector<std::array<std::uint64_t, 4>> take_all(std::uint64_t now = 0) {
    std::vector<std::array<std::uint64_t, 4>> all;
    for (ocs_event e{};;) {
      EXPECT_EQ(ocs_event_take(&dev_, now, &e), OCS_OK);
      if (!e.valid) return all;
      all.push_back({e.stamp, e.class_, e.port, e.kind});
    }
  }

  SpyDevice spy_;
  DriverBus bus_;
  ocs_dev dev_{};
  ocs_failure cause_{};
};

TEST_F(OcsDev, ProbeReadsWhatTheSwitchIs) {
  EXPECT_EQ(dev_.ports, 4);
  EXPECT_EQ(dev_.word_bytes, 64);
  EXPECT_EQ(dev_.fifo_depth, 64);
  EXPECT_EQ(dev_.cycle_ps, 5120u);
  EXPECT_EQ(dev_.seq_entries, 16);
}

TEST_F(OcsDev, ARateLeavesTheRestOfItsRegisterAlone) {
  const std::uint32_t address = offsetof(ocs_regs_t, port.SOURCE) + 4 * 2,
                      external = OCS_REGS__PORT__SOURCEX__EXTERNAL_bm;
  spy_.bus().write(address, external | 40000u);
  EXPECT_EQ(ocs_rate_set(&dev_, 2, 20000), OCS_OK);
  EXPECT_EQ(spy_.bus().read(address), external | 20000u);
  EXPECT_EQ(ocs_rate_set(&dev_, 4, 20000), OCS_E_INDEX);
  EXPECT_EQ(ocs_rate_set(&dev_, 2, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_rate_set(&dev_, 2, 40001), OCS_E_VALUE);
  dev_.options &= ~std::uint32_t{OCS_REGS__CAP_OPTIONS__RATE_bm};
  EXPECT_EQ(ocs_rate_set(&dev_, 2, 20000), OCS_E_VALUE);
  EXPECT_EQ(ocs_rate_set(&dev_, 2, 40000), OCS_OK);
}

TEST_F(OcsDev, ProbeRefusesAnotherDeviceAndAnotherMap) {
  spy_.lie = [](std::uint32_t address, std::uint32_t value) { return address == 0 ? 0x4f435332u : value; };
  EXPECT_EQ(ocs_probe(&dev_, bus_.c()), OCS_E_IDENTITY);
  EXPECT_EQ(dev_.ports, 0) << "nothing may be done with it";
  spy_.lie = [](std::uint32_t address, std::uint32_t value) { return address == 4 ? 0x20000u : value; };
  EXPECT_EQ(ocs_probe(&dev_, bus_.c()), OCS_E_VERSION);
  spy_.lie = [](std::uint32_t address, std::uint32_t value) { return address == 8 ? 257u : value; };
  EXPECT_EQ(ocs_probe(&dev_, bus_.c()), OCS_E_VERSION);
}

TEST_F(OcsDev, WhatTheBusSaysIsHandedOnAndEndsTheFunction) {
  int calls = 0;
  dev_.bus = {&calls, [](void* c, std::uint32_t, std::uint32_t*) { return ++*static_cast<int*>(c) + 40; },
              [](void* c, std::uint32_t, std::uint32_t) { return ++*static_cast<int*>(c) + 40; }};
  std::uint64_t value = 0;
  EXPECT_EQ(ocs_time(&dev_, &value), 41);
  EXPECT_EQ(ocs_set_delays(&dev_, 0, 1, 1), 42);
  EXPECT_EQ(calls, 2);
}

TEST_F(OcsDev, ValuesThatDoNotFitMakeNoAccess) {
  std::uint32_t mask = 0;
  std::uint64_t value = 0;
  const ocs_burst burst{};
  ocs_segment segment{};
  EXPECT_EQ(ocs_set_delays(&dev_, 4, 0, 0), OCS_E_INDEX);
  EXPECT_EQ(ocs_set_delays(&dev_, 0, 1u << 30, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_delays(&dev_, 0, 0, 1u << 30), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_pair(&dev_, 0, 4, 0), OCS_E_INDEX);
  EXPECT_EQ(ocs_set_pair(&dev_, 4, 0, 0), OCS_E_INDEX);
  EXPECT_EQ(ocs_set_pair(&dev_, 0, 0, 1u << 30), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_jitter(&dev_, 0, 1u << 31), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_programming(&dev_, 1u << 30, 1), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_programming(&dev_, 1, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_programming(&dev_, 1, 257), OCS_E_VALUE);
  std::array<std::uint32_t, OCS_QUANTILES> good{}, bad{};
  bad[15] = 1u << 30;
  EXPECT_EQ(ocs_set_receivers(&dev_, 1u << 30, good.data(), good.data()), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_receivers(&dev_, 1, bad.data(), good.data()), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_receivers(&dev_, 1, good.data(), bad.data()), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_disturb(&dev_, 1u << 30, 1), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_light(&dev_, true, 32768, 0, 0, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_light(&dev_, true, -32769, 0, 0, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_light(&dev_, true, 0, 32768, 0, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_light(&dev_, true, 0, 0, 1u << 30, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_light(&dev_, true, 0, 0, 0, 1u << 30), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_ringing(&dev_, 1u << 30, 1, 1), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_ringing(&dev_, 1, 1u << 30, 1), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_ringing(&dev_, 1, 1, 256), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_power(&dev_, 0, 32768, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_power(&dev_, 0, -32769, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_power(&dev_, 0, 0, 65536), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_power(&dev_, 4, 0, 0), OCS_E_INDEX);
  std::int32_t power = 0;
  EXPECT_EQ(ocs_power(&dev_, 4, &power), OCS_E_INDEX);
  EXPECT_EQ(ocs_misrouted(&dev_, 4, &value), OCS_E_INDEX);
  EXPECT_EQ(ocs_set_stuck(&dev_, 4, true, true), OCS_E_INDEX);
  EXPECT_EQ(ocs_set_slow(&dev_, 0, 1u << 30), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_flap(&dev_, 9, 0), OCS_E_INDEX);
  EXPECT_EQ(ocs_set_faults(&dev_, 4, 0), OCS_E_INDEX);
  EXPECT_EQ(ocs_shadow_set(&dev_, 4, 0), OCS_E_INDEX);
  EXPECT_EQ(ocs_shadow_set(&dev_, 0, 512), OCS_E_VALUE);
  EXPECT_EQ(ocs_burst_set(&dev_, 4, &burst, nullptr), OCS_E_INDEX);
  EXPECT_EQ(ocs_burst_start(&dev_, 4, &burst, nullptr), OCS_E_INDEX);
  EXPECT_EQ(ocs_shadow_commit(&dev_, 4, 0), OCS_E_INDEX);
  EXPECT_EQ(ocs_shadow_commit(&dev_, 0, 512), OCS_E_VALUE);
  EXPECT_EQ(ocs_start(&dev_, 0, 0x10), OCS_E_INDEX);
  EXPECT_EQ(ocs_stop(&dev_, 1, 1), OCS_E_INDEX);
  EXPECT_EQ(ocs_retry(&dev_, 8, 1), OCS_E_INDEX);
  EXPECT_EQ(ocs_segments_full(&dev_, 1, &mask), OCS_E_INDEX);
  EXPECT_EQ(ocs_segments_clear(&dev_, 0, 0x10), OCS_E_INDEX);
  EXPECT_EQ(ocs_reported(&dev_, 1, &mask, &mask), OCS_E_INDEX);
  EXPECT_EQ(ocs_reported_clear(&dev_, 0, 0x10, 0), OCS_E_INDEX);
  EXPECT_EQ(ocs_reported_clear(&dev_, 0, 0, 0x10), OCS_E_INDEX);
  EXPECT_EQ(ocs_segment_read(&dev_, 4, &segment), OCS_E_INDEX);
  EXPECT_EQ(ocs_counter(&dev_, OCS_LOST, 4, &value), OCS_E_INDEX);
  EXPECT_EQ(ocs_counter(&dev_, static_cast<ocs_port_counter>(7), 0, &value), OCS_E_INDEX);
  EXPECT_EQ(ocs_seq_store(&dev_, 16, 0, nullptr), OCS_E_INDEX);
  EXPECT_EQ(ocs_seq_go(&dev_, 0, 17, 0), OCS_E_VALUE);
  EXPECT_TRUE(spy_.accesses.empty());
}

TEST_F(OcsDev, WideValuesGoLowWordFirst) {
  std::uint64_t value = 0;
  ASSERT_EQ(ocs_commit_at(&dev_, 0x300000002), OCS_OK);
  ASSERT_EQ(ocs_counter(&dev_, OCS_SENT, 3, &value), OCS_OK);
  ASSERT_EQ(spy_.accesses.size(), 4u);
  EXPECT_EQ(spy_.accesses[0].address, OCS_TEST_CORE(COMMIT_AT));
  EXPECT_EQ(spy_.accesses[0].value, 2u);
  EXPECT_EQ(spy_.accesses[1].address, OCS_TEST_CORE(COMMIT_AT) + 4);
  EXPECT_EQ(spy_.accesses[1].value, 3u);
  EXPECT_EQ(spy_.accesses[2].address, OCS_TEST_PORT(SENT) + 24);
  EXPECT_EQ(spy_.accesses[3].address, OCS_TEST_PORT(SENT) + 28);
}

TEST_F(OcsDev, TuningIsBasePlusPairPlusSlow) {
  ASSERT_EQ(ocs_set_delays(&dev_, 1, 10, 5), OCS_OK);
  ASSERT_EQ(ocs_set_pair(&dev_, 1, 2, 3), OCS_OK);
  ASSERT_EQ(ocs_set_pair(&dev_, 2, 1, 100), OCS_OK);
  ASSERT_EQ(ocs_set_slow(&dev_, 1, 4), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 1, 2), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  run_to(17);
  EXPECT_EQ(state_of(1), OCS_TUNING);
  run_to(18);
  EXPECT_EQ(state_of(1), OCS_LOCKING);
  run_to(23);
  EXPECT_EQ(state_of(1), OCS_UP);
  std::uint16_t input = 0;
  ASSERT_EQ(ocs_active(&dev_, 1, &input), OCS_OK);
  EXPECT_EQ(input, 2);
  ASSERT_EQ(ocs_active(&dev_, 0, &input), OCS_OK);
  EXPECT_EQ(input, OCS_DARK);
}

TEST_F(OcsDev, JitterIsTheFirstDrawOfTheSeed) {
  // Output 0 of seed 0x9E3779B8 begins at 1, whose first draw is 270369 (contract, section 2).
  ASSERT_EQ(ocs_seed(&dev_, 0x9E3779B8), OCS_OK);
  ASSERT_EQ(ocs_set_jitter(&dev_, 0, 0x3fffffff), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 0, 3), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  run_to(270369);
  EXPECT_EQ(state_of(0), OCS_TUNING);
  run_to(270370);
  EXPECT_EQ(state_of(0), OCS_UP);
}

TEST_F(OcsDev, AStuckOutputFailsUntilItIsRetried) {
  ASSERT_EQ(ocs_set_faults(&dev_, 3, OCS_REGS__PORT__FAULTX__STUCK_bm), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 3, 0), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  run_to(1);
  EXPECT_EQ(state_of(3), OCS_FAILED);
  EXPECT_EQ(cause_, OCS_CAUSE_STUCK);
  ASSERT_EQ(ocs_set_faults(&dev_, 3, 0), OCS_OK);
  ASSERT_EQ(ocs_retry(&dev_, 0, 8), OCS_OK);
  run_to(2);
  EXPECT_EQ(state_of(3), OCS_UP);
  ASSERT_EQ(ocs_set_flap(&dev_, 3, 5), OCS_OK);
}

TEST_F(OcsDev, AStuckMirrorThatKeepsItsLightShowsWordsOfAnotherInput) {
  ASSERT_EQ(ocs_shadow_set(&dev_, 3, 0), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  run_to(1);
  EXPECT_EQ(state_of(3), OCS_UP);
  ASSERT_EQ(ocs_set_stuck(&dev_, 3, true, true), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 3, 1), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  const ocs_burst burst{.length = 5, .gap = 0, .repeat = 0, .tag = 77, .gated = false};
  ASSERT_EQ(ocs_burst_set(&dev_, 0, &burst, nullptr), OCS_OK);
  ASSERT_EQ(ocs_start(&dev_, 0, 1), OCS_OK);
  run_to(20);
  EXPECT_EQ(state_of(3), OCS_FAILED);
  EXPECT_EQ(cause_, OCS_CAUSE_MISROUTED);
  std::uint64_t words = 0;
  ASSERT_EQ(ocs_misrouted(&dev_, 3, &words), OCS_OK);
  EXPECT_EQ(words, 5u);
  ASSERT_EQ(ocs_misrouted(&dev_, 2, &words), OCS_OK);
  EXPECT_EQ(words, 0u);
  ASSERT_EQ(ocs_set_stuck(&dev_, 3, false, false), OCS_OK);
  ASSERT_EQ(ocs_retry(&dev_, 0, 8), OCS_OK);
  run_to(21);
  EXPECT_EQ(state_of(3), OCS_UP);
}

TEST_F(OcsDev, LightIsWhatTheLaserSendsLessWhatIsLostOnItsWay) {
  std::int32_t power = 0;
  ASSERT_EQ(ocs_set_power(&dev_, 0, -300, 0), OCS_OK);
  ASSERT_EQ(ocs_set_power(&dev_, 3, 0, 250), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 3, 0), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  run_to(1);
  ASSERT_EQ(ocs_power(&dev_, 3, &power), OCS_OK);
  EXPECT_EQ(power, -550);
  ASSERT_EQ(ocs_power(&dev_, 2, &power), OCS_OK);
  EXPECT_EQ(power, OCS_NO_POWER);
  ASSERT_EQ(ocs_set_power(&dev_, 0, 32767, 0), OCS_OK);
  ASSERT_EQ(ocs_power(&dev_, 3, &power), OCS_OK);
  EXPECT_EQ(power, 32517);
}

/// Missing in cycle 5 for the first time, and for 2 more; there again from 10 on, and for 3 more.
TEST_F(OcsDev, LightThatIsTooWeakForAWhileIsALossOfLight) {
  ASSERT_EQ(ocs_set_power(&dev_, 0, -300, 0), OCS_OK);
  ASSERT_EQ(ocs_set_light(&dev_, true, -1000, 200, 2, 3), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 3, 0), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  run_to(5);
  ASSERT_EQ(ocs_set_power(&dev_, 0, -1001, 0), OCS_OK);
  run_to(7);
  EXPECT_EQ(state_of(3), OCS_UP);
  run_to(8);
  EXPECT_EQ(state_of(3), OCS_FAILED);
  EXPECT_EQ(cause_, OCS_CAUSE_LIGHT);
  ASSERT_EQ(ocs_set_power(&dev_, 0, -801, 0), OCS_OK);
  run_to(30);
  EXPECT_EQ(state_of(3), OCS_FAILED) << "what is dim needs 2 dB more";
  ASSERT_EQ(ocs_set_power(&dev_, 0, -800, 0), OCS_OK);
  run_to(33);
  EXPECT_EQ(state_of(3), OCS_FAILED);
  run_to(34);
  EXPECT_EQ(state_of(3), OCS_UP);
}

/// It arrives at the end of cycle 0: light in 1 to 4, none in 5 to 7, light in 8 to 11, none in 12 to 14.
TEST_F(OcsDev, AMirrorThatRingsLosesItsLightSoManyTimes) {
  ASSERT_EQ(ocs_set_light(&dev_, true, 0, 0, 0, 0), OCS_OK);
  ASSERT_EQ(ocs_set_ringing(&dev_, 4, 3, 2), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 3, 0), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  std::string states;
  for (std::int64_t cycle = 1; cycle <= 20; ++cycle) {
    run_to(cycle);
    states += state_of(3) == OCS_UP ? 'U' : 'F';
  }
  EXPECT_EQ(states, "UUUUUFFFUUUUFFFUUUUU");
}

TEST_F(OcsDev, LightIsSetOnlyWhereTheSwitchHasTheOption) {
  std::uint64_t words = 0;
  dev_.options &= ~std::uint32_t{OCS_REGS__CAP_OPTIONS__POWER_bm | OCS_REGS__CAP_OPTIONS__POSITIONS_bm};
  spy_.accesses.clear();
  EXPECT_EQ(ocs_set_light(&dev_, true, 0, 0, 0, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_light(&dev_, false, 0, 0, 0, 0), OCS_OK);
  EXPECT_EQ(ocs_set_ringing(&dev_, 4, 3, 2), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_ringing(&dev_, 4, 0, 2), OCS_OK);
  EXPECT_EQ(ocs_set_power(&dev_, 0, 1, 0), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_power(&dev_, 0, 0, 1), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_power(&dev_, 0, 0, 0), OCS_OK);
  EXPECT_EQ(ocs_misrouted(&dev_, 0, &words), OCS_E_VALUE);
  EXPECT_EQ(ocs_set_stuck(&dev_, 0, true, true), OCS_E_VALUE);
  EXPECT_TRUE(spy_.accesses.empty());
  EXPECT_EQ(ocs_set_stuck(&dev_, 0, true, false), OCS_OK);
}

TEST_F(OcsDev, TheStampIsReadOnlyWhenItIsNew) {
  ASSERT_EQ(ocs_shadow_set(&dev_, 0, 1), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 2, 3), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  run_to(1);
  spy_.accesses.clear();
  const std::vector<std::array<std::uint64_t, 4>> expected{
      {1, OCS_CLASS_DEVICE, 0, OCS_COMMITTED}, {1, OCS_CLASS_OUTPUT, 0, OCS_UP}, {1, OCS_CLASS_OUTPUT, 2, OCS_UP}};
  EXPECT_EQ(take_all(), expected);
  EXPECT_EQ(spy_.accesses.size(), 4u + 2u) << "three events, none, and one stamp of 64 bits";

  const std::uint64_t far = (std::uint64_t{1} << 33) + 7;  // its high word comes from `now`
  ASSERT_EQ(ocs_commit_at(&dev_, far - 1), OCS_OK);
  run_to(static_cast<std::int64_t>(far));
  spy_.accesses.clear();
  EXPECT_EQ(take_all(far + 0xffffffff), (std::vector<std::array<std::uint64_t, 4>>{{far, OCS_CLASS_DEVICE, 1, 0}}));
  EXPECT_EQ(spy_.accesses.size(), 2u + 1u);
}

TEST_F(OcsDev, AStampThatCanOnlyBeThePresentCycleIsNotRead) {
  ASSERT_EQ(ocs_shadow_set(&dev_, 0, 1), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  run_to(1);
  spy_.accesses.clear();
  ocs_event event{};
  ASSERT_EQ(ocs_event_take_present(&dev_, 1, &event), OCS_OK);
  EXPECT_EQ(event.stamp, 1u);
  ASSERT_EQ(ocs_event_take_present(&dev_, 7, &event), OCS_OK);
  EXPECT_EQ(event.stamp, 1u) << "the hardware says that it's of the same cycle as the one before";
  EXPECT_EQ(event.kind, OCS_UP);
  ASSERT_EQ(ocs_event_take_present(&dev_, 7, &event), OCS_OK);
  EXPECT_FALSE(event.valid);
  EXPECT_EQ(spy_.accesses.size(), 3u);
}

TEST_F(OcsDev, BurstParametersAreWrittenWhereTheyDiffer) {
  const ocs_burst first{.length = 5, .gap = 2, .repeat = 1, .tag = 77, .gated = true};
  ASSERT_EQ(ocs_burst_set(&dev_, 2, &first, nullptr), OCS_OK);
  EXPECT_EQ(spy_.writes(), 4u);
  ocs_burst second = first;
  second.tag = 78;
  ASSERT_EQ(ocs_burst_set(&dev_, 2, &second, &first), OCS_OK);
  EXPECT_EQ(spy_.writes(), 5u);
  ASSERT_EQ(ocs_burst_set(&dev_, 2, &second, &second), OCS_OK);
  EXPECT_EQ(spy_.writes(), 5u);
}

TEST_F(OcsDev, InTheBriefFormThreeEntriesAreOneAccess) {
  const std::array<std::uint16_t, OCS_BLOCK> map{2, OCS_DARK, 0}, before{3, 1, OCS_DARK};
  ASSERT_EQ(ocs_set_brief(&dev_, true), OCS_OK);
  spy_.accesses.clear();
  ASSERT_EQ(ocs_shadow_block(&dev_, 1, before.data(), false), OCS_OK);
  ASSERT_EQ(ocs_shadow_block(&dev_, 0, map.data(), true), OCS_OK);
  EXPECT_EQ(spy_.accesses.size(), 2u);
  run_to(1);
  for (const auto& [output, input] :
       std::vector<std::pair<std::uint16_t, std::uint16_t>>{{0, 2}, {1, OCS_DARK}, {2, 0}, {3, OCS_DARK}}) {
    std::uint16_t active = 1;
    ASSERT_EQ(ocs_active(&dev_, output, &active), OCS_OK);
    EXPECT_EQ(active, output == 3 ? OCS_DARK : input) << output;
  }
  const std::array<std::uint16_t, OCS_BLOCK> beyond{1, 512, 512};
  EXPECT_EQ(ocs_shadow_block(&dev_, 2, beyond.data(), false), OCS_E_VALUE);
  EXPECT_EQ(ocs_shadow_block(&dev_, 3, beyond.data(), false), OCS_OK) << "there are no outputs behind it";
  EXPECT_EQ(ocs_shadow_block(&dev_, 4, map.data(), false), OCS_E_INDEX);
}

TEST_F(OcsDev, InTheBriefFormACircuitIsTwoAccessesAndItsEndOneEvent) {
  const ocs_burst burst{.length = 5, .gap = 0, .repeat = 0, .tag = 77, .gated = true};
  ASSERT_EQ(ocs_shadow_commit(&dev_, 1, 2), OCS_OK);
  ASSERT_EQ(ocs_burst_start(&dev_, 2, &burst, nullptr), OCS_OK);
  run_to(9);
  ocs_event event{};
  ASSERT_EQ(ocs_event_take(&dev_, 0, &event), OCS_OK);
  EXPECT_FALSE(event.valid) << "the brief form is off";
  ASSERT_EQ(ocs_set_brief(&dev_, true), OCS_OK);
  spy_.accesses.clear();
  ASSERT_EQ(ocs_shadow_commit(&dev_, 1, 2), OCS_OK);
  ASSERT_EQ(ocs_burst_start(&dev_, 2, &burst, &burst), OCS_OK);
  EXPECT_EQ(spy_.accesses.size(), 2u);
  run_to(20);
  std::vector<int> ends;
  do {
    ASSERT_EQ(ocs_event_take(&dev_, 0, &event), OCS_OK);
    if (event.valid && event.class_ == OCS_CLASS_INPUT) ends.push_back(event.kind);
  } while (event.valid);
  EXPECT_EQ(ends, std::vector<int>{OCS_WHOLE});
  std::uint32_t full = 1;
  ASSERT_EQ(ocs_segments_full(&dev_, 0, &full), OCS_OK);
  EXPECT_EQ(full, 0u);
  dev_.minor = OCS_BRIEF_SINCE - 1;
  EXPECT_EQ(ocs_set_brief(&dev_, true), OCS_E_VALUE);
}

TEST_F(OcsDev, ABurstIsReportedInItsSegmentAndItsCounters) {
  const ocs_burst burst{.length = 5, .gap = 2, .repeat = 1, .tag = 77, .gated = true};
  ASSERT_EQ(ocs_burst_set(&dev_, 2, &burst, nullptr), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 1, 2), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  ASSERT_EQ(ocs_start(&dev_, 0, 4), OCS_OK);
  ocs_engine_state engine{};
  run_to(1);
  ASSERT_EQ(ocs_engine(&dev_, 2, &engine), OCS_OK);
  EXPECT_EQ(engine, OCS_ENGINE_GAP);
  run_to(15);  // 2 + 5 + 2 + 5 cycles from 1 on
  ASSERT_EQ(ocs_engine(&dev_, 2, &engine), OCS_OK);
  EXPECT_EQ(engine, OCS_ENGINE_OFF);
  std::uint32_t full = 0, low = 0, changed = 0, ended = 0;
  ASSERT_EQ(ocs_reported(&dev_, 0, &changed, &ended), OCS_OK);
  EXPECT_EQ(changed, 2u);
  EXPECT_EQ(ended, 4u);
  ASSERT_EQ(ocs_reported_clear(&dev_, 0, 2, 0), OCS_OK);
  ASSERT_EQ(ocs_reported(&dev_, 0, &changed, &ended), OCS_OK);
  EXPECT_EQ(changed, 0u);
  EXPECT_EQ(ended, 4u);
  ASSERT_EQ(ocs_segments_full(&dev_, 0, &full), OCS_OK);
  EXPECT_EQ(full, 2u);
  ocs_segment segment{};
  ASSERT_EQ(ocs_segment_read(&dev_, 1, &segment), OCS_OK);
  EXPECT_EQ(segment.input, 2);
  EXPECT_EQ(segment.tag, 77);
  EXPECT_EQ(segment.first, 0u);
  EXPECT_EQ(segment.count, 10u);
  ASSERT_EQ(ocs_segments_clear(&dev_, 0, 2), OCS_OK);
  ASSERT_EQ(ocs_segments_full(&dev_, 0, &full), OCS_OK);
  EXPECT_EQ(full, 0u);
  const std::array<std::pair<ocs_port_counter, std::uint16_t>, 4> counters{
      {{OCS_PASSED, 1}, {OCS_SENT, 2}, {OCS_LOST, 1}, {OCS_TUNINGS, 1}}};
  const std::array<std::uint64_t, 4> expected{10, 10, 0, 1};
  for (std::size_t n = 0; n < counters.size(); ++n) {
    std::uint64_t value = 99;
    ASSERT_EQ(ocs_counter(&dev_, counters[n].first, counters[n].second, &value), OCS_OK);
    ASSERT_EQ(ocs_counter_low(&dev_, counters[n].first, counters[n].second, &low), OCS_OK);
    EXPECT_EQ(value, expected[n]);
    EXPECT_EQ(low, expected[n]);
  }
}

TEST_F(OcsDev, TheSequencerPlaysWhatWasStored) {
  const std::uint32_t launch = 0;
  ASSERT_EQ(ocs_shadow_set(&dev_, 0, 1), OCS_OK);
  ASSERT_EQ(ocs_seq_store(&dev_, 0, 0, &launch), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 0, OCS_DARK), OCS_OK);
  ASSERT_EQ(ocs_seq_store(&dev_, 1, 30, nullptr), OCS_OK);
  ASSERT_EQ(ocs_shadow_load(&dev_), OCS_OK);
  ASSERT_EQ(ocs_seq_go(&dev_, 100, 2, 50), OCS_OK);
  run_to(1);
  std::uint32_t status = 0;
  ASSERT_EQ(ocs_status(&dev_, &status), OCS_OK);
  EXPECT_EQ(status, OCS_REGS__CORE__STATUS__SEQ_RUNNING_bm);
  run_to(160);
  const std::vector<std::array<std::uint64_t, 4>> expected{
      {101, OCS_CLASS_DEVICE, 2, OCS_COMMITTED}, {101, OCS_CLASS_OUTPUT, 0, OCS_UP},
      {131, OCS_CLASS_DEVICE, 2, OCS_COMMITTED}, {131, OCS_CLASS_DEVICE, 2, OCS_WRAPPED},
      {131, OCS_CLASS_OUTPUT, 0, OCS_IDLE},      {151, OCS_CLASS_DEVICE, 2, OCS_COMMITTED},
      {151, OCS_CLASS_OUTPUT, 0, OCS_UP}};
  EXPECT_EQ(take_all(), expected);
  ASSERT_EQ(ocs_seq_swap(&dev_), OCS_OK);
  ASSERT_EQ(ocs_seq_stop(&dev_), OCS_OK);
  run_to(300);
  EXPECT_TRUE(take_all().empty()) << "nothing is taken any more";
}

TEST_F(OcsDev, ACancelledCommitIsNotTaken) {
  std::uint32_t status = 0;
  ASSERT_EQ(ocs_shadow_set(&dev_, 0, 1), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  ASSERT_EQ(ocs_commit_at(&dev_, 5), OCS_OK);
  ASSERT_EQ(ocs_status(&dev_, &status), OCS_OK);
  EXPECT_EQ(status, OCS_REGS__CORE__STATUS__COMMIT_PENDING_bm | OCS_REGS__CORE__STATUS__COMMIT_ARMED_bm);
  ASSERT_EQ(ocs_commit_cancel(&dev_), OCS_OK);
  run_to(9);
  EXPECT_TRUE(take_all().empty());
}

TEST_F(OcsDev, AnErrorStaysUntilItIsCleared) {
  std::uint32_t mask = 0;
  std::uint64_t refused = 0;
  ASSERT_EQ(ocs_set_modes(&dev_, false, false), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 0, 1), OCS_OK);
  ASSERT_EQ(ocs_shadow_set(&dev_, 2, 1), OCS_OK);
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  run_to(1);
  ASSERT_EQ(ocs_errors(&dev_, &mask), OCS_OK);
  EXPECT_EQ(mask, OCS_REGS__CORE__ERROR__CONFLICT_bm);
  ASSERT_EQ(ocs_device_counter(&dev_, OCS_COMMITS_REFUSED, &refused), OCS_OK);
  EXPECT_EQ(refused, 1u);
  ASSERT_EQ(ocs_irq_enable(&dev_, 7), OCS_OK);
  ASSERT_EQ(ocs_irq_status(&dev_, &mask), OCS_OK);
  EXPECT_EQ(mask, OCS_REGS__CORE__IRQ_STATUS__EVENT_bm | OCS_REGS__CORE__IRQ_STATUS__ERROR_bm);
  ASSERT_EQ(ocs_errors_clear(&dev_, OCS_REGS__CORE__ERROR__CONFLICT_bm), OCS_OK);
  ASSERT_EQ(ocs_errors(&dev_, &mask), OCS_OK);
  EXPECT_EQ(mask, 0u);
}

TEST_F(OcsDev, SoftResetForgetsTheStamp) {
  std::uint64_t time = 99;
  ASSERT_EQ(ocs_commit(&dev_), OCS_OK);
  run_to(1);
  take_all();
  EXPECT_EQ(dev_.stamp, 1u);
  ASSERT_EQ(ocs_soft_reset(&dev_), OCS_OK);
  EXPECT_EQ(dev_.stamp, 0u);
  ASSERT_EQ(ocs_time(&dev_, &time), OCS_OK);
  EXPECT_EQ(time, 0u);
}

}  // namespace
}  // namespace ocs::test
