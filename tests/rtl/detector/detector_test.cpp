// Detectors (section 6): when light counts as missing, as dim, as lost; mirrors that ring.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "Vocs_detector.h"
#include "Vocs_detector__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned ports = 4;
constexpr CData idle = 0, tuning = 1, locking = 2, up = 3, held = 4, failed = 5, no_cause = 0, stuck = 1, light = 2;
constexpr std::uint32_t none = 0xFFFF'FFFF;  // no bound

/// Outputs that go by what their detectors show, each by itself: L = 1, and no time of tuning.
class Detectors : public Bench<Vocs_detector, Vocs_detector__Syms> {
 public:
  Detectors() { top.light_i = 1; }

  /// The outputs of the mask arrive at the end of this cycle.
  void arrive(unsigned outputs) { move(1, outputs); }
  /// They are disconnected at the end of this cycle, or fail since they are stuck.
  void leave(unsigned outputs, CData state = idle) {
    leaving_ = outputs;
    left_for_ = state;
    move(1);
    leaving_ = 0;
  }
  void move(std::uint32_t step, unsigned arriving = 0) {
    top.step_i = step;
    top.arrives_i = arriving;
    top.eval();
    for (unsigned o = 0; o < ports; ++o) follow(o, step, (arriving >> o & 1) != 0);
    top.eval();
    told_dim = top.dim_next_o;
    edge();
    for (unsigned o = 0; o < ports; ++o) {
      top.state_i[o] = top.state_next_i[o];
      top.cause_i[o] = top.cause_next_i[o];
    }
    top.step_i = top.arrives_i = 0;
    top.eval();
  }

  /// Of output 0, one letter a cycle from the present one on: its state, small if it is dim.
  std::string run(int cycles) {
    std::string out;
    for (int n = 0; n < cycles; ++n) {
      out += ((top.dim_o & 1) != 0 ? "itluhf" : "ITLUHF")[top.state_i[0]];
      move(1);
    }
    return out;
  }
  /// Whether light reaches it.
  std::string run_lit(int cycles) {
    std::string out;
    for (int n = 0; n < cycles; ++n) {
      out += (top.lit_o & 1) != 0 ? '*' : '.';
      move(1);
    }
    return out;
  }
  /// A setting of an output that stays as it is: the power is below the threshold, also below it with the hysteresis.
  void power(unsigned low, unsigned low_dim) {
    top.low_i = low;
    top.low_dim_i = low | low_dim;
    top.eval();
  }

  unsigned told_dim = 0;  // what the last edge said would be dim after it

 private:
  void follow(unsigned o, std::uint32_t step, bool arrives) {
    CData state = top.state_i[o], cause = top.cause_i[o];
    if (step != 0 && arrives) {
      const bool dark = (top.dark_new_o >> o & 1) != 0;
      state = dark ? failed : up;
      cause = dark ? light : no_cause;
    } else if (step != 0 && (leaving_ >> o & 1) != 0) {
      state = left_for_;
      cause = left_for_ == failed ? stuck : no_cause;
    } else if (step != 0) {
      const bool dark = (top.dark_o >> o & 1) != 0, works = state == locking || state == up || state == held;
      if (works && dark) {
        state = failed;
        cause = light;
      } else if (state == failed && cause == light && !dark) {
        state = locking;
        cause = no_cause;
      } else if (state == locking) {
        state = up;
      }
    }
    top.state_next_i[o] = state;
    top.cause_next_i[o] = cause;
  }
  unsigned leaving_ = 0;
  CData left_for_ = idle;
};

/// The table of the contract.
TEST(Detectors, AssertAndReleaseALossOfLightInTime) {
  Detectors of;
  of.top.los_assert_i = 2;
  of.top.los_release_i = 1;
  of.arrive(1);
  EXPECT_EQ(of.run(2), "UU");
  of.power(1, 1);
  std::string seen = of.run(6);
  of.power(0, 0);
  seen += of.run(4);
  EXPECT_EQ(seen, "UuuffffFLU");
}

