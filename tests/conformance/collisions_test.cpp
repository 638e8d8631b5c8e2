// Whatever two things happen to an output, in whichever state and order, every device does the same.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/collisions.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

#include "host/conformance/compare.hpp"
#include "host/conformance/runner.hpp"
#include "tests/conformance/devices.hpp"
#include "tests/conformance/variations.hpp"

namespace ocs::conformance {
namespace {

constexpr int four_ports = 4, fifo_depth = 64;

/// A share of all in the first tier, all in tier night, as of random programs.
std::size_t stride() {
  constexpr std::size_t all = 1000;
  const char* programs = std::getenv("LIGHTLOOP_RANDOM_PROGRAMS");
  const std::size_t wanted = programs != nullptr ? std::stoul(programs) : all;
  return wanted == 0 || wanted >= all ? 1 : all / wanted - 1;  // odd for 20, so that every kind is met
}

/// One device after the other; the first one says what is right.
void compare_warped_devices(const std::string& name, const std::vector<Op>& program) {
  std::optional<Observation> reference;
  for (const Body& body : bodies()) {
    if (body.warped_only || !takes_part(body, four_ports, fifo_depth)) continue;  // the device behind it takes part
    const Mode& warped = modes_of(body)[0];
    const auto device = make_device(body, warped, four_ports, fifo_depth);
    Observation got = run_program(*device, four_ports, fifo_depth, program, {true, 0});
    for (const std::string& breach : got.breaches)
      ADD_FAILURE() << name << ", " << label(body, warped) << ": " << breach;
    if (reference) {
      const std::string unlike = difference(four_ports, program, *reference, got);
      EXPECT_TRUE(unlike.empty()) << name << ", " << label(body, warped) << ":\n" << unlike;
    } else {
      reference = std::move(got);
    }
  }
}

class Collisions : public testing::TestWithParam<int> {};

TEST_P(Collisions, OfTwoThingsAreTheSameOnEveryDevice) {
  const int output = GetParam();
  std::vector<Op> program;
  std::string first;
  std::size_t joined = 0;
  // A hundred at a time, for a device's sake; each ends with a soft reset.
  constexpr std::size_t at_once = 100;
  for (std::size_t k = static_cast<std::size_t>(output); k < collisions_of_an_output(); k += stride()) {
    Collision one = collision(four_ports, output, k);
    if (joined == 0) first = one.name;
    program.insert(program.end(), one.program.begin(), one.program.end());
    if (++joined < at_once && k + stride() < collisions_of_an_output()) continue;
    compare_warped_devices("from " + first + " to " + one.name, program);
    if (HasFailure()) return;
    program.clear();
    joined = 0;
  }
}

INSTANTIATE_TEST_SUITE_P(Output, Collisions, testing::Range(0, four_ports));

TEST(SwitchOf4Ports, TakesAndRefusesTheSameMapsOnEveryDevice) { compare_warped_devices("maps", every_map(four_ports)); }

TEST(SwitchOf4Ports, KeepsTheSameSettingsOnEveryDevice) {
  compare_warped_devices("settings", every_setting(four_ports));
}

}  // namespace
}  // namespace ocs::conformance
