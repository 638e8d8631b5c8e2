// Commands about what light does: each is in force in the switch, or refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <tuple>
#include <vector>

#include "firmware/ocs_dev.h"
#include "rtl/regs/generated/ocs_regs.h"
#include "tests/firmware/rig.hpp"

namespace ocs::test {
namespace {

constexpr std::uint32_t too_long = 1U << 30;

std::uint32_t minus(std::uint32_t n) { return ~n + 1; }

/// 2 * OCS_QUANTILES points behind the time for which a pair stays warm.
std::vector<std::uint32_t> receivers(std::uint32_t warm_time, std::uint32_t warm, std::uint32_t cold) {
  std::vector<std::uint32_t> payload(1 + 2 * OCS_QUANTILES, warm);
  payload[0] = warm_time;
  for (std::size_t k = 0; k < OCS_QUANTILES; ++k) payload[1 + OCS_QUANTILES + k] = cold;
  return payload;
}

class Optics : public ::testing::Test {
 protected:
  Optics() { EXPECT_EQ(firmware.start(), 0u); }
  std::uint32_t status(ocs_mb_command command, const std::vector<std::uint32_t>& payload) {
    return firmware.ask(command, payload).status;
  }
  std::uint32_t read(std::size_t address) { return firmware.device().bus().read(static_cast<std::uint32_t>(address)); }
  void connect(std::uint32_t output, std::uint32_t input) {
    ASSERT_EQ(status(OCS_MB_CONNECT, {0, 0, entry(output, input)}), OCS_MB_OK);
    firmware.run(1);
  }
  HostFirmware firmware;
};

TEST_F(Optics, ProgramMirrorsInTurn) {
  EXPECT_EQ(status(OCS_MB_PROGRAMMING, {10, 1}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_MAP, {0, 0, entry(0, 1), entry(2, 3)}), OCS_MB_OK);
  firmware.run(2);
  EXPECT_EQ(firmware.state(0), OCS_UP);
  EXPECT_EQ(firmware.state(2), OCS_TUNING) << "one output below it is programmed first";
  firmware.run(10);
  EXPECT_EQ(firmware.state(2), OCS_UP);
  EXPECT_EQ(status(OCS_MB_PROGRAMMING, {10, 0}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_PROGRAMMING, {10, 257}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_PROGRAMMING, {10, 1U << 16 | 1}), OCS_MB_E_VALUE) << "not taken for 1";
  EXPECT_EQ(status(OCS_MB_PROGRAMMING, {too_long, 1}), OCS_MB_E_VALUE);
}

/// In which cycle output 2 is up with jitter of up to 63 cycles.
std::int64_t up_at(HostFirmware& firmware) {
  EXPECT_EQ(firmware.ask(OCS_MB_CONNECT, {0, 0, entry(2, 0)}).status, OCS_MB_OK);
  while (firmware.state(2) != OCS_UP && firmware.now() < 1000) firmware.run(1);
  return firmware.now();
}

TEST_F(Optics, DrawFromASeed) {
  std::set<std::int64_t> all;
  for (const std::uint32_t seed : {1U, 2U, 12345U}) {
    HostFirmware asked, written;
    EXPECT_EQ(asked.start() + written.start(), 0u);
    EXPECT_EQ(asked.ask(OCS_MB_SEED, {seed}).status, OCS_MB_OK);
    EXPECT_EQ(asked.ask(OCS_MB_JITTER, {2, 63}).status, OCS_MB_OK);
    EXPECT_EQ(ocs_seed(&written.app().dev, seed), OCS_OK);
    EXPECT_EQ(ocs_set_jitter(&written.app().dev, 2, 63), OCS_OK);
    all.insert(up_at(asked));
    EXPECT_TRUE(all.contains(up_at(written))) << "seed " << seed;
  }
  EXPECT_EQ(all.size(), 3u) << "each seed draws something else";
  EXPECT_EQ(status(OCS_MB_JITTER, {4, 63}), OCS_MB_E_PORT);
  EXPECT_EQ(status(OCS_MB_JITTER, {2, too_long}), OCS_MB_E_VALUE);
}

TEST_F(Optics, LockByWhatReceiversLastReceived) {
  EXPECT_EQ(status(OCS_MB_RECEIVERS, receivers(1000, 5, 50)), OCS_MB_OK);
  connect(1, 2);
  firmware.run(49);
  EXPECT_EQ(firmware.state(1), OCS_LOCKING) << "cold: it never had input 2";
  firmware.run(2);
  EXPECT_EQ(firmware.state(1), OCS_UP);
  ASSERT_EQ(status(OCS_MB_DISCONNECT, {0, 0, 1}), OCS_MB_OK);
  firmware.run(2);
  connect(1, 2);
  firmware.run(7);
  EXPECT_EQ(firmware.state(1), OCS_UP) << "warm";
  EXPECT_EQ(status(OCS_MB_RECEIVERS, receivers(too_long, 5, 50)), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_RECEIVERS, receivers(1000, 5, too_long)), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_RECEIVERS, {1000, 5, 50}), OCS_MB_E_LENGTH);
}

