// Where mirrors stand, in a switch whose number of ports is no power of two.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "Vocs_positions.h"
#include "Vocs_positions__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned ports = 5;

class Positions : public Bench<Vocs_positions, Vocs_positions__Syms> {
 public:
  /// Each output selects (o + shift) mod N next; those of the mask arrive there at this edge.
  void arrive(unsigned shift, unsigned outputs) {
    select(shift);
    top.arrives_i = outputs;
    edge();
    top.arrives_i = 0;
    top.eval();
  }
  /// Outputs whose next selection, (o + shift) mod N, is their position.
  unsigned here(unsigned shift) {
    select(shift);
    top.eval();
    return top.here_o;
  }

 private:
  void select(unsigned shift) {
    for (unsigned o = 0; o < ports; ++o) top.input_next_i[o] = (o + shift) % ports;
  }
};

TEST(Positions, AreNoneUntilAMirrorArrives) {
  Positions positions;
  EXPECT_EQ(positions.top.known_o, 0u);
  for (unsigned o = 0; o < ports; ++o) positions.top.input_next_i[o] = 0;
  positions.top.eval();
  EXPECT_EQ(positions.top.here_o, 0u) << "input 0 isn't the position of an output that has none";
  positions.arrive(2, 0b01001);
  EXPECT_EQ(positions.top.known_o, 0b01001u);
  EXPECT_EQ(positions.top.position_o[0], 2u);
  EXPECT_EQ(positions.top.position_o[3], 0u);
  EXPECT_EQ(positions.here(2), 0b01001u);
  EXPECT_EQ(positions.here(1), 0u);
}

TEST(Positions, AreThoseOfTheLastArrivalAlone) {
  Positions positions;
  positions.arrive(1, 0b11111);
  positions.arrive(4, 0b00110);
  EXPECT_EQ(positions.here(4), 0b00110u);
  EXPECT_EQ(positions.here(1), 0b11001u) << "what doesn't arrive stays where it is, whatever it selects";
  EXPECT_EQ(positions.top.position_o[2], 1u);
  EXPECT_EQ(positions.top.position_o[4], 0u);
  for (int n = 0; n < 3; ++n) positions.edge();
  EXPECT_EQ(positions.here(4), 0b00110u);
  EXPECT_EQ(positions.top.known_o, 0b11111u);
}

TEST(Positions, AreForgottenAtAReset) {
  Positions positions;
  positions.arrive(3, 0b11111);
  positions.top.rst_ni = 0;
  positions.top.arrives_i = 0b11111;
  positions.edge();
  positions.top.rst_ni = 1;
  positions.top.arrives_i = 0;
  EXPECT_EQ(positions.here(3), 0u);
  EXPECT_EQ(positions.top.known_o, 0u);
}

}  // namespace
}  // namespace ocs::test
