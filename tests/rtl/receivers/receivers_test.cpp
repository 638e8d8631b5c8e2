// Which pairs are warm, in a switch whose number of ports is no power of two, looked up once or twice an output.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>

#include "Vocs_receivers.h"
#include "Vocs_receivers__Syms.h"
#include "Vocs_receivers_twice.h"
#include "Vocs_receivers_twice__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned ports = 5;

template <class Top, class Syms>
class Subject : public Bench<Top, Syms> {
 public:
  using Bench<Top, Syms>::edge, Bench<Top, Syms>::top;
  static constexpr unsigned ways = sizeof Top::input_next_i / sizeof Top::input_next_i[0] / ports;

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
  /// Outputs that are warm for input (o + shift) mod N, in the first way, and in the last one for the next input.
  unsigned warm(unsigned shift, std::uint64_t stamp) {
    for (unsigned k = 0; k < ways * ports; ++k) top.input_next_i[k] = (k % ports + shift + k / ports) % ports;
    top.stamp_i = stamp;
    top.eval();
    return top.warm_o;
  }
};

template <class>
class Receivers : public testing::Test {};
using Forms = testing::Types<Subject<Vocs_receivers, Vocs_receivers__Syms>,
                             Subject<Vocs_receivers_twice, Vocs_receivers_twice__Syms>>;
TYPED_TEST_SUITE(Receivers, Forms);

TYPED_TEST(Receivers, AreWarmForTheirTimeAndColdUntilTheyWereLit) {
  TypeParam subject;
  EXPECT_EQ(subject.warm(1, 3), 0u) << "a pair that was never left is cold, however early it is";
  subject.leave(1, 1000);
  EXPECT_EQ(subject.warm(1, 1009) & 31, 31u);
  EXPECT_EQ(subject.warm(1, 1010), 0u);
  EXPECT_EQ(subject.warm(2, 1001), 0u);
  if (TypeParam::ways == 2) {
    EXPECT_EQ(subject.warm(0, 1009), 31u << ports);
  }
  subject.leave(1, std::uint64_t{1} << 40, 4);
  EXPECT_EQ(subject.warm(1, (std::uint64_t{1} << 40) + 9), 4u) << "of each output its own";
}

TYPED_TEST(Receivers, LockAFlappingPairAsAWarmOne) {
  TypeParam subject;
  for (unsigned o = 0; o < ports; ++o) subject.top.input_i[o] = o;
  subject.top.up_i = 0b10110;
  EXPECT_EQ(subject.warm(0, 77) & 31, 0b10110u);
  EXPECT_EQ(subject.warm(1, 77) & 31, 0u) << "another input";
  subject.top.warm_time_i = 0;
  EXPECT_EQ(subject.warm(0, 77), 0u);
}

TYPED_TEST(Receivers, AreColdWhileTheyAreOffAndAfterAReset) {
  TypeParam subject;
  subject.leave(2, 50);
  subject.top.on_i = 0;
  EXPECT_EQ(subject.warm(2, 51), 0u);
  subject.top.on_i = 1;
  EXPECT_EQ(subject.warm(2, 51) & 31, 31u);
  subject.top.rst_ni = 0;
  subject.edge();
  subject.top.rst_ni = 1;
  EXPECT_EQ(subject.warm(2, 51), 0u);
}

}  // namespace
}  // namespace ocs::test
