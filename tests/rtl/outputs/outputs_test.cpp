// The output state machines (sections 2 to 6): exact delays in every stride, draws, bus edges.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "Vocs_outputs.h"
#include "Vocs_outputs__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

class Outputs : public Bench<Vocs_outputs, Vocs_outputs__Syms> {
 public:
  void move(std::uint32_t step) {
    top.step_i = step;
    edge();
    top.step_i = top.commit_i = top.retry_i = top.seed_we_i = 0;
    top.eval();
  }
  void map(unsigned output, int input) {
    const unsigned bit = 1u << output;
    top.map_valid_i = static_cast<CData>(input < 0 ? top.map_valid_i & ~bit : top.map_valid_i | bit);
    if (input >= 0) top.map_input_i[output] = static_cast<CData>(input);
  }
  /// The letters of output o, one a cycle, from the present one on.
  std::string run(unsigned o, int cycles) {
    std::string out;
    for (int n = 0; n < cycles; ++n) {
      out += "ITLUHF"[top.state_o[o]];
      move(1);
    }
    return out;
  }
  /// As run(): whether the output is dim.
  std::string run_dim(unsigned o, int cycles) {
    std::string out;
    for (int n = 0; n < cycles; ++n) {
      out += (top.dim_o >> o & 1) != 0 ? 'd' : '-';
      move(1);
    }
    return out;
  }
  /// Another circuit, taken in a cycle.
  void commit(unsigned output, int input) {
    map(output, input);
    top.commit_i = 1;
    move(1);
  }
  std::uint32_t horizon() {
    std::uint32_t least = 0xFFFF'FFFF;
    for (unsigned o = 0; o < 4; ++o) least = std::min<std::uint32_t>(least, top.bound_o[o]);
    return least;
  }
};

TEST(Outputs, TuneAndLockExactlyAsLongAsTheyShould) {
  for (unsigned t = 0; t < 5; ++t) {
    for (unsigned l = 0; l < 5; ++l) {
      Outputs outputs;
      outputs.top.base_i[2] = t;
      outputs.top.lock_i[2] = l;
      outputs.map(2, 1);
      outputs.top.commit_i = 1;
      outputs.move(1);
      EXPECT_EQ(outputs.run(2, 10), (std::string(t, 'T') + std::string(l, 'L') + std::string(10, 'U')).substr(0, 10));
    }
  }
}

TEST(Outputs, TakeTheSumOfFourDelays) {
  Outputs outputs;
  constexpr std::uint32_t most = (1u << 30) - 1;
  outputs.top.base_i[0] = outputs.top.pair_i[0] = outputs.top.slow_i[0] = most;
  outputs.top.jitter_mask_i[0] = most;
  outputs.map(0, 3);
  outputs.top.commit_i = outputs.top.seed_we_i = 0;
  outputs.top.seed_we_i = 1;
  outputs.top.seed_i = 0x9E3779B8;  // makes the first generator 1, whose first draw is 270369
  outputs.move(0);
  outputs.top.commit_i = 1;
  outputs.move(1);
  EXPECT_EQ(outputs.top.bound_o[0], 3 * most + 270369);
  outputs.move(3 * most + 270368);
  EXPECT_EQ(outputs.run(0, 2), "TU");
}

TEST(Outputs, MoveInAnyStrideAsCycleByCycle) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Outputs unit, stride;
    for (Outputs* outputs : {&unit, &stride}) {
      std::mt19937 same(static_cast<unsigned>(round));
      for (unsigned o = 0; o < 4; ++o) {
        outputs->top.base_i[o] = same() % 9;
        outputs->top.lock_i[o] = same() % 5;
        outputs->top.flap_i[o] = same() % 7;
        outputs->map(o, static_cast<int>(same() % 4));
      }
      outputs->top.all_stop_i = round % 2;
      outputs->top.commit_i = 1;
      outputs->move(1);
    }
    for (int cycles = 0; cycles < 60;) {
      const std::uint32_t most = std::min<std::uint32_t>(stride.horizon(), 20);
      const auto step = static_cast<std::uint32_t>(1 + random() % most);
      stride.move(step);
      for (std::uint32_t k = 0; k < step; ++k) unit.move(1);
      cycles += static_cast<int>(step);
      for (unsigned o = 0; o < 4; ++o) {
        ASSERT_EQ(unit.top.state_o[o], stride.top.state_o[o]) << "round " << round << ", cycle " << cycles;
        ASSERT_EQ(unit.top.bound_o[o], stride.top.bound_o[o]) << "round " << round << ", cycle " << cycles;
      }
    }
  }
}

TEST(Outputs, KeepStillOnBusEdges) {
  Outputs outputs;
  outputs.top.base_i[0] = 2;
  outputs.map(0, 1);
  outputs.top.commit_i = 1;
  outputs.move(1);
  outputs.top.retry_i = 0xF;
  outputs.top.los_i = outputs.top.dead_i = 0xF;
  outputs.move(0);
  outputs.top.los_i = outputs.top.dead_i = 0;
  EXPECT_EQ(outputs.run(0, 3), "TTU");
}

