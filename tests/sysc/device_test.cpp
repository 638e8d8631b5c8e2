// Devices `sysc` and `sysc-rtl`: one SystemC simulation a process, and what that means for who makes devices.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "host/device/catalogue.hpp"
#include "host/device/sysc.hpp"
#include "ocs_regs.h"

namespace ocs {
namespace {

constexpr std::uint32_t base = offsetof(ocs_regs_t, port.BASE), cap_size = offsetof(ocs_regs_t, CAP_SIZE);

DeviceConfig with_ports(int ports) {
  DeviceConfig config;
  config.ports = ports;
  return config;
}

std::string refusal(const DeviceConfig& config, const char* name = "sysc") {
  try {
    make(devices(), name, "device", config);
  } catch (const Error& failure) {
    return failure.what();
  }
  return "";
}

TEST(SystemcDevice, SaysClearlyThatASecondOneNeedsAProcessOfItsOwn) {
  const auto first = make_sysc(with_ports(4));
  EXPECT_THROW(make_sysc(with_ports(4)), Error);
  EXPECT_THROW(make_sysc_rtl(with_ports(4)), Error);
  EXPECT_NE(refusal(with_ports(4)).find("a process can hold one SystemC simulation"), std::string::npos);
  first->bus().write(base, 7);
  EXPECT_EQ(first->bus().read(base), 7u);
}

TEST(SystemcDevice, TakesThePlaceOfTheOneBeforeAsAfterPowerUpWhateverItsSizeAndPace) {
  for (const int ports : {4, 2, 200, 16}) {
    DeviceConfig config = with_ports(ports);
    config.cycle = {1000 + ports};
    const auto device = make_sysc(config);
    EXPECT_EQ(device->bus().read(cap_size) & OCS_REGS__CAP_SIZE__PORTS_bm, static_cast<std::uint32_t>(ports));
    EXPECT_EQ(device->clock().now().n, 0);
    EXPECT_EQ(device->bus().read(base), 0u);
    device->bus().write(base, 7);
    EXPECT_EQ(device->clock().run_until({1234}).n, 1234);
    EXPECT_EQ(device->clock().cycle().n, 1000 + ports);
  }
}

TEST(SystemcDevice, CanBeMadeAfterOneThatCouldNot) {
  EXPECT_NE(refusal(with_ports(257)).find("ports is 257, but must be from 2 to 256"), std::string::npos);
  EXPECT_NE(refusal(with_ports(257), "sysc-rtl").find("ports is 257"), std::string::npos);
  DeviceConfig words = with_ports(4);
  words.words = true;
  EXPECT_NE(refusal(words).find("don't carry them"), std::string::npos);
  EXPECT_EQ(refusal(with_ports(4)), "");
}

TEST(SystemcDevice, RefusesARunBeyondSimulatedTime) {
  const auto device = make_sysc(with_ports(4));
  EXPECT_THROW(device->clock().run_until({std::int64_t{1} << 60}), Error);
  EXPECT_EQ(device->clock().now().n, 0);
}

}  // namespace
}  // namespace ocs