TEST(Detectors, AssertAndReleaseAtOnceIfNothingIsToBeWaitedFor) {
  Detectors of;
  of.arrive(1);
  of.top.faulty_i = 1;
  EXPECT_EQ(of.run(3), "Uff");
  of.top.faulty_i = 0;
  EXPECT_EQ(of.run(3), "fLU");
}

TEST(Detectors, BeginAnewAfterACycleToTheContrary) {
  Detectors of;
  of.top.los_assert_i = of.top.los_release_i = 2;
  of.arrive(1);
  std::string seen;
  for (const unsigned low : {1u, 1u, 0u, 1u, 1u, 0u, 1u, 1u, 1u}) {
    of.power(low, low);
    seen += of.run(1);
  }
  EXPECT_EQ(seen, "UuuUuuUuu");
  seen.clear();
  for (const unsigned low : {0u, 0u, 1u, 0u, 0u, 0u, 0u}) {
    of.power(low, low);
    seen += of.run(1);
  }
  EXPECT_EQ(seen, "fFFfFFL");
}

TEST(Detectors, TakeTheirNumbersInTheFirstOfTheCycles) {
  Detectors of;
  of.top.los_assert_i = of.top.los_release_i = 4;
  of.arrive(1);
  of.power(1, 1);
  EXPECT_EQ(of.top.bound_o[0], 1u) << "dim about to change";
  std::string seen = of.run(1);
  of.top.los_assert_i = 0;
  EXPECT_EQ(of.top.bound_o[0], 4u);
  seen += of.run(2);
  EXPECT_EQ(of.top.bound_o[0], 2u);
  of.move(2);
  EXPECT_EQ(of.top.bound_o[0], none) << "it is lost: nothing is counted";
  EXPECT_EQ(seen + of.run(2), "Uuuff");
  of.power(0, 0);
  of.move(1);
  of.top.los_release_i = 0;
  of.move(3);
  EXPECT_EQ(of.run(3), "FLU");
}