TEST_F(Optics, DisturbNeighbours) {
  connect(1, 1);
  EXPECT_EQ(status(OCS_MB_DISTURB, {40, 1}), OCS_MB_OK);
  connect(2, 2);
  const auto disturbed = [&](std::size_t output) {
    return (read(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, STATE) + 4 * output) &
            OCS_REGS__PORT__STATEX__DISTURBED_bm) != 0;
  };
  EXPECT_TRUE(disturbed(1)) << "output 2 has started";
  EXPECT_FALSE(disturbed(0)) << "it is at distance 2";
  firmware.run(40);
  EXPECT_FALSE(disturbed(1));
  EXPECT_EQ(status(OCS_MB_DISTURB, {too_long, 1}), OCS_MB_E_VALUE);
}

TEST_F(Optics, GiveLightALevel) {
  EXPECT_EQ(status(OCS_MB_POWER, {2, minus(300), 0}), OCS_MB_OK) << "laser";
  EXPECT_EQ(status(OCS_MB_POWER, {1, 0, 250}), OCS_MB_OK) << "loss";
  EXPECT_EQ(status(OCS_MB_LIGHT, {1, minus(1400), 50, 3, 7}), OCS_MB_OK);
  connect(1, 2);
  firmware.run(20);
  EXPECT_EQ(firmware.state(1), OCS_UP);
  std::int32_t power = 0;
  ASSERT_EQ(ocs_power(&firmware.app().dev, 1, &power), OCS_OK);
  EXPECT_EQ(power, -550);
  EXPECT_EQ(status(OCS_MB_POWER, {2, minus(2000), 0}), OCS_MB_OK);
  firmware.run(3);
  EXPECT_EQ(firmware.state(1), OCS_UP) << "a loss is reported after 3 cycles beyond the first one";
  firmware.run(3);
  EXPECT_EQ(firmware.state(1), OCS_FAILED);
  EXPECT_EQ(status(OCS_MB_POWER, {4, 0, 0}), OCS_MB_E_PORT);
  EXPECT_EQ(status(OCS_MB_POWER, {2, minus(32769), 0}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_POWER, {2, 0, 65536}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_LIGHT, {2, 0, 0, 0, 0}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_LIGHT, {1, 32768, 0, 0, 0}), OCS_MB_E_VALUE);
  EXPECT_EQ(status(OCS_MB_LIGHT, {1, 0, 0, too_long, 0}), OCS_MB_E_VALUE);
}

TEST_F(Optics, LetMirrorsRing) {
  EXPECT_EQ(status(OCS_MB_RINGING, {6, 4, 1}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_LIGHT, {1, minus(1400), 0, 0, 0}), OCS_MB_OK);
  connect(1, 2);
  firmware.run(3);
  EXPECT_EQ(firmware.state(1), OCS_UP);
  firmware.run(6);
  EXPECT_EQ(firmware.state(1), OCS_FAILED);
  firmware.run(10);
  EXPECT_EQ(firmware.state(1), OCS_UP);
  EXPECT_EQ(status(OCS_MB_RINGING, {6, 4, 256}), OCS_MB_E_VALUE);
}

TEST_F(Optics, SlowMirrorsAndMirrorsThatFlap) {
  EXPECT_EQ(status(OCS_MB_SLOW, {1, 20}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_FLAP, {2, 30}), OCS_MB_OK);
  connect(1, 1);
  connect(2, 2);
  firmware.run(2);
  EXPECT_EQ(firmware.state(1), OCS_TUNING);
  const auto restarts = [&](std::uint16_t output) {
    std::uint64_t value = 0;
    EXPECT_EQ(ocs_counter(&firmware.app().dev, OCS_TUNINGS, output, &value), OCS_OK);
    return value;
  };
  const std::uint64_t before = restarts(2);
  firmware.run(31);
  EXPECT_EQ(firmware.state(1), OCS_UP);
  EXPECT_EQ(read(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, FLAP) + 8), 30u);
  EXPECT_EQ(restarts(2), before) << "it locks again without tuning";
  for (const ocs_mb_command command : {OCS_MB_SLOW, OCS_MB_FLAP}) {
    EXPECT_EQ(status(command, {4, 20}), OCS_MB_E_PORT);
    EXPECT_EQ(status(command, {1, too_long}), OCS_MB_E_VALUE);
  }
}

