// The PAIR memory of a switch whose number of ports is no power of two: one memory, or one a row.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "Vocs_pair.h"
#include "Vocs_pair__Syms.h"
#include "Vocs_pair_rows.h"
#include "Vocs_pair_rows__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned ports = 5;

template <class Top, class Syms>
class Memory : public Bench<Top, Syms> {
 public:
  using Bench<Top, Syms>::edge, Bench<Top, Syms>::top;

  void write(unsigned output, unsigned input, std::uint32_t value, std::uint32_t strobes = 0xFFFF'FFFF) {
    top.write_i = 1;
    top.output_i = output;
    top.column_i = input;
    top.data_i = value;
    top.biten_i = strobes;
    edge();
    top.write_i = 0;
    top.eval();
  }
  std::uint32_t read(unsigned output, unsigned input) {
    top.output_i = output;
    top.column_i = input;
    top.eval();
    return top.read_o;
  }
};

template <class>
class Pair : public testing::Test {};
using Memories = testing::Types<Memory<Vocs_pair, Vocs_pair__Syms>, Memory<Vocs_pair_rows, Vocs_pair_rows__Syms>>;
TYPED_TEST_SUITE(Pair, Memories);

TYPED_TEST(Pair, KeepsEveryEntryApart) {
  TypeParam pair;
  for (unsigned o = 0; o < ports; ++o)
    for (unsigned i = 0; i < ports; ++i) {
      EXPECT_EQ(pair.read(o, i), 0u);
      pair.write(o, i, 100 * o + i + 1);
    }
  for (unsigned o = 0; o < ports; ++o)
    for (unsigned i = 0; i < ports; ++i) EXPECT_EQ(pair.read(o, i), 100 * o + i + 1) << o << " " << i;
}

TYPED_TEST(Pair, IsLookedUpForAllOutputsAtOnceAndOnlyWhenAsked) {
  TypeParam pair;
  for (unsigned o = 0; o < ports; ++o)
    for (unsigned i = 0; i < ports; ++i) pair.write(o, i, 100 * o + i + 1);
  for (unsigned shift = 0; shift < ports; ++shift) {
    const auto input = [&](unsigned o) { return (o + shift) % ports; };
    for (unsigned o = 0; o < ports; ++o) pair.top.input_i[o] = input(o);
    pair.top.lookup_i = 1;
    pair.top.eval();
    for (unsigned o = 0; o < ports; ++o) EXPECT_EQ(pair.top.pair_o[o], 100 * o + input(o) + 1);
    pair.top.lookup_i = 0;
    pair.top.eval();
    for (unsigned o = 0; o < ports; ++o) EXPECT_EQ(pair.top.pair_o[o], 0u);
  }
}

TYPED_TEST(Pair, TakesTheBytesThatStrobesNameAndThirtyBits) {
  TypeParam pair;
  pair.write(4, 4, 0xFFFF'FFFF);
  EXPECT_EQ(pair.read(4, 4), 0x3FFF'FFFFu);
  pair.write(4, 4, 0x1234'5678, 0x00FF'0000);
  EXPECT_EQ(pair.read(4, 4), 0x3F34'FFFFu);
}

}  // namespace
}  // namespace ocs::test
