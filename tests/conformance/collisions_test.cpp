// Whatever two things happen to an output, in whichever state and order, every device does the same.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/collisions.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/conformance/devices.hpp"
#include "tests/conformance/lights.hpp"
#include "tests/conformance/memories.hpp"
#include "tests/conformance/rates.hpp"
#include "tests/conformance/variations.hpp"

namespace ocs::conformance {
namespace {

constexpr int four_ports = 4, fifo_depth = 64, entries = 16;

/// A share of all in the first tier, all in tier night, as of random programs.
std::size_t stride() {
  constexpr std::size_t all = 1000;
  const char* programs = std::getenv("LIGHTLOOP_RANDOM_PROGRAMS");
  const std::size_t wanted = programs != nullptr ? std::stoul(programs) : all;
  return wanted == 0 || wanted >= all ? 1 : all / wanted - 1;  // odd for 20, so that every kind is met
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
    EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, program, true), "") << "from " + first + " to " + one.name;
    if (HasFailure()) return;
    program.clear();
    joined = 0;
  }
}

INSTANTIATE_TEST_SUITE_P(Output, Collisions, testing::Range(0, four_ports));

TEST(SwitchOf4Ports, TakesAndRefusesTheSameMapsOnEveryDevice) {
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_map(four_ports), true), "");
}

TEST(SwitchOf4Ports, KeepsTheSameSettingsOnEveryDevice) {
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_setting(four_ports), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_byte(four_ports), true), "");
}

TEST(SwitchOf4Ports, RemembersTheSameOnEveryDevice) {
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_receiver(four_ports), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, first_locks(four_ports, std::nullopt, false), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, first_locks(four_ports, 31, true), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_seed(four_ports), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, long_bursts(four_ports), false), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, slow_bursts(four_ports), false), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, slow_changes(four_ports), false), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, long_delays(four_ports), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_entry(four_ports, entries, 0x5555'5555), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, receivers_that_fail(four_ports), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, long_gaps(four_ports), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, long_pairs(four_ports), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_tag(fifo_depth), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, slow_boundaries(four_ports), false), "");
}

TEST(SwitchOf4Ports, CountsTheSameWordsOnEveryDeviceWhenRatesChange) {
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, changed_rates(four_ports), false), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, exact_ends(four_ports), false), "");
}

TEST(SwitchOf4Ports, LosesTheSameLightOnEveryDevice) {
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_fault(four_ports), true), "");
}

TEST(SwitchOf4Ports, HasTheSameLightOnEveryDevice) {
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_level(four_ports), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, long_losses(four_ports), false), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, many_rings(four_ports), true), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_disturbance(four_ports), false), "");
  EXPECT_EQ(unlike_when_warped(four_ports, fifo_depth, every_position(four_ports), false), "");
}

}  // namespace
}  // namespace ocs::conformance
