// The driver's suite on the soft core, against the RTL.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "host/device/soc/soc.hpp"

namespace ocs {

FirmwareImage suite_firmware();

namespace {

TEST(OcsDevSuite, HoldsOnTheSoftCore) {
  const auto device = make_soc({.ports = 4}, suite_firmware());
  std::string said;
  device->mailbox()->on_console([&](Cycles, std::string_view line) { said += std::string(line) + "\n"; });
  ASSERT_TRUE(device->mailbox()->post(std::array{0u}));  // begin
  device->clock().run_until(Cycles{3'000'000});
  EXPECT_NE(said.find(" checks, 0 failed\n"), std::string::npos) << said;
  EXPECT_EQ(said.find("fails"), std::string::npos) << said;
}

}  // namespace
}  // namespace ocs
