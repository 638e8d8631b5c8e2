// Which pairs are warm, in a switch whose number of ports is no power of two.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>

#include "Vocs_receivers.h"
#include "Vocs_receivers__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned ports = 5;

class Subject : public Bench<Vocs_receivers, Vocs_receivers__Syms> {
 public:
  Subject() {
    top.on_i = 1;
    top.warm_time_i = 10;
  }

  /// Each output leaves input (o + shift) mod N at an edge after which `stamp` is the cycle.
  void leave(unsigned shift, std::uint64_t stamp, unsigned outputs = 31) {
    for (unsigned o = 0; o < ports; ++o) top.input_i[o] = (o + shift) % ports;
    top.leaves_i = outputs;
    top.stamp_i = stamp;
    edge();
    top.leaves_i = 0;
    top.eval();
  }
  /// Outputs that are warm for input (o + shift) mod N.
  unsigned warm(unsigned shift, std::uint64_t stamp) {
    for (unsigned o = 0; o < ports; ++o) top.input_next_i[o] = (o + shift) % ports;
    top.stamp_i = stamp;
    top.eval();
    return top.warm_o;
  }
};

TEST(Receivers, AreWarmForTheirTimeAndColdUntilTheyWereLit) {
  Subject subject;
  EXPECT_EQ(subject.warm(1, 3), 0u) << "a pair that was never left is cold, however early it is";
  subject.leave(1, 1000);
  EXPECT_EQ(subject.warm(1, 1009), 31u);
  EXPECT_EQ(subject.warm(1, 1010), 0u);
  EXPECT_EQ(subject.warm(2, 1001), 0u);
  subject.leave(1, std::uint64_t{1} << 40, 4);
  EXPECT_EQ(subject.warm(1, (std::uint64_t{1} << 40) + 9), 4u) << "of each output its own";
}

TEST(Receivers, LockAFlappingPairAsAWarmOne) {
  Subject subject;
  for (unsigned o = 0; o < ports; ++o) subject.top.input_i[o] = o;
  subject.top.up_i = 0b10110;
  EXPECT_EQ(subject.warm(0, 77), 0b10110u);
  EXPECT_EQ(subject.warm(1, 77), 0u) << "another input";
  subject.top.warm_time_i = 0;
  EXPECT_EQ(subject.warm(0, 77), 0u);
}

TEST(Receivers, AreColdWhileTheyAreOffAndAfterAReset) {
  Subject subject;
  subject.leave(2, 50);
  subject.top.on_i = 0;
  EXPECT_EQ(subject.warm(2, 51), 0u);
  subject.top.on_i = 1;
  EXPECT_EQ(subject.warm(2, 51), 31u);
  subject.top.rst_ni = 0;
  subject.edge();
  subject.top.rst_ni = 1;
  EXPECT_EQ(subject.warm(2, 51), 0u);
}

}  // namespace
}  // namespace ocs::test
