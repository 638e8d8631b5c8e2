// The device with checks is one: a check that fails ends the run; a waveform is written where it is asked for.
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/checked.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/rtl/bench.hpp"
#include "tests/rtl/top/switch.hpp"

namespace ocs::test {
namespace {

TEST(Checks, EndTheRunWhenOneFails) {
  Switch of;
  of.edge(1);
  of.top.rootp->ocs_top__DOT__u_core__DOT__u_sequencer__DOT__running_q = 1;  // a bank of no entries
  EXPECT_THROW(of.edge(1), Error);
}

TEST(Checks, EndTheRunWhenTheBusIsMisused) {
  Switch of;
  of.top.rready_i = 0;
  of.top.arvalid_i = 1;
  of.edge(0);  // taken in
  of.edge(0);  // executed, and the next one taken in
  of.edge(0);  // this as well, and the third one taken in
  of.edge(0);  // held up, as its place is taken and no answer is
  of.top.arvalid_i = 0;
  EXPECT_THROW(of.edge(0), Error);
}

TEST(Waveforms, AreWrittenWhereTheyAreAskedFor) {
  const auto file = std::filesystem::path(testing::TempDir()) / "lightloop-waveform.fst";
  std::filesystem::remove(file);
  {
    DeviceConfig config;
    config.ports = 4;
    const auto device = make_traced(config, file.string());
    device->clock().run_until({1000});
    EXPECT_EQ(device->clock().now().n, 1000);
  }
  std::ifstream in(file, std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(in)), {});
  ASSERT_GT(content.size(), 330u);
  EXPECT_EQ(content.substr(0, 9), std::string("\0\0\0\0\0\0\0\x01\x49", 9));  // a header block of 329 bytes
  std::filesystem::remove(file);
}

TEST(Waveforms, GoWhereTheEnvironmentSays) {
  const char* before = std::getenv("LIGHTLOOP_TRACE");
  const std::string kept = before == nullptr ? "" : before;
  ASSERT_EQ(setenv("LIGHTLOOP_TRACE", "off", 1), 0);
  EXPECT_EQ(waveform_of("x"), std::nullopt);
  ASSERT_EQ(setenv("LIGHTLOOP_TRACE", testing::TempDir().c_str(), 1), 0);
  EXPECT_EQ(waveform_of("x"), (std::filesystem::path(testing::TempDir()) / "x.fst").string());
  ASSERT_EQ(before == nullptr ? unsetenv("LIGHTLOOP_TRACE") : setenv("LIGHTLOOP_TRACE", kept.c_str(), 1), 0);
}

}  // namespace
}  // namespace ocs::test