TEST(Detectors, CountTheLongestInOneStride) {
  Detectors of;
  of.top.los_assert_i = 0x3FFF'FFFF;
  of.arrive(1);
  of.power(1, 1);
  of.move(1);
  EXPECT_EQ(of.top.bound_o[0], 0x3FFF'FFFFu);
  of.move(0x3FFF'FFFE);
  EXPECT_EQ(of.run(2), "uf");
}

TEST(Detectors, GoByTheHysteresisWhileTheyAreDim) {
  Detectors of;
  of.top.los_assert_i = 3;
  of.arrive(1);
  of.power(0, 1);
  EXPECT_EQ(of.run(3), "UUU") << "above the threshold, and not dim";
  of.power(1, 1);
  of.move(1);
  of.power(0, 1);
  EXPECT_EQ(of.run(5), "uuuff") << "dim, until it is above both";
  of.power(0, 0);
  EXPECT_EQ(of.run(3), "fLU");
}

TEST(Detectors, AreAskedByNothingThatArrives) {
  Detectors of;
  of.top.los_assert_i = of.top.los_release_i = 100;
  of.power(0, 1);
  of.arrive(1);
  EXPECT_EQ(of.run(2), "UU") << "by the threshold alone";
  of.power(1, 1);
  of.move(1);
  of.move(2);
  of.arrive(1);  // with light, though it was dim and counted
  of.power(0, 1);
  EXPECT_EQ(of.run(2), "UU");
  for (const bool faulty : {false, true}) {
    (faulty ? of.top.faulty_new_i : of.top.low_new_i) = 1;
    of.arrive(1);
    EXPECT_EQ(of.top.state_i[0], failed);
    EXPECT_EQ(of.top.dim_o, 1) << "at once";
    of.top.faulty_new_i = of.top.low_new_i = 0;
    of.arrive(1);
    EXPECT_EQ(of.run(2), "UU") << "at once, too";
  }
}

TEST(Detectors, CountAnewAfterAnArrival) {
  Detectors of;
  of.top.los_assert_i = 4;
  of.arrive(1);
  of.power(1, 1);
  EXPECT_EQ(of.run(3), "Uuu");
  of.arrive(1);
  EXPECT_EQ(of.run(7), "Uuuuuff") << "five cycles of its own, whatever was counted";
}

TEST(Detectors, ShowLosAndDeadAtOnceWhileTheyAreOff) {
  Detectors of;
  of.top.light_i = 0;
  of.top.los_assert_i = of.top.los_release_i = 5;
  of.top.low_new_i = 1;
  of.arrive(1);
  of.power(1, 1);
  EXPECT_EQ(of.run(2), "UU") << "power doesn't matter";
  of.top.faulty_i = 1;
  EXPECT_EQ(of.run(3), "Uff");
  of.top.faulty_i = 0;
  EXPECT_EQ(of.run(3), "fLU");
  of.top.faulty_new_i = 1;
  of.arrive(1);
  EXPECT_EQ(of.run(1), "f");
}

TEST(Detectors, ForgetTheirCountsWhereTheyAreOff) {
  Detectors of;
  of.top.los_assert_i = 3;
  of.arrive(1);
  of.power(1, 1);
  std::string seen = of.run(3);
  of.top.light_i = 0;
  of.top.eval();
  EXPECT_EQ(of.top.bound_o[0], 1u);
  seen += of.run(2);
  EXPECT_EQ(of.top.bound_o[0], none);
  of.top.light_i = 1;
  EXPECT_EQ(seen + of.run(6), "UuuuUUuuuff") << "dim, and counts from the first cycle on again";
}

TEST(Detectors, AreNotDimWithoutACircuitOrWhereAMirrorIsStuck) {
  for (const CData state : {idle, tuning, failed}) {
    Detectors of;
    of.top.los_assert_i = 5;
    of.arrive(1);
    of.power(1, 1);
    of.move(1);
    of.move(1);
    of.leave(1, state);
    EXPECT_EQ(of.top.dim_o, 0) << int{state};
    EXPECT_EQ(of.top.bound_o[0], none) << int{state};
    EXPECT_EQ(of.run_lit(3), "...") << int{state};
    EXPECT_EQ(of.top.dim_o, 0) << int{state};
  }
  Detectors of;
  of.arrive(1);
  of.leave(1, held);
  EXPECT_EQ(of.run_lit(2), "**") << "HELD isn't one of them";
  of.top.faulty_i = 1;
  of.top.eval();
  EXPECT_EQ(of.run_lit(2), "..");
}

TEST(Detectors, RingAsOftenAsTheyShould) {
  Detectors of;
  of.top.los_assert_i = 10;
  of.top.rings_i = 2;
  of.top.ring_after_i = 2;
  of.top.ring_i = 1;
  of.arrive(1);
  EXPECT_EQ(of.top.bound_o[0], 2u);
  EXPECT_EQ(of.run_lit(10), "**.**.****");
  EXPECT_EQ(of.top.bound_o[0], none);
  of.arrive(1);
  EXPECT_EQ(of.run(10), "UUUuUUuUUU") << "dim in the cycle after";
  of.top.ring_after_i = 0;
  of.top.ring_i = 2;
  of.arrive(1);
  EXPECT_EQ(of.run_lit(7), "....***");
  of.top.rings_i = 255;
  of.top.ring_after_i = of.top.ring_i = 1;
  of.arrive(1);
  const std::string lit = of.run_lit(600);
  EXPECT_EQ(std::ranges::count(lit, '.'), 255);
  EXPECT_EQ(lit.rfind('.'), 509u);
}

TEST(Detectors, RingForTheLongest) {
  Detectors of;
  of.top.los_assert_i = 0x3FFF'FFFF;
  of.top.rings_i = 1;
  of.top.ring_after_i = of.top.ring_i = 0x3FFF'FFFF;
  of.arrive(1);
  EXPECT_EQ(of.top.bound_o[0], 0x3FFF'FFFFu);
  of.move(0x3FFF'FFFE);
  EXPECT_EQ(of.run_lit(2), "*.");
  EXPECT_EQ(of.top.bound_o[0], 0x3FFF'FFFEu);
  of.move(0x3FFF'FFFD);
  EXPECT_EQ(of.run_lit(2), ".*");
}

TEST(Detectors, TakeTheNumbersOfEachStretchWhereItBegins) {
  Detectors of;
  of.top.los_assert_i = 10;
  of.top.rings_i = 2;
  of.top.ring_after_i = 2;
  of.top.ring_i = 1;
  of.arrive(1);
  of.top.rings_i = 9;
  of.top.ring_after_i = 4;
  std::string seen = of.run_lit(1);
  of.top.ring_i = 3;
  EXPECT_EQ(seen + of.run_lit(14), "**...****...***") << "RINGS where it arrives";
  of.top.ring_i = 0;
  of.arrive(1);
  of.top.ring_i = 2;
  EXPECT_EQ(of.run_lit(6), "******") << "RING = 0 where it arrives: it doesn't swing";
  of.arrive(1);
  of.top.ring_i = 0;
  seen = of.run_lit(4);
  of.top.ring_i = 2;
  EXPECT_EQ(seen + of.run_lit(6), "**********") << "a stretch that begins with RING = 0 is the end of it";
}

TEST(Detectors, LoseAndFindLightWhereMirrorsRing) {
  Detectors of;
  of.top.los_assert_i = 1;
  of.top.rings_i = of.top.ring_after_i = 1;
  of.top.ring_i = 3;
  of.arrive(1);
  EXPECT_EQ(of.run(7), "UUuffLU");
  of.top.rings_i = 2;
  of.top.ring_after_i = 2;
  of.top.low_new_i = 1;
  of.power(1, 1);
  of.arrive(1);
  EXPECT_EQ(of.run_lit(11), "**...**...*") << "one that fails where it arrives swings as well";
}

TEST(Detectors, RingNoLongerThanTheyWork) {
  for (const int end : {0, 1, 2, 3}) {
    Detectors of;
    of.top.los_assert_i = 10;
    of.top.rings_i = 9;
    of.top.ring_after_i = of.top.ring_i = 2;
    of.arrive(1);
    of.move(2);
    of.top.rings_i = 0;
    switch (end) {
      case 0:
        of.leave(1, tuning);
        EXPECT_EQ(of.top.bound_o[0], none);
        of.arrive(1);
        break;
      case 1:
        of.leave(1, failed);
        EXPECT_EQ(of.top.bound_o[0], none);
        of.arrive(1);
        break;
      case 2:
        of.top.light_i = 0;
        of.top.eval();
        EXPECT_EQ(of.top.bound_o[0], 1u);
        of.move(1);
        of.top.light_i = 1;
        break;
      default:
        of.arrive(1);  // anew, with RINGS = 0
    }
    EXPECT_EQ(of.run_lit(6), "******") << end;
  }
}

TEST(Detectors, AreOfEachOutputByItself) {
  Detectors of;
  of.top.los_assert_i = 2;
  of.arrive(0b1111);
  of.power(0b0010, 0b0010);
  of.top.faulty_i = 0b0100;
  of.move(1);
  EXPECT_EQ(of.told_dim, 0b0110u) << "the edge shows the cycle after it";
  EXPECT_EQ(of.top.dim_o, 0b0110);
  EXPECT_EQ(of.top.lit_o, 0b1011);
  of.move(2);
  EXPECT_EQ(of.top.state_i[0], up);
  EXPECT_EQ(of.top.state_i[1], failed);
  EXPECT_EQ(of.top.state_i[2], failed);
  EXPECT_EQ(of.top.state_i[3], up);
}

TEST(Detectors, StandStillOnBusEdgesAndForgetAllAtAReset) {
  Detectors of;
  of.top.los_assert_i = 3;
  of.top.rings_i = 1;
  of.top.ring_after_i = 20;
  of.top.ring_i = 1;
  of.arrive(1);
  of.power(1, 1);
  of.move(0);
  EXPECT_EQ(of.told_dim, 0u);
  of.move(1);
  of.move(1);
  for (int n = 0; n < 3; ++n) of.move(0);
  EXPECT_EQ(of.told_dim, 1u);
  EXPECT_EQ(of.top.bound_o[0], 2u);
  of.top.rst_ni = 0;
  of.leave(1);
  of.top.rst_ni = 1;
  of.top.rings_i = 0;
  of.power(0, 0);
  of.top.eval();
  EXPECT_EQ(of.top.dim_o, 0);
  EXPECT_EQ(of.top.bound_o[0], none);
}

}  // namespace
}  // namespace ocs::test
