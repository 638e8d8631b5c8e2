// What the firmware promises of its own time.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "host/device/model/model.hpp"
#include "host/device/soc/firmware_latency.hpp"
#include "host/device/soc/soc.hpp"

namespace ocs {
namespace {

TEST(FirmwareLatency, OfASingleConnectIsBelow1500CyclesAndOfABulkMapOf64Below20000) {
  const auto device = make_soc({.ports = 64});
  for (const FirmwareLatency& latency : measure_firmware(*device)) {
    EXPECT_GT(latency.answer.n, 0) << latency.command;
    if (!latency.commit) continue;
    EXPECT_LT(latency.commit->n, latency.answer.n) << latency.command;
    EXPECT_LT(latency.commit->n, latency.command == "connect" ? 1500 : 20'000) << latency.command;
  }
}

TEST(FirmwareLatency, IsOfDevicesWithFirmwareAlone) {
  const auto device = make_model({.ports = 4});
  EXPECT_THROW(measure_firmware(*device), Error);
}

}  // namespace
}  // namespace ocs