TEST(Outputs, LoseLightByEitherEndAndComeBackWithBoth) {
  Outputs outputs;
  outputs.map(0, 1);
  outputs.top.commit_i = 1;
  outputs.move(1);
  for (const unsigned los : {0u, 2u}) {
    for (const unsigned dead : {0u, 1u, 2u, 3u}) {
      outputs.top.los_i = static_cast<CData>(los);
      outputs.top.dead_i = static_cast<CData>(dead);
      outputs.move(1);
      EXPECT_EQ(outputs.top.state_o[0], los + dead == 0 ? 3u : 5u) << los << dead;
      EXPECT_EQ(outputs.top.cause_o[0], los + dead == 0 ? 0u : 2u) << los << dead;
    }
  }
  outputs.top.los_i = outputs.top.dead_i = 0;
  EXPECT_EQ(outputs.run(0, 2), "FU");
}

TEST(Outputs, OfAStuckMirrorThatKeepsItsLightAreMisroutedToItsPosition) {
  constexpr unsigned stuck = 1, misrouted = 3;
  Outputs outputs;
  outputs.top.base_i[0] = 1;
  outputs.top.stuck_i = outputs.top.keeps_i = 1;
  outputs.commit(0, 1);
  EXPECT_EQ(outputs.run(0, 3), "TFF");
  EXPECT_EQ(outputs.top.cause_o[0], stuck) << "after reset there is no position to keep";
  EXPECT_EQ(outputs.top.misroutes_o, 0);
  outputs.top.stuck_i = 0;
  outputs.top.retry_i = 1;
  outputs.move(1);
  EXPECT_EQ(outputs.run(0, 2), "TU");
  outputs.top.stuck_i = 1;
  outputs.commit(0, 2);
  EXPECT_EQ(outputs.run(0, 2), "TF");
  EXPECT_EQ(outputs.top.cause_o[0], misrouted);
  EXPECT_EQ(outputs.top.position_o[0], 1) << "it is where it was";
  EXPECT_EQ(outputs.top.input_o[0], 2);
  EXPECT_EQ(outputs.top.misroutes_o, 1);
  outputs.commit(0, -1);
  outputs.commit(0, 1);
  EXPECT_EQ(outputs.run(0, 3), "TUU") << "a mirror that is there already isn't stuck";
  EXPECT_EQ(outputs.top.misroutes_o, 0);
  outputs.top.keeps_i = 0;
  outputs.commit(0, -1);
  outputs.commit(0, 1);
  EXPECT_EQ(outputs.run(0, 2), "TF");
  EXPECT_EQ(outputs.top.cause_o[0], stuck) << "without KEEPS it is";
}

TEST(Outputs, ShowTheirPositionUnlessAFaultTakesItsLight) {
  Outputs outputs;
  outputs.commit(0, 1);
  outputs.top.stuck_i = outputs.top.keeps_i = 1;
  outputs.commit(0, 2);
  const auto shows = [&](unsigned los, unsigned dead) {
    outputs.top.los_i = static_cast<CData>(los);
    outputs.top.dead_i = static_cast<CData>(dead);
    outputs.top.eval();
    return outputs.top.misroutes_o;
  };
  EXPECT_EQ(shows(0, 0), 1);
  EXPECT_EQ(shows(2, 0), 0) << "LOS of the position";
  EXPECT_EQ(shows(0, 2), 0) << "it is dead";
  EXPECT_EQ(shows(0, 1), 0) << "the output is dead";
  EXPECT_EQ(shows(0b1101, 0b1100), 1) << "others, the selection among them";
}

/// The table of section 6: LOS_ASSERT = 2, LOS_RELEASE = 1, LOCK = 1; in its cycle t the power falls.
TEST(Outputs, LoseLightByTheirDetectorsInTime) {
  for (const bool dims : {false, true}) {
    Outputs outputs;
    outputs.top.light_i = 1;
    outputs.top.los_assert_i = 2;
    outputs.top.los_release_i = 1;
    outputs.top.lock_i[0] = 1;
    outputs.commit(0, 1);
    ASSERT_EQ(outputs.run(0, 2), "LU");
    const auto run = [&](int cycles) { return dims ? outputs.run_dim(0, cycles) : outputs.run(0, cycles); };
    outputs.top.laser_i[1] = 0xFFFF;  // -0.01 dBm, and the threshold is 0
    std::string seen = run(6);
    EXPECT_EQ(outputs.top.cause_o[0], 2);
    outputs.top.laser_i[1] = 0;
    seen += run(4);
    EXPECT_EQ(seen, dims ? "-dddddd---" : "UUUFFFFFLU");
  }
}

