// Names of compiled switches say all of their parameters, and parameters out of range are refused by name.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/core/error.hpp"

namespace ocs::rtl {
namespace {

using testing::HasSubstr;

std::string refusal_of(const Parameters& parameters) {
  try {
    check(parameters);
  } catch (const Error& wrong) {
    EXPECT_EQ(wrong.kind(), ErrorKind::input);
    return wrong.what();
  }
  return "";
}

TEST(SwitchParameters, AreTheirNameAndBack) {
  const Parameters plain, all{.core = Core::counter,
                              .ports = 256,
                              .fifo_depth = 4,
                              .sequencer_entries = 32,
                              .options = 0,
                              .checks = true,
                              .waves = true};
  const Parameters words{.core = Core::fast, .ports = 136, .lanes = 8};
  const Parameters counted{.ports = 4, .short_cycle = true, .coverage = true};
  EXPECT_EQ(name_of(plain), "counter-16");
  EXPECT_EQ(name_of(all), "counter-256-f4-s32-o0-checks-waves");
  EXPECT_EQ(name_of(words), "fast-136-w8");
  EXPECT_EQ(name_of(counted), "counter-4-short-coverage");
  for (const Parameters& parameters : {plain, all, words, counted})
    EXPECT_EQ(parameters_of(name_of(parameters)), parameters);
}

TEST(SwitchParameters, AreReadFromNothingButAName) {
  for (const char* name : {"", "counter", "counter-", "slow-4", "counter-4-", "counter-04", "counter-4-f64",
                           "counter-4-x1", "counter-4-waves-checks", "fast-4-short", "counter-4-short-checks",
                           "counter-4-short-waves", "counter-1", "fast-257", "counter-4-w8", "counter-99999999999"})
    EXPECT_THROW(parameters_of(name), Error) << name;
}

TEST(SwitchParameters, OutOfRangeAreRefusedByName) {
  EXPECT_EQ(refusal_of({}), "");
  EXPECT_THAT(refusal_of({.ports = 1}), HasSubstr("ports of 1, but must have 2 to 256 ports"));
  EXPECT_THAT(refusal_of({.ports = 257}), HasSubstr("257"));
  EXPECT_THAT(refusal_of({.fifo_depth = 6}), HasSubstr("event FIFO of 6, but must have a power of two from 2 to 4096"));
  EXPECT_THAT(refusal_of({.sequencer_entries = 65536}), HasSubstr("sequencer bank of 65536"));
  EXPECT_THAT(refusal_of({.options = 4096}), HasSubstr("options 4096"));
  EXPECT_THAT(refusal_of({.core = Core::fast, .lanes = 65}), HasSubstr("lanes of 65"));
  EXPECT_THAT(refusal_of({.lanes = 8}), HasSubstr("not core \"counter\""));
  EXPECT_THAT(refusal_of({.core = Core::fast, .checks = true}), HasSubstr("not for core \"fast\""));
  EXPECT_EQ(refusal_of({.core = Core::fast, .coverage = true}), "");
  EXPECT_EQ(refusal_of({.core = Core::soc, .coverage = true}), "");
  EXPECT_THAT(refusal_of({.core = Core::soc, .short_cycle = true}), HasSubstr("not for core \"soc\""));
  EXPECT_THAT(refusal_of({.short_cycle = true, .checks = true}), HasSubstr("checks ask for the horizon"));
  EXPECT_THAT(refusal_of({.short_cycle = true, .waves = true}), HasSubstr("waveforms show the stages"));
  EXPECT_THAT(refusal_of({.core = Core::soc, .options = 3}), HasSubstr("has all options"));
}

}  // namespace
}  // namespace ocs::rtl