TEST_F(Optics, TuneAStuckMirrorAgainWhenAsked) {
  ASSERT_EQ(status(OCS_MB_RETRIES, {0, 1000}), OCS_MB_OK);
  EXPECT_EQ(status(OCS_MB_INJECT, {1, OCS_REGS__PORT__FAULTX__STUCK_bm}), OCS_MB_OK);
  connect(1, 2);
  firmware.run(5);
  ASSERT_EQ(firmware.state(1), OCS_FAILED);
  EXPECT_EQ(status(OCS_MB_INJECT, {1, 0}), OCS_MB_OK);
  EXPECT_EQ(firmware.state(1), OCS_FAILED) << "nobody has asked";
  EXPECT_EQ(status(OCS_MB_RETRY, {1}), OCS_MB_OK);
  firmware.run(3);
  EXPECT_EQ(firmware.state(1), OCS_UP);
  EXPECT_EQ(status(OCS_MB_RETRY, {1}), OCS_MB_OK) << "it has not failed, and nothing happens";
  firmware.run(3);
  EXPECT_EQ(firmware.state(1), OCS_UP);
  EXPECT_EQ(told(firmware.ask(OCS_MB_RETRY, {4})), "OCS_MB_E_PORT: it names a port that isn't there (4)");
}

TEST_F(Optics, LeaveAnOutputWithoutLightAlone) {
  connect(1, 2);
  firmware.run(3);
  EXPECT_EQ(status(OCS_MB_INJECT, {2, OCS_REGS__PORT__FAULTX__LOS_bm}), OCS_MB_OK);
  firmware.run(3);
  ASSERT_EQ(firmware.state(1), OCS_FAILED);
  EXPECT_EQ(status(OCS_MB_RETRY, {1}), OCS_MB_OK);
  firmware.run(3);
  EXPECT_EQ(firmware.state(1), OCS_FAILED) << "not tuned anew";
  EXPECT_EQ(read(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, TUNINGS) + 8), 1u);
}

TEST_F(Optics, KeepTheLightOfAStuckMirror) {
  connect(1, 2);
  EXPECT_EQ(status(OCS_MB_INJECT, {1, OCS_REGS__PORT__FAULTX__STUCK_bm | OCS_REGS__PORT__FAULTX__KEEPS_bm}), OCS_MB_OK);
  connect(1, 3);
  firmware.run(5);
  enum ocs_output_state state = OCS_IDLE;
  enum ocs_failure cause = OCS_CAUSE_NONE;
  ASSERT_EQ(ocs_state(&firmware.app().dev, 1, &state, &cause), OCS_OK);
  EXPECT_EQ(state, OCS_FAILED);
  EXPECT_EQ(cause, OCS_CAUSE_MISROUTED);
}

TEST(OpticsOfASwitchWithoutOptions, AreRefused) {
  HostFirmware firmware;
  constexpr std::uint32_t kept = OCS_REGS__CAP_OPTIONS__FAULTS_bm;
  firmware.lie = [&](std::uint32_t address) { return address == offsetof(ocs_regs_t, CAP_OPTIONS) ? kept : 0; };
  ASSERT_EQ(firmware.start(), 0u);
  const std::vector<std::tuple<ocs_mb_command, std::vector<std::uint32_t>>> all{
      {OCS_MB_JITTER, {1, 63}},
      {OCS_MB_PROGRAMMING, {10, 1}},
      {OCS_MB_RECEIVERS, receivers(1, 2, 3)},
      {OCS_MB_DISTURB, {40, 1}},
      {OCS_MB_POWER, {1, 0, 0}},
      {OCS_MB_RINGING, {6, 4, 1}},
      {OCS_MB_LIGHT, {1, 0, 0, 0, 0}},
      {OCS_MB_INJECT, {1, OCS_REGS__PORT__FAULTX__KEEPS_bm}}};
  for (const auto& [command, payload] : all) EXPECT_EQ(firmware.ask(command, payload).status, OCS_MB_E_OPTION);
}

}  // namespace
}  // namespace ocs::test
