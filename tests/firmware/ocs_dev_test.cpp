// The driver's suite on the host, against the model.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/device/model/model.hpp"
#include "host/device/registers/register_switch_bus.hpp"
#include "tests/firmware/ocs_dev_suite.h"

namespace ocs::test {
namespace {

TEST(OcsDevSuite, HoldsOnTheHost) {
  const auto device = make_model({.ports = 4});
  DriverBus bus(device->bus());
  suite_machine machine{.context = device.get(),
                        .bus = bus.c(),
                        .wait =
                            [](void* context, std::uint32_t cycles) {
                              FabricClock& clock = static_cast<Device*>(context)->clock();
                              clock.run_until(clock.now() + Cycles{cycles});
                            },
                        .failed = [](void*, std::uint32_t line) { ADD_FAILURE() << "ocs_dev_suite.c:" << line; },
                        .checks = 0};
  ocs_dev_suite(&machine);
  EXPECT_GT(machine.checks, 80u);
}

}  // namespace
}  // namespace ocs::test
