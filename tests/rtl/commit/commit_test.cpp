// The commit arbiter (section 3): who goes first, which maps are refused and why, what is late.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "Vocs_commit.h"
#include "Vocs_commit__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned ports = 4;
constexpr unsigned software = 0, timed = 1, sequencer = 2;
using Arbiter = Wires<Vocs_commit, Vocs_commit__Syms>;

/// A free choice of an output: no circuit, or an input of nine bits.
constexpr std::array<int, 7> choices{-1, 0, 1, 2, 3, 4, 260};

TEST(Commit, TakesTheSequencerBeforeTheTimedBeforeTheSoftwareOne) {
  Arbiter arbiter;
  arbiter.top.last_i = arbiter.top.commit_at_i = 9;
  arbiter.top.sw_tag_i = 10;
  arbiter.top.timed_tag_i = 11;
  arbiter.top.seq_tag_i = 12;
  for (unsigned asked = 0; asked < 8; ++asked) {
    arbiter.top.go_i = 1;
    arbiter.top.sw_i = asked & 1;
    arbiter.top.armed_i = asked >> 1 & 1;
    arbiter.top.seq_i = asked >> 2 & 1;
    arbiter.evaluate();
    EXPECT_EQ(arbiter.top.taken_o, asked != 0) << asked;
    if (asked != 0) {
      EXPECT_EQ(arbiter.top.source_o, asked >= 4 ? sequencer : asked >= 2 ? timed : software) << asked;
      EXPECT_EQ(arbiter.top.tag_o, asked >= 4 ? 12 : asked >= 2 ? 11 : 10) << asked;
    }
    EXPECT_EQ(arbiter.top.sw_done_o, asked == 1) << asked;
    EXPECT_EQ(arbiter.top.timed_done_o, asked == 2 || asked == 3) << asked;
    arbiter.top.go_i = 0;
    arbiter.evaluate();
    EXPECT_FALSE(arbiter.top.taken_o | arbiter.top.refused_o | arbiter.top.sw_done_o | arbiter.top.timed_done_o);
  }
}

TEST(Commit, IsLateFromTheCycleAfterItsOwn) {
  Arbiter arbiter;
  arbiter.top.go_i = arbiter.top.armed_i = 1;
  arbiter.top.commit_at_i = 9;
  for (const unsigned cycle : {8u, 9u, 10u}) {
    arbiter.top.last_i = cycle;
    arbiter.evaluate();
    EXPECT_EQ(arbiter.top.taken_o, cycle >= 9) << cycle;
    EXPECT_EQ(arbiter.top.late_o, cycle == 10) << cycle;
  }
  arbiter.top.seq_i = 1;
  for (const bool late : {false, true}) {
    arbiter.top.seq_late_i = late;
    arbiter.evaluate();
    EXPECT_EQ(arbiter.top.late_o, late);  // the timed one loses; whether it is late is said when it is taken
  }
}

/// All maps of four outputs, from both places that a map comes from, with MULTICAST and without.
TEST(Commit, RefusesAMapForARangeElseForAConflictElseTakesIt) {
  Arbiter arbiter;
  arbiter.top.go_i = arbiter.top.sw_i = 1;
  std::array<unsigned, ports> at{};
  for (unsigned map = 0; map < 7 * 7 * 7 * 7; ++map) {
    for (unsigned o = 0, rest = map; o < ports; ++o, rest /= 7) at[o] = rest % 7;
    bool beyond = false, twice = false;
    unsigned used = 0, valid = 0;
    for (unsigned o = 0; o < ports; ++o) {
      const int input = choices[at[o]];
      if (input < 0) continue;
      valid |= 1u << o;
      if (input >= static_cast<int>(ports)) {
        beyond = true;
        continue;
      }
      twice = twice || (used >> input & 1) != 0;
      used |= 1u << input;
    }
    for (unsigned variant = 0; variant < 4; ++variant) {
      const bool row = (variant & 1) != 0, multicast = (variant & 2) != 0;
      arbiter.top.seq_i = row;
      arbiter.top.multicast_i = multicast;
      arbiter.top.row_valid_i = row ? valid : 0xF;
      arbiter.top.shadow_valid_i = row ? 0xF : valid;
      for (unsigned o = 0; o < ports; ++o) {
        const auto input = static_cast<unsigned>(choices[at[o]]) & 0x1FF;
        arbiter.top.row_input_i[o] = row ? input : 300;
        arbiter.top.shadow_input_i[o] = row ? 300 : input;
      }
      arbiter.evaluate();
      ASSERT_EQ(arbiter.top.range_o, beyond) << map << " " << variant;
      ASSERT_EQ(arbiter.top.conflict_o, !beyond && twice && !multicast) << map << " " << variant;
      ASSERT_EQ(arbiter.top.refused_o, arbiter.top.range_o | arbiter.top.conflict_o);
      ASSERT_NE(arbiter.top.refused_o, arbiter.top.taken_o);
      if (arbiter.top.taken_o == 0) continue;
      ASSERT_EQ(arbiter.top.map_valid_o, valid);
      for (unsigned o = 0; o < ports; ++o)
        if ((valid >> o & 1) != 0) {
          ASSERT_EQ(static_cast<int>(arbiter.top.map_input_o[o]), choices[at[o]]);
        }
    }
  }
}

}  // namespace
}  // namespace ocs::test
