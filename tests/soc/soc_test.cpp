// The firmware on the soft core: it starts or says why not, and the switch does in its cycles what was asked.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/soc/soc.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "host/device/soc/mailbox_frames.hpp"
#include "host/device/soc/mailbox_switch.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs {
namespace {

using test::run_to;

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class Soc : public ::testing::Test {
 protected:
  void make(const SwitchConfig& config, const DeviceConfig& device_config = {.ports = 4}) {
    device = make_soc(device_config);
    plane = make_mailbox_switch(*device, config);
  }
  std::unique_ptr<Device> device;
  std::unique_ptr<Switch> plane;
};

TEST_F(Soc, ConnectsAndSendsInTheCyclesThatWereAskedFor) {
  for (const std::uint64_t stride_seed : {0, 7}) {
    make({.delays = {.tuning = Cycles{100}, .locking = Cycles{7}}}, {.ports = 4, .stride_seed = stride_seed});
    ASSERT_FALSE(plane->commit({.at = Cycles{5000}, .change = {{Output{1}, Input{2}}}}));
    ASSERT_FALSE(
        plane->start({.id = Id{1}, .in = Input{2}, .length = Words{10}, .not_before = Cycles{5120}, .gated = true}));
    EXPECT_EQ(run_to(*plane, Cycles{9000}),
              (std::vector<std::string>{"5001 committed 1", "5001 tuning 1", "5101 locking 1", "5108 up 1",
                                        "5130 run 1 burst 1 words 0+10", "5130 burst_done 2 burst 1 words 0+10"}));
    EXPECT_EQ(plane->counters(1).passed, Words{10});
    EXPECT_EQ(plane->counters(1).dark, Cycles{107});
  }
}

TEST_F(Soc, TakesTheFirmwaresTimeWhereACommandIsntAhead) {
  make({});
  ASSERT_FALSE(plane->commit({.at = Cycles{0}, .change = {{Output{1}, Input{2}}}}));
  std::vector<Event> events;
  plane->clock().run_until(Cycles{100'000});
  plane->take_events(events);
  ASSERT_FALSE(events.empty());
  EXPECT_GT(events[0].at, Cycles{500});
  EXPECT_LT(events[0].at, Cycles{1500}) << "a single connect takes fewer than 1,500 cycles of the core";
}

TEST_F(Soc, TakesCommitsOneAfterTheOther) {
  make({});
  for (const int n : {1, 2, 3})
    ASSERT_FALSE(
        plane->commit({.at = Cycles{n * 4000}, .change = {{Output{0}, Input{static_cast<std::uint16_t>(n)}}}}));
  const auto told = run_to(*plane, Cycles{20'000});
  EXPECT_EQ(told, (std::vector<std::string>{"4001 committed 1", "4001 up 0", "8001 committed 1", "8001 up 0",
                                            "12001 committed 1", "12001 up 0"}));
}

TEST_F(Soc, RefusesWhatTheSwitchCantHaveBeforeTheFirmwareIsAsked) {
  make({});
  ASSERT_FALSE(plane->commit({.at = Cycles{0}, .change = {{Output{1}, Input{2}}}}));
  const auto refusal = plane->commit({.at = Cycles{0}, .change = {{Output{0}, Input{2}}}});
  ASSERT_TRUE(refusal && refusal->blocked_by);
  EXPECT_EQ(refusal->why, "input 2 would feed outputs 1 and 0, and multicast is off");
  EXPECT_TRUE(plane->commit({.at = Cycles{-1}, .change = {}}));
  EXPECT_TRUE(plane->stop(Id{9}));
  EXPECT_TRUE(plane->repeat({}, Cycles{0}));
  EXPECT_TRUE(plane->set_dead(4, true));
}

TEST_F(Soc, ProgramsMirrorsInTurn) {
  make({.delays = {.tuning = Cycles{10}, .programming = Cycles{30}}});
  ASSERT_FALSE(plane->commit({.at = Cycles{4000}, .change = {{Output{1}, Input{2}}, {Output{3}, Input{0}}}}));
  EXPECT_EQ(run_to(*plane, Cycles{9000}),
            (std::vector<std::string>{"4001 committed 1", "4001 tuning 1", "4001 tuning 3", "4011 up 1", "4041 up 3"}));
}

TEST_F(Soc, HasReceiversThatRememberAndLightThatRings) {
  Receivers receivers;
  receivers.cold.fill(Cycles{50});
  const LightLevel light{.laser = -300,
                         .loss = 250,
                         .detected = true,
                         .threshold = -1400,
                         .ring_after = Cycles{80},
                         .ring = Cycles{5},
                         .rings = 1};
  make({.delays = {.tuning = Cycles{10}, .receivers = receivers, .light = light}});
  ASSERT_FALSE(plane->commit({.at = Cycles{4000}, .change = {{Output{1}, Input{2}}}}));
  EXPECT_EQ(run_to(*plane, Cycles{9000}),
            (std::vector<std::string>{"4001 committed 1", "4001 tuning 1", "4011 locking 1", "4061 up 1",
                                      "4092 failed 1", "4097 locking 1", "4147 up 1"}));
  EXPECT_EQ(plane->power(Output{1}), -550);
  EXPECT_TRUE(plane->constants().power);
}

TEST_F(Soc, EndsABurstWhileLightIsMissingAndNobodyHasReportedIt) {
  const LightLevel light{
      .detected = true, .lost = Cycles{200}, .ring_after = Cycles{80}, .ring = Cycles{100}, .rings = 1};
  make({.delays = {.tuning = Cycles{10}, .light = light}});
  ASSERT_FALSE(plane->commit({.at = Cycles{4000}, .change = {{Output{1}, Input{2}}}}));
  ASSERT_FALSE(
      plane->start({.id = Id{1}, .in = Input{2}, .length = Words{10}, .not_before = Cycles{4110}, .gated = false}));
  EXPECT_EQ(run_to(*plane, Cycles{9000}), (std::vector<std::string>{"4001 committed 1", "4001 tuning 1", "4011 up 1",
                                                                    "4120 burst_done 2 burst 1 words 0+10"}))
      << "no run: the output passed nothing";
  EXPECT_EQ(plane->counters(1).lost, Words{10});
}

TEST_F(Soc, CountsTheWordsThatAStuckMirrorShows) {
  make({.delays = {.tuning = Cycles{10}}});
  ASSERT_FALSE(plane->commit({.at = Cycles{4000}, .change = {{Output{1}, Input{2}}}}));
  run_to(*plane, Cycles{5000});
  ASSERT_FALSE(plane->set_mirror_fault(Output{1}, MirrorFault::kept, Cycles{1}));
  run_to(*plane, Cycles{8000});
  ASSERT_FALSE(plane->commit({.at = Cycles{12000}, .change = {{Output{1}, Input{3}}}}));
  ASSERT_FALSE(
      plane->start({.id = Id{1}, .in = Input{2}, .length = Words{20}, .not_before = Cycles{13000}, .gated = false}));
  run_to(*plane, Cycles{16000});
  EXPECT_EQ(plane->counters(1).shown, Words{20});
  EXPECT_TRUE(plane->set_mirror_fault(Output{4}, MirrorFault::slow, Cycles{1}));
  EXPECT_TRUE(plane->set_mirror_fault(Output{1}, MirrorFault::slow, Cycles{std::int64_t{1} << 30}));
  EXPECT_TRUE(plane->retry(Output{4}));
}

TEST_F(Soc, GivesAnEngineItsRateAndStopsIt) {
  make({});
  ASSERT_FALSE(plane->commit({.at = Cycles{3000}, .change = {{Output{1}, Input{2}}}}));
  ASSERT_FALSE(plane->start({.id = Id{1},
                             .in = Input{2},
                             .length = Words{1000},
                             .not_before = Cycles{5000},
                             .gated = false,
                             .word = Cycles{2}}));
  EXPECT_TRUE(plane->start({.id = Id{2}, .in = Input{2}, .length = Words{1}, .not_before = Cycles{0}, .gated = false}));
  run_to(*plane, Cycles{5100});
  ASSERT_FALSE(plane->stop(Id{1}));
  const auto told = run_to(*plane, Cycles{9000});
  ASSERT_EQ(told.size(), 2u);
  const Counters counters = plane->counters(1);
  EXPECT_GT(counters.passed, Words{50});
  EXPECT_LT(counters.passed, Words{800});
}

TEST_F(Soc, SetsTheDelaysOfEveryPair) {
  std::vector<Cycles> pairs;
  for (int n = 0; n < 16; ++n) pairs.push_back(Cycles{10 + n});
  make({.delays = {.tuning = Cycles{25}, .pair_tuning = pairs}});
  ASSERT_FALSE(plane->commit({.at = Cycles{4000}, .change = {{Output{1}, Input{2}}, {Output{3}, Input{0}}}}));
  EXPECT_EQ(run_to(*plane, Cycles{9000}),
            (std::vector<std::string>{"4001 committed 1", "4001 tuning 1", "4001 tuning 3", "4014 up 3", "4020 up 1"}));
}

TEST_F(Soc, LosesAPortAndHasItAgain) {
  make({});
  ASSERT_FALSE(plane->commit({.at = Cycles{3000}, .change = {{Output{1}, Input{2}}}}));
  run_to(*plane, Cycles{4000});
  ASSERT_FALSE(plane->set_dead(2, true));
  const auto dead = run_to(*plane, Cycles{8000});
  ASSERT_EQ(dead.size(), 1u);
  EXPECT_NE(dead[0].find("failed 1"), std::string::npos);
  ASSERT_FALSE(plane->set_dead(2, false));
  EXPECT_EQ(run_to(*plane, Cycles{12'000}).size(), 1u);
}

TEST_F(Soc, PrintsALogWithTimeStamps) {
  make({});
  std::vector<std::string> lines;
  device->mailbox()->on_console([&](Cycles at, std::string_view line) {
    EXPECT_GT(at, Cycles{0});
    lines.emplace_back(line);
  });
  std::uint64_t fetched = 0;
  bool in_firmware = false;
  device->mailbox()->on_fetch([&](Cycles, std::uint32_t address) {
    ++fetched;
    in_firmware = in_firmware || device->mailbox()->function_at(address) == "main";
  });
  ASSERT_FALSE(plane->commit({.at = Cycles{3000}, .change = {{Output{1}, Input{2}}}}));
  run_to(*plane, Cycles{4000});
  ASSERT_FALSE(plane->set_dead(2, true));
  run_to(*plane, Cycles{50'000});
  EXPECT_EQ(lines,
            (std::vector<std::string>{"started: reset cause 0, failed self-tests 0", "output 1 failed, cause 2"}));
  EXPECT_GT(fetched, 1000u);
  EXPECT_TRUE(in_firmware);
}

// ---- what goes wrong ----

TEST_F(Soc, RefusesWritesOfTheHost) {
  make({});
  EXPECT_NE(error_of([&] { device->bus().write(0x454, 1); }).find("its registers are the firmware's"),
            std::string::npos);
}

TEST_F(Soc, NamesWhatTheFirmwareRefused) {
  make({});
  const std::array conflict{0u, 0u, 0u << 16 | 1u, 2u << 16 | 1u};
  ASSERT_TRUE(device->mailbox()->post(mailbox_frame(OCS_MB_MAP, 99, conflict)));
  const std::string said = error_of([&] { run_to(*plane, Cycles{10'000}); });
  EXPECT_NE(said.find("OCS_MB_E_CONFLICT: input 1 would feed output 2, but output 0 has it"), std::string::npos)
      << said;
}

TEST_F(Soc, NamesGarbageInTheMailbox) {
  make({});
  ASSERT_TRUE(device->mailbox()->post(std::array{0xdeadbeefu, 1u, 2u}));
  EXPECT_NE(error_of([&] { run_to(*plane, Cycles{10'000}); }).find("OCS_MB_E_FRAME"), std::string::npos);
}

TEST_F(Soc, HasAHungFirmwareResetByItsWatchdog) {
  make({});
  ASSERT_FALSE(plane->commit({.at = Cycles{3000}, .change = {{Output{1}, Input{2}}}}));
  run_to(*plane, Cycles{4000});
  ASSERT_TRUE(device->mailbox()->post(mailbox_frame(OCS_MB_HANG, 99, {})));
  const std::string said = error_of([&] { run_to(*plane, Cycles{10'000'000}); });
  EXPECT_NE(said.find("OCS_MB_E_RESET"), std::string::npos) << said;
  EXPECT_NE(error_of([&] { run_to(*plane, Cycles{10'000'000}); }).find("was reset by its watchdog"), std::string::npos);
  // The circuit has outlived it, and it takes commands again.
  ASSERT_FALSE(plane->commit({.at = Cycles{11'000'000}, .change = {{Output{1}, std::nullopt}}}));
  EXPECT_EQ(run_to(*plane, Cycles{12'000'000}), (std::vector<std::string>{"11000001 committed 1", "11000001 idle 1"}));
}

std::string boot_error(const std::function<void(std::vector<std::uint32_t>&)>& spoil) {
  FirmwareImage firmware = switch_firmware();
  std::vector<std::uint32_t> image(firmware.image.begin(), firmware.image.end());
  spoil(image);
  firmware.image = image;
  return error_of([&] { make_soc({.ports = 4}, firmware); });
}

TEST(SocImage, IsNotStartedWhenItIsntWhole) {
  EXPECT_EQ(boot_error([](auto&) {}), "no error");
  EXPECT_NE(boot_error([](auto& image) { image[0] = 1; }).find("OCS_BOOT_E_MAGIC"), std::string::npos);
  EXPECT_NE(boot_error([](auto& image) { image.resize(image.size() - 100); }).find("OCS_BOOT_E_CHECKSUM"),
            std::string::npos);
  EXPECT_NE(boot_error([](auto& image) { image[image.size() / 2] ^= 0x100; }).find("OCS_BOOT_E_CHECKSUM"),
            std::string::npos);
  EXPECT_NE(boot_error([](auto& image) { std::swap(image[50], image[51]); }).find("OCS_BOOT_E_CHECKSUM"),
            std::string::npos);
  EXPECT_NE(boot_error([](auto& image) { image[1] = 0x10000; }).find("OCS_BOOT_E_LENGTH"), std::string::npos);
  EXPECT_NE(boot_error([](auto& image) { image[1] = 0; }).find("OCS_BOOT_E_LENGTH"), std::string::npos);
}

TEST(SocImage, IsSmallerThan32KiB) { EXPECT_LT(switch_firmware().image.size() * 4, 32u * 1024); }

TEST(SocSizes, AreNamedWhereOneIsMissing) {
  EXPECT_NE(error_of([] { make_soc({.ports = 257}); }).find("ports of 257, but must have 2 to 256 ports"),
            std::string::npos);
  EXPECT_NE(error_of([] { make_soc({.ports = 4, .words = true}); }).find("doesn't carry them"), std::string::npos);
}

}  // namespace
}  // namespace ocs
