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

}  // namespace
}  // namespace ocs::test
