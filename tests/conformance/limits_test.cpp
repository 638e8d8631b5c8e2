// Identity, sizes and bit patterns of the register window: what depends on the device's own limits.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "host/conformance/access.hpp"
#include "ocs_regs.h"
#include "tests/conformance/devices.hpp"

namespace ocs::conformance {
namespace {

constexpr int ports = 4, depth = 64;
constexpr std::uint32_t top(std::size_t offset) { return static_cast<std::uint32_t>(offset); }
constexpr std::uint32_t error = top(offsetof(ocs_regs_t, core.ERROR));
constexpr std::uint32_t seq_store = top(offsetof(ocs_regs_t, core.SEQ_STORE));
constexpr std::uint32_t shadow = top(offsetof(ocs_regs_t, port.SHADOW));

class Limits : public testing::TestWithParam<Body> {
 protected:
  std::uint32_t entries() {
    return (bus_.read(offsetof(ocs_regs_t, CAP_SIZE)) & OCS_REGS__CAP_SIZE__SEQ_ENTRIES_bm) >>
           OCS_REGS__CAP_SIZE__SEQ_ENTRIES_bp;
  }

  std::unique_ptr<Device> device_ = make_device(GetParam(), modes()[0], ports, depth);
  RegisterBus& bus_ = device_->bus();
};

TEST_P(Limits, AreShownAndReadOnly) {
  const std::pair<std::uint32_t, std::uint32_t> shown[] = {
      {top(offsetof(ocs_regs_t, ID)), OCS_REGS__ID__MAGIC_reset},
      {top(offsetof(ocs_regs_t, VERSION)),
       OCS_REGS__VERSION__MAJOR_reset << OCS_REGS__VERSION__MAJOR_bp | OCS_REGS__VERSION__MINOR_reset},
      {top(offsetof(ocs_regs_t, CAP_SIZE)), entries() << OCS_REGS__CAP_SIZE__SEQ_ENTRIES_bp | ports},
      {top(offsetof(ocs_regs_t, CAP_WORD)), depth << OCS_REGS__CAP_WORD__FIFO_DEPTH_bp | 64},
      {top(offsetof(ocs_regs_t, CAP_OPTIONS)), 0xFFF},
      {top(offsetof(ocs_regs_t, CYCLE_PS)), 5120}};
  for (const auto& [address, value] : shown) {
    EXPECT_EQ(bus_.read(address), value) << address;
    bus_.write(error, OCS_REGS__CORE__ERROR__ACCESS_bm);
    EXPECT_THROW(bus_.write(address, 1), AccessRefused) << address;
    EXPECT_EQ(bus_.read(error), OCS_REGS__CORE__ERROR__ACCESS_bm) << address;
    EXPECT_EQ(bus_.read(address), value) << address;
  }
}

TEST_P(Limits, OfABankRefuseTheEntryBeyondTheLast) {
  ASSERT_GE(entries(), 16u);
  EXPECT_NO_THROW(bus_.write(seq_store, entries() - 1));
  EXPECT_EQ(bus_.read(error), 0u);
  EXPECT_THROW(bus_.write(seq_store, entries()), AccessRefused);
}

TEST_P(Limits, OfABankBoundTheLengthOfALoop) {
  bus_.write(offsetof(ocs_regs_t, SEQ_LEN), OCS_REGS__SEQ_LEN__VALUE_bm);
  bus_.write(offsetof(ocs_regs_t, core.SEQ_GO), 1);
  device_->clock().run_until({1 + entries()});
  EXPECT_EQ(bus_.read(offsetof(ocs_regs_t, core.COMMITS)), entries());
  EXPECT_EQ(bus_.read(offsetof(ocs_regs_t, core.STATUS)), 0u);
  device_->clock().run_until({10 + entries()});
  EXPECT_EQ(bus_.read(offsetof(ocs_regs_t, core.COMMITS)), entries());
}

TEST_P(Limits, RefuseAMaskWithABitForAPortThatIsNotThereAsAWhole) {
  const std::uint32_t masks[] = {top(offsetof(ocs_regs_t, core.START)),      top(offsetof(ocs_regs_t, core.STOP)),
                                 top(offsetof(ocs_regs_t, core.RETRY)),      top(offsetof(ocs_regs_t, core.SEG_FULL)),
                                 top(offsetof(ocs_regs_t, core.SEQ_LAUNCH)), top(offsetof(ocs_regs_t, core.CHANGED)),
                                 top(offsetof(ocs_regs_t, core.ENDED))};
  bus_.write(offsetof(ocs_regs_t, port.LEN), 100);
  for (const std::uint32_t mask : masks) {
    EXPECT_THROW(bus_.write(mask, 1U << ports | 1), AccessRefused) << mask;
    EXPECT_THROW(bus_.write(mask, 1U << 31), AccessRefused) << mask;
    EXPECT_EQ(bus_.read(mask), 0u) << mask;
    EXPECT_NO_THROW(bus_.write(mask, 1U << (ports - 1))) << mask;
    EXPECT_THROW(bus_.read(mask + 4), AccessRefused) << mask;
  }
  device_->clock().run_until({5});
  EXPECT_EQ(bus_.read(offsetof(ocs_regs_t, port.ENGINE)), 0u);
  EXPECT_EQ(bus_.read(offsetof(ocs_regs_t, core.SEQ_LAUNCH)), 1U << (ports - 1));
}

TEST_P(Limits, OfTheShadowMapAreNineBitsAndNoInputWithoutAValidOne) {
  bus_.write(shadow, 0xFFFF'FFFF);
  EXPECT_EQ(bus_.read(shadow), OCS_REGS__PORT__SHADOWX__VALID_bm | OCS_REGS__PORT__SHADOWX__INPUT_bm);
  bus_.write(shadow, 3);
  EXPECT_EQ(bus_.read(shadow), 0u);
}

TEST_P(Limits, OfThirtyTwoBitsAreCrossedByTheTimeWithoutATornRead) {
  const std::uint32_t time = top(offsetof(ocs_regs_t, core.TIME));
  device_->clock().run_until({0xFFFF'FFFF});
  EXPECT_EQ(bus_.read(time), 0xFFFF'FFFFu);
  device_->clock().run_until({0x1'0000'0000});
  EXPECT_EQ(bus_.read(time + 4), 0u);
  EXPECT_EQ(read_wide(bus_, time), 0x1'0000'0000u);
}

/// Cycle by cycle, 2^32 cycles would take an hour.
std::vector<Body> warping() {
  std::vector<Body> out;
  std::ranges::copy_if(bodies(), std::back_inserter(out), [](const Body& body) { return body.ways != Ways::unwarped; });
  return out;
}

INSTANTIATE_TEST_SUITE_P(Every, Limits, testing::ValuesIn(warping()),
                         [](const auto& body) { return test_name(body.param); });

}  // namespace
}  // namespace ocs::conformance
