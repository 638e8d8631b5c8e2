// Tests that run on every device of the catalogue.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "host/core/device.hpp"
#include "host/core/switch.hpp"

namespace ocs::test {

/// Names of the catalogue; `mapped` is the model behind a served file. `verilated` and `sysc-rtl` are built for 2, 4, 8
/// and 16 ports at least; of those of SystemC one exists at a time.
std::vector<std::string> device_names();

/// A device's name as a part of a test's: "sysc_rtl".
std::string test_name(std::string device);

/// Whether several devices of this name can exist at a time in a process: not those of SystemC.
bool may_be_several(const std::string& device);

std::unique_ptr<Device> make_device(const std::string& name, const DeviceConfig& config);

/// Reads "12 up 3" for an output's event, "12 run 3 burst 7 words 0+5", "12 burst_done 2 burst 7 words 0+5".
std::string text_of(const Event& event);

/// Runs to `limit`, taking events wherever the clock stops.
std::vector<std::string> run_to(Switch& plane, Cycles limit);

}  // namespace ocs::test

/// For a test that needs two devices at once.
#define OCS_SKIP_UNLESS_SEVERAL(device) \
  if (!::ocs::test::may_be_several(device)) GTEST_SKIP() << device << ": one at a time in a process"

/// TEST_P suites of `fixture`, once a device.
#define OCS_ON_EVERY_DEVICE(fixture)                                                      \
  INSTANTIATE_TEST_SUITE_P(On, fixture, ::testing::ValuesIn(::ocs::test::device_names()), \
                           [](const auto& device) { return ::ocs::test::test_name(device.param); })
