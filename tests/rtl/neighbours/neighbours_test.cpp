// Whom a mirror that moves disturbs, and for exactly how long: 40 ports, so that some are too far away.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "Vocs_neighbours.h"
#include "Vocs_neighbours__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned ports = 40;
constexpr std::uint64_t all = (std::uint64_t{1} << ports) - 1;
constexpr std::uint32_t none = 0xFFFF'FFFF;  // no bound

constexpr std::uint64_t only(unsigned output) { return std::uint64_t{1} << output; }

/// DISTURB = 3, DISTURB_AT = 1.
class Neighbours : public Bench<Vocs_neighbours, Vocs_neighbours__Syms> {
 public:
  Neighbours() {
    top.cycles_i = 3;
    top.distances_i = 1;
  }
  /// An edge at whose end these outputs start. @return what it said would be disturbed after it.
  std::uint64_t move(std::uint32_t step, std::uint64_t started = 0) {
    top.step_i = step;
    top.started_i = started;
    top.eval();
    const std::uint64_t next = top.disturbed_next_o;
    edge();
    top.step_i = 0;
    top.started_i = 0;
    top.eval();
    return next;
  }
  /// Whether output o is disturbed, from the present cycle on.
  std::string run(unsigned o, int cycles) {
    std::string out;
    for (int n = 0; n < cycles; ++n) {
      out += (top.disturbed_o >> o & 1) != 0 ? 'd' : '-';
      move(1);
    }
    return out;
  }
};

TEST(Neighbours, AreDisturbedForExactlyTheirCycles) {
  Neighbours of;
  EXPECT_EQ(of.move(1, only(10)), only(9) | only(11)) << "the edge of the start shows the cycle after it";
  for (std::uint32_t left = 3; left > 0; --left) {
    EXPECT_EQ(of.top.disturbed_o, only(9) | only(11));
    EXPECT_EQ(of.top.bound_o[9], left);
    EXPECT_EQ(of.top.bound_o[10], none);
    EXPECT_EQ(of.move(1), left > 1 ? only(9) | only(11) : 0);
  }
  EXPECT_EQ(of.top.disturbed_o, 0u);
  EXPECT_EQ(of.top.bound_o[9], none);
}

TEST(Neighbours, AreThoseAtTheDistancesOfTheRegisterAlone) {
  for (unsigned distance = 1; distance <= 32; ++distance)
    for (unsigned start = 0; start < ports; ++start) {
      Neighbours of;
      of.top.distances_i = 1u << (distance - 1);
      of.move(1, only(start));
      const std::uint64_t below = start >= distance ? only(start - distance) : 0;
      const std::uint64_t above = start + distance < ports ? only(start + distance) : 0;
      ASSERT_EQ(of.top.disturbed_o, below | above) << start << " by " << distance;
    }
}

TEST(Neighbours, AreAtMost32AwayAndNeverTheOneThatStarts) {
  Neighbours of;
  of.top.distances_i = 0xFFFF'FFFF;
  of.top.cycles_i = 1;
  of.move(1, only(0));
  EXPECT_EQ(of.top.disturbed_o, 0x1'FFFF'FFFEu) << "33 and above are too far";
  of.move(1, only(39));
  EXPECT_EQ(of.top.disturbed_o, 0x7F'FFFF'FF80u);
  of.move(1, only(20));
  EXPECT_EQ(of.top.disturbed_o, all & ~only(20));
  of.move(1, all);
  EXPECT_EQ(of.top.disturbed_o, all) << "outputs that start together disturb each other";
  of.top.distances_i = 0;
  of.move(1, all);
  EXPECT_EQ(of.top.disturbed_o, 0u);
}

TEST(Neighbours, CountAnewFromTheLastStartWhateverWasLeft) {
  Neighbours of;
  of.top.cycles_i = 6;
  of.move(1, only(4));
  of.move(1);
  of.top.cycles_i = 3;
  of.move(1, only(6));  // disturbs 5 and 7; output 3 goes on with what it had
  EXPECT_EQ(of.top.bound_o[3], 4u);
  EXPECT_EQ(of.top.bound_o[5], 3u) << "shorter than what was left";
  EXPECT_EQ(of.run(5, 5), "ddd--");
  of.move(1, only(4));
  of.move(2);
  of.move(1, only(6));  // in the last cycle of the first one
  EXPECT_EQ(of.run(5, 5), "ddd--");
}

TEST(Neighbours, GoOnWhileNothingDisturbsThem) {
  Neighbours of;
  of.move(1, only(4));
  of.top.cycles_i = 0;
  EXPECT_EQ(of.move(1, only(4)), only(3) | only(5)) << "DISTURB = 0: what is disturbed goes on";
  of.top.distances_i = 0;
  EXPECT_EQ(of.top.bound_o[5], 2u);
  EXPECT_EQ(of.run(5, 4), "dd--");
}

TEST(Neighbours, StandStillOnBusEdgesAndAreCalmAfterAReset) {
  Neighbours of;
  of.move(1, only(4));
  EXPECT_EQ(of.move(0), only(3) | only(5));
  EXPECT_EQ(of.top.bound_o[3], 3u);
  of.top.rst_ni = 0;
  of.move(1);
  of.top.rst_ni = 1;
  of.top.eval();
  EXPECT_EQ(of.top.disturbed_o, 0u);
  EXPECT_EQ(of.run(3, 3), "---");
}

TEST(Neighbours, AreDisturbedForTheLongest) {
  Neighbours of;
  of.top.cycles_i = 0x3FFF'FFFF;
  of.move(1, only(0));
  EXPECT_EQ(of.top.bound_o[1], 0x3FFF'FFFFu);
  EXPECT_EQ(of.move(0x3FFF'FFFE), only(1));
  EXPECT_EQ(of.run(1, 2), "d-");
}

TEST(Neighbours, MoveInAnyStrideAsCycleByCycle) {
  std::mt19937_64 random(1);
  Neighbours unit, stride;
  for (int n = 0; n < 2000; ++n) {
    std::uint32_t most = 9;
    for (unsigned o = 0; o < ports; ++o) most = std::min<std::uint32_t>(most, stride.top.bound_o[o]);
    const auto step = static_cast<std::uint32_t>(1 + random() % most);
    const std::uint64_t started = random() % 3 == 0 ? random() & random() & random() & all : 0;
    for (Neighbours* of : {&unit, &stride}) of->top.distances_i = 0;
    for (std::uint32_t k = 1; k < step; ++k) unit.move(1);
    const std::uint32_t cycles = random() % 12;
    const auto distances = static_cast<std::uint32_t>(random() & random() & random());
    for (Neighbours* of : {&unit, &stride}) {
      of->top.cycles_i = cycles;
      of->top.distances_i = distances;
    }
    unit.move(1, started);  // at the end of the interval
    stride.move(step, started);
    ASSERT_EQ(unit.top.disturbed_o, stride.top.disturbed_o) << n;
    for (unsigned o = 0; o < ports; ++o) ASSERT_EQ(unit.top.bound_o[o], stride.top.bound_o[o]) << n;
  }
}

}  // namespace
}  // namespace ocs::test
