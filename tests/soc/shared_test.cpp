// Host and core at one switch: events that come without end, registers of 64 bits, refused accesses.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "host/device/soc/mailbox_frames.hpp"
#include "host/device/soc/soc.hpp"
#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {

FirmwareImage flapping_firmware();
FirmwareImage latch_firmware();
FirmwareImage errors_firmware();

namespace {

constexpr std::uint32_t event_register = offsetof(ocs_regs_t, core.EVENT);

/// Runs as a host does that takes every event in its cycle.
void run(Device& device, Cycles cycles) {
  const Cycles end = device.clock().now() + cycles;
  std::vector<std::uint32_t> frame;
  while (device.clock().now() < end) {
    device.clock().run_until(end);
    while (device.bus().read(event_register) != 0) continue;
    while (device.mailbox()->alerted() && device.mailbox()->take(frame)) continue;
    device.mailbox()->take(frame);
  }
}

/// The next answer, and how many frames of alarms came before it, within so many cycles.
std::optional<MailboxAnswer> answer(Device& device, Cycles cycles, std::vector<MailboxAnswer>& alarms) {
  const Cycles end = device.clock().now() + cycles;
  std::vector<std::uint32_t> frame;
  while (device.clock().now() < end) {
    device.clock().run_until(device.clock().now() + Cycles{500});
    while (device.bus().read(event_register) != 0) continue;
    while (device.mailbox()->take(frame)) {
      MailboxAnswer got = read_answer(frame);
      if (!got.alarm()) return got;
      alarms.push_back(std::move(got));
    }
  }
  return std::nullopt;
}

TEST(SocShared, APortThatFlapsWithoutEndLeavesCommandsTheirTurn) {
  const auto device = make_soc({.ports = 4}, flapping_firmware());
  std::vector<MailboxAnswer> alarms;
  ASSERT_TRUE(device->mailbox()->post(mailbox_frame(OCS_MB_CONNECT, 1, std::array{0u, 0u, 1u << 16 | 2u})));
  ASSERT_TRUE(answer(*device, Cycles{100'000}, alarms));
  constexpr Cycles watchdog{1'000'000};
  const Cycles end = device->clock().now() + watchdog + Cycles{200'000};
  for (std::uint32_t n = 2; device->clock().now() < end; ++n) {
    // Each command goes when the queue has long been full, and the watchdog would be near.
    const Cycles pause{n == 2 ? 950'000 : 50'000};
    const Cycles until = device->clock().now() + pause;
    while (device->clock().now() < until) {
      device->clock().run_until(until);
      while (device->bus().read(event_register) != 0) continue;
    }
    ASSERT_TRUE(device->mailbox()->post(mailbox_frame(OCS_MB_VERSION_READ, n, {})));
    const auto got = answer(*device, Cycles{50'000}, alarms);
    ASSERT_TRUE(got) << "command " << n << " has had no turn";
    EXPECT_EQ(got->sequence, n);
    EXPECT_EQ(got->status, OCS_MB_OK);
  }
  for (const MailboxAnswer& alarm : alarms) EXPECT_EQ(alarm.words[0], OCS_MB_ALARM_EVENTS) << told(alarm);
}

TEST(SocShared, NoRegisterOf64BitsIsTornBetweenTheHostAndTheCore) {
  const auto device = make_soc({.ports = 4}, latch_firmware());
  constexpr std::uint32_t commit_at = offsetof(ocs_regs_t, core.COMMIT_AT), core_time = offsetof(ocs_regs_t, core.TIME);
  RegisterBus& bus = device->bus();
  std::string said;
  device->mailbox()->on_console([&](Cycles, std::string_view line) { said = line; });
  ASSERT_TRUE(device->mailbox()->post(std::array{0u}));  // begin
  const auto pause = [&](int n) { device->clock().run_until(device->clock().now() + Cycles{1 + n % 29}); };
  int torn = 0;
  for (int n = 0; n < 60'000 && said.empty(); ++n) {
    const bool armed = n % 2 == 0;
    bus.read(armed ? commit_at : core_time);
    pause(n);
    torn += bus.read((armed ? commit_at : core_time) + 4) != (armed ? 7u : 0u) ? 1 : 0;
    pause(7 * n);
  }
  EXPECT_EQ(said, "0 torn, 0 failed");
  EXPECT_EQ(torn, 0);
}

TEST(SocShared, TheDriverIsToldOfARefusedAccessAndOfNoOther) {
  const auto device = make_soc({.ports = 4}, errors_firmware());
  std::vector<std::string> said;
  device->mailbox()->on_console([&](Cycles, std::string_view line) { said.emplace_back(line); });
  ASSERT_TRUE(device->mailbox()->post(std::array{0u}));  // begin
  run(*device, Cycles{50'000});
  EXPECT_EQ(said, (std::vector<std::string>{"read 1, written 1", "read 0, written 1", "probed 0, refused 1",
                                            "done 0, errors 4"}));
  EXPECT_EQ(device->bus().read(offsetof(ocs_regs_t, core.ERROR)), OCS_REGS__CORE__ERROR__ACCESS_bm);
}

}  // namespace
}  // namespace ocs
