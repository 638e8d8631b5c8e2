// A real object gives the pins that the RTL has, and refuses what it lacks.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "host/device/catalogue.hpp"
#include "host/device/verilated.hpp"
#include "host/rtl/places.hpp"
#include "host/rtl/store.hpp"
#include "host/rtl/switch_pins.hpp"
#include "ocs_regs.h"

namespace ocs::rtl {
namespace {

TEST(CompiledSwitch, HasThePinsOfTheRtl) {
  Instance made = compiled_switch({.ports = 4})->make();
  std::size_t bytes = 0;
  EXPECT_NE(made.find("valid_i", bytes), nullptr);
  EXPECT_EQ(bytes, 1u);
  EXPECT_EQ(made.find("word_i", bytes), nullptr);
  EXPECT_NE(made.optional_pin<std::uint8_t>("last_clk_i"), nullptr) << "falling edges cost a fifth of the time";
  EXPECT_THROW(made.pin<std::uint64_t>("step_i"), Error);
  EXPECT_THROW(made.pin<std::uint8_t>("no_such_pin"), Error);
  EXPECT_FALSE(made.failed());
}

TEST(CompiledSwitch, WritesNoWaveformWithoutBeingBuiltForIt) {
  Instance made = compiled_switch({.ports = 4})->make();
  EXPECT_THROW(made.open_waveform("nowhere.fst"), Error);
}

TEST(CompiledSwitch, IsLoadedOnceInAProcess) {
  EXPECT_EQ(compiled_switch({.ports = 4}), compiled_switch({.ports = 4}));
  EXPECT_NE(compiled_switch({.ports = 4}), compiled_switch({.ports = 5}));
}

TEST(CompiledSwitch, CountsWhatItReachesForAFolderThatIsThere) {
  setenv(coverage_variable, "/no/such/folder", 1);
  EXPECT_THAT(
      [] { compiled_switch({.ports = 4}); },
      testing::ThrowsMessage<Error>("LIGHTLOOP_COVERAGE_FOLDER is \"/no/such/folder\", which must be a folder"));
  unsetenv(coverage_variable);
}

TEST(CompiledSwitch, OfRtlOfYourOwnIsItsOcsTop) {
  EXPECT_EQ(core_of("verilated", false), Core::fast);
  EXPECT_EQ(core_of("verilated_fast", false), Core::fast);
  EXPECT_EQ(core_of("verilated_counter", false), Core::counter);
  EXPECT_EQ(core_of("model", false), std::nullopt);
  const std::string sources = standard_places().sources.string();
  setenv(rtl_variable, sources.c_str(), 1);
  const auto own = core_of("verilated", false), with_words = core_of("verilated", true);
  unsetenv(rtl_variable);
  EXPECT_EQ(own, Core::counter);
  EXPECT_EQ(with_words, Core::fast);
}

TEST(CompiledSwitch, InstancesAreApart) {
  const auto one = make_verilated({.ports = 4}), other = make_verilated({.ports = 4});
  one->clock().run_until({100});
  EXPECT_EQ(one->clock().now().n, 100);
  EXPECT_EQ(other->clock().now().n, 0);
}

TEST(CompiledSwitch, RefusesOneAnd257PortsOnEveryDevice) {
  for (const char* device : {"verilated_counter", "verilated", "sysc-rtl", "model"})
    for (const int ports : {1, 257}) {
      try {
        make_device(device, {.ports = ports});
        FAIL() << device << " with " << ports << " ports";
      } catch (const Error& wrong) {
        EXPECT_EQ(wrong.kind(), ErrorKind::input) << device;
        EXPECT_THAT(wrong.what(), testing::HasSubstr(std::to_string(ports))) << device;
      }
    }
}

}  // namespace
}  // namespace ocs::rtl
