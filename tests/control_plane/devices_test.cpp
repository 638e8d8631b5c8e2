// The service on every device of the catalogue, firmware included: only times differ.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/control_plane/rig.hpp"

namespace ocs::test {
namespace {

using namespace serve;

class ServiceOn : public ::testing::TestWithParam<std::string> {};

TEST_P(ServiceOn, ConnectsTunesAndLetsGo) {
  std::optional<Rig> rig;
  try {
    rig.emplace(GetParam());
  } catch (const Error& failure) {
    GTEST_SKIP() << failure.what();  // sizes are chosen when the build is configured
  }
  SwitchService& service = rig->service;
  ASSERT_FALSE(service.change({.remove = {}, .add = {circuit(0, 1), circuit(1, 0)}, .mode = Mode::safe}));
  EXPECT_EQ(service.commits(), 1U);
  for (int k = 0; !service.settled() && k < 1000; ++k) rig->pass(10);
  EXPECT_EQ(service.light(circuit(0, 1)), Light::tuned);
  ASSERT_FALSE(service.change({.remove = {}, .add = {circuit(2, 1)}, .mode = Mode::update}));
  EXPECT_EQ(service.circuits(), (std::vector{circuit(1, 0), circuit(2, 1)}));
  for (int k = 0; !service.settled() && k < 1000; ++k) rig->pass(10);
  EXPECT_EQ(service.light(circuit(1, 0)), Light::tuned);
  EXPECT_EQ(service.light(circuit(2, 1)), Light::tuned);
  EXPECT_EQ(service.counters(0).reconfigurations, 1);
  EXPECT_EQ(service.counters(1).reconfigurations, 2);
  EXPECT_TRUE(service.change({.remove = {}, .add = {circuit(3, 0)}, .mode = Mode::safe}));
  ASSERT_FALSE(service.clear());
  EXPECT_EQ(service.light(circuit(1, 0)), Light::blocked);
  EXPECT_TRUE(service.self_test());
}

std::vector<std::string> all_devices() {
  std::vector<std::string> names;
  for (const auto& entry : devices()) names.emplace_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(, ServiceOn, ::testing::ValuesIn(all_devices()), [](const auto& device) {
  std::string name = device.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace ocs::test