TEST(Outputs, ThatArriveWithoutEnoughPowerFailAtOnce) {
  Outputs outputs;
  outputs.top.light_i = 1;
  outputs.top.los_assert_i = 100;
  outputs.top.base_i[0] = 1;
  outputs.top.threshold_i = static_cast<SData>(-1000);  // -10 dBm
  outputs.top.hysteresis_i = 500;
  outputs.top.laser_i[1] = 300;
  outputs.top.loss_i[0] = 1301;
  outputs.commit(0, 1);
  EXPECT_EQ(outputs.run(0, 2), "TF");
  EXPECT_EQ(outputs.top.cause_o[0], 2);
  EXPECT_EQ(outputs.top.dim_o, 1);
  EXPECT_EQ(outputs.top.power_o[0], static_cast<std::uint32_t>(-1001) & 0x3'FFFF);
  EXPECT_EQ(outputs.top.lit_o, 1) << "light is there, if not enough";
  outputs.top.loss_i[0] = 1300;
  EXPECT_EQ(outputs.run(0, 3), "FFF") << "it has to pass the hysteresis";
  outputs.commit(0, -1);
  outputs.commit(0, 1);
  EXPECT_EQ(outputs.run(0, 3), "TUU") << "not where it arrives";
  EXPECT_EQ(outputs.top.dim_o, 0);
}

TEST(Outputs, RingWhenTheyArrive) {
  Outputs outputs;
  outputs.top.light_i = 1;
  outputs.top.los_assert_i = 2;
  outputs.top.rings_i = 2;
  outputs.top.ring_after_i = 3;
  outputs.top.ring_i = 2;
  outputs.commit(0, 1);
  EXPECT_EQ(outputs.run_dim(0, 16), "----dd---dd-----") << "dim in the cycles after those without light";
  EXPECT_EQ(outputs.top.state_o[0], 3) << "each of the two is shorter than it takes to lose light";
  outputs.top.los_assert_i = 1;
  outputs.commit(0, 2);
  EXPECT_EQ(outputs.run(0, 16), "UUUUUFUUUUFUUUUU");
}

/// Lasers, faults, sticking mirrors and commits, all at the same instants.
TEST(Outputs, MoveInAnyStrideWithDetectorsAsCycleByCycle) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Outputs unit, stride;
    std::mt19937 same(static_cast<unsigned>(round));
    const auto both = [&](const auto& change) {
      const std::mt19937 draws = same;
      for (Outputs* outputs : {&unit, &stride}) {
        same = draws;
        change(outputs->top, *outputs);
      }
    };
    both([&](auto& top, Outputs& outputs) {
      top.light_i = 1;
      top.los_assert_i = same() % 6;
      top.los_release_i = same() % 6;
      top.rings_i = same() % 4;
      top.ring_after_i = same() % 5;
      top.ring_i = same() % 5;
      top.hysteresis_i = 2;
      for (unsigned o = 0; o < 4; ++o) {
        top.base_i[o] = same() % 9;
        top.lock_i[o] = same() % 5;
        outputs.commit(o, static_cast<int>(same() % 4));
      }
    });
    for (int cycles = 0; cycles < 100;) {
      both([&](auto& top, Outputs& outputs) {
        for (unsigned i = 0; i < 4; ++i) top.laser_i[i] = static_cast<SData>(same() % 8 - 1);
        top.los_i = same() % 6 == 0 ? 1u << same() % 4 : 0;
        top.light_i = same() % 9 != 0;
        top.stuck_i = top.keeps_i = static_cast<CData>(same() & same() & 0xF);
        if (same() % 3 == 0) outputs.commit(same() % 4, static_cast<int>(same() % 4));
        top.eval();
      });
      const std::uint32_t most = std::min<std::uint32_t>(stride.horizon(), 20);
      const auto step = static_cast<std::uint32_t>(1 + random() % most);
      stride.move(step);
      for (std::uint32_t k = 0; k < step; ++k) unit.move(1);
      cycles += static_cast<int>(step);
      ASSERT_EQ(unit.top.dim_o, stride.top.dim_o) << "round " << round << ", cycle " << cycles;
      ASSERT_EQ(unit.top.lit_o, stride.top.lit_o) << "round " << round << ", cycle " << cycles;
      ASSERT_EQ(unit.top.misroutes_o, stride.top.misroutes_o) << "round " << round << ", cycle " << cycles;
      for (unsigned o = 0; o < 4; ++o) {
        ASSERT_EQ(unit.top.state_o[o], stride.top.state_o[o]) << "round " << round << ", cycle " << cycles;
        ASSERT_EQ(unit.top.cause_o[o], stride.top.cause_o[o]) << "round " << round << ", cycle " << cycles;
        ASSERT_EQ(unit.top.bound_o[o], stride.top.bound_o[o]) << "round " << round << ", cycle " << cycles;
      }
    }
  }
}

}  // namespace
}  // namespace ocs::test
