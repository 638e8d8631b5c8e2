// Power at outputs and the level of their detectors, up to the ends of every field.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "Vocs_power.h"
#include "Vocs_power__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned ports = 5;

class Power : public Wires<Vocs_power, Vocs_power__Syms> {
 public:
  void level(int threshold, int hysteresis) {
    top.threshold_i = static_cast<SData>(threshold);
    top.hysteresis_i = static_cast<SData>(hysteresis);
  }
  void path(unsigned output, unsigned input, int laser, int loss) {
    top.input_i[output] = input;
    top.laser_i[input] = static_cast<SData>(laser);
    top.loss_i[output] = static_cast<SData>(loss);
  }
  /// Hundredths of a dBm.
  int at(unsigned output) {
    evaluate();
    return static_cast<std::int32_t>(top.power_o[output] << 14) >> 14;  // it has 18 bits
  }
  bool low(unsigned output) { return evaluate(), (top.low_o >> output & 1) != 0; }
  bool low_dim(unsigned output) { return evaluate(), (top.low_dim_o >> output & 1) != 0; }
};

TEST(Power, IsTheLasersLessTheLossOfTheOutput) {
  Power power;
  power.path(1, 4, -250, 175);
  power.path(4, 0, 1000, 30);
  EXPECT_EQ(power.at(1), -425) << "the laser of the input, the loss of the output";
  EXPECT_EQ(power.at(4), 970);
  power.path(1, 0, 1000, 0);
  EXPECT_EQ(power.at(1), 1000);
}

TEST(Power, HasRoomForTheWeakestAndTheStrongest) {
  Power power;
  power.path(0, 0, -32768, 65535);
  EXPECT_EQ(power.at(0), -98303);
  power.level(-32768, 0);
  EXPECT_TRUE(power.low(0));
  power.path(0, 0, 32767, 0);
  EXPECT_EQ(power.at(0), 32767);
  power.level(32767, 0);
  EXPECT_FALSE(power.low(0));
  EXPECT_FALSE(power.low_dim(0));
  power.level(32767, 32767);
  EXPECT_FALSE(power.low(0));
  EXPECT_TRUE(power.low_dim(0)) << "65534 is more than 16 bits with a sign";
  power.level(-32768, 32767);
  power.path(0, 0, -1, 0);
  EXPECT_FALSE(power.low_dim(0));
  power.path(0, 0, -2, 0);
  EXPECT_TRUE(power.low_dim(0));
}

TEST(Power, IsLowBelowTheThresholdNotAtIt) {
  Power power;
  power.level(-1000, 50);
  for (const auto& [laser, low, low_dim] :
       {std::tuple{-1001, true, true}, {-1000, false, true}, {-951, false, true}, {-950, false, false}}) {
    power.path(3, 2, laser, 0);
    EXPECT_EQ(power.low(3), low) << laser;
    EXPECT_EQ(power.low_dim(3), low_dim) << laser;
  }
}

TEST(Power, IsThatOfAnySettings) {
  std::mt19937 random(1);
  Power power;
  for (int n = 0; n < 2000; ++n) {
    const int threshold = static_cast<int>(random() % 65536) - 32768, hysteresis = static_cast<int>(random() % 32768);
    power.level(threshold, hysteresis);
    const unsigned output = random() % ports, input = random() % ports;
    const int laser = static_cast<int>(random() % 65536) - 32768, loss = static_cast<int>(random() % 65536);
    power.path(output, input, laser, loss);
    ASSERT_EQ(power.at(output), laser - loss);
    ASSERT_EQ(power.low(output), laser - loss < threshold);
    ASSERT_EQ(power.low_dim(output), laser - loss < threshold + hysteresis);
  }
}

}  // namespace
}  // namespace ocs::test
