// The burst engines (section 8): rates, gaps and repeats, whatever strides they are moved in.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "Vocs_engines.h"
#include "Vocs_engines__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr std::uint64_t full = 40000;
constexpr unsigned off = 0, gap = 1, send = 2;

class Engines : public Bench<Vocs_engines, Vocs_engines__Syms> {
 public:
  Engines() {
    for (unsigned i = 0; i < 4; ++i) top.rate_i[i] = full;
  }
  /// One edge of `step` cycles with START and STOP. @return words that input 0 offers.
  std::uint32_t move(std::uint32_t step, bool start = false, bool stop = false) {
    top.step_i = step;
    top.start_i = start;
    top.stop_i = stop;
    top.eval();
    const std::uint32_t words = top.words_o[0];
    done = (top.done_o & 1) != 0;
    last = (top.last_o & 1) != 0;
    edge();
    top.step_i = top.start_i = top.stop_i = 0;
    top.eval();
    return words;
  }
  /// Cycle by cycle: a digit a word, '.' for none, '!' behind the cycle at whose end the burst is done.
  std::string run(int cycles) {
    std::string out;
    for (int n = 0; n < cycles; ++n) {
      const std::uint32_t words = move(1);
      out += words == 0 ? "." : std::to_string(words);
      if (done) out += "!";
    }
    return out;
  }
  void burst(std::uint32_t len, std::uint32_t gap_cycles, std::uint32_t repeat) {
    top.len_i[0] = len;
    top.gap_i[0] = gap_cycles;
    top.repeat_i[0] = repeat;
  }

  bool done = false, last = false;
};

TEST(Engines, SendAfterTheGapAndRepeatBoth) {
  Engines engines;
  engines.burst(2, 3, 1);
  engines.move(1, true);
  EXPECT_EQ(engines.run(11), "...11...11!.");
  engines.burst(2, 0, 2);
  engines.move(1, true);
  EXPECT_EQ(engines.run(7), "111111!.");
  EXPECT_EQ(engines.top.index_o[0], 6u);
}

TEST(Engines, SayWhichWordIsTheLastOneOfAllRepeats) {
  Engines engines;
  engines.burst(2, 1, 1);
  engines.move(1, true);
  std::string lasts;
  for (int n = 0; n < 7; ++n) {
    engines.move(1);
    lasts += engines.last ? "!" : ".";
  }
  EXPECT_EQ(lasts, ".....!.");
  engines.burst(1, 0, 0);
  engines.move(1, true);
  engines.move(1, true);  // a burst begins with the last word of the one before
  EXPECT_FALSE(engines.last);
  engines.move(1, false, true);  // stopped, and at its end all the same
  EXPECT_TRUE(engines.last);
  engines.move(1, true);
  engines.top.rate_i[0] = 0;
  engines.move(1, false, true);  // stopped before
  EXPECT_FALSE(engines.last);
  EXPECT_TRUE(engines.done);
}

TEST(Engines, OfferTheWordOfTheCycleOfStopAndAreDoneOnce) {
  Engines engines;
  engines.burst(3, 0, 0);
  engines.move(1, true);
  EXPECT_EQ(engines.move(1), 1u);
  EXPECT_EQ(engines.move(1, false, true), 1u);
  EXPECT_TRUE(engines.done);
  EXPECT_EQ(engines.move(1, false, true), 0u);
  EXPECT_FALSE(engines.done);
  EXPECT_EQ(engines.top.state_o[0], off);
}

TEST(Engines, RestartWithoutDoneAlsoWhereTheyFinishOrAreStopped) {
  for (const bool stop : {false, true}) {
    Engines engines;
    engines.burst(1, 0, 0);
    engines.move(1, true);
    EXPECT_EQ(engines.move(1, true, stop), 1u);  // its last word
    EXPECT_FALSE(engines.done);
    EXPECT_EQ(engines.top.state_o[0], send);
    EXPECT_EQ(engines.top.index_o[0], 0u);
  }
}

TEST(Engines, AreDoneAtOnceWithoutWords) {
  Engines engines;
  engines.burst(0, 5, 7);
  engines.move(1, true);
  EXPECT_TRUE(engines.done);
  EXPECT_EQ(engines.top.state_o[0], off);
}

TEST(Engines, WaitForTheGateButNotInTheGap) {
  Engines engines;
  engines.burst(2, 2, 0);
  engines.top.gated_i = 1;
  engines.move(1, true);
  EXPECT_EQ(engines.run(4), "....");
  EXPECT_EQ(engines.top.bound_o[0], 0xFFFF'FFFFu);
  engines.top.light_i = 1;
  EXPECT_EQ(engines.run(3), "11!.");
}

TEST(Engines, GiveThePinTheInputWhileExternalIsSet) {
  Engines engines;
  engines.burst(5, 0, 0);
  engines.move(1, true);
  engines.top.external_i = engines.top.valid_i = 1;
  engines.top.eval();
  EXPECT_EQ(engines.top.bound_o[0], 1u);
  EXPECT_EQ(engines.move(1), 1u);  // the engine's last one and the pin's are one
  EXPECT_TRUE(engines.done);
  EXPECT_EQ(engines.move(1, true), 1u);
  EXPECT_FALSE(engines.done);
  engines.top.valid_i = 0;
  EXPECT_EQ(engines.move(1, true), 0u);
  EXPECT_EQ(engines.top.state_o[0], off);
}

/// k open cycles offer floor((acc + k q) / D) words, however they are cut into steps below the bound.
TEST(Engines, KeepTheRateInEveryStride) {
  std::mt19937_64 random(1);
  for (const std::uint64_t q : {1, 2, 3, 1000, 4321, 19999, 20000, 32768, 32769, 39999, 40000, 40001, 65535}) {
    Engines engines;
    const std::uint32_t len = 1 + static_cast<std::uint32_t>(random() % 50);
    engines.burst(len, 0, 0);
    engines.top.rate_i[0] = static_cast<SData>(q);
    engines.move(1, true);
    std::uint64_t cycles = 0, words = 0;
    int edges = 0;
    while (engines.top.state_o[0] != off) {
      const std::uint32_t most = engines.top.bound_o[0];
      ASSERT_GE(most, 1u);
      const auto step = static_cast<std::uint32_t>(edges % 3 == 0 ? 1 + random() % most : most);
      words += engines.move(step);
      cycles += step;
      ++edges;
      ASSERT_EQ(words, cycles * std::min(q, full) / full) << q;
    }
    EXPECT_TRUE(engines.done);
    EXPECT_EQ(words, len);
    EXPECT_EQ(cycles, (len * full + std::min(q, full) - 1) / std::min(q, full)) << q;
    EXPECT_LT(edges, 200) << q;  // the bound closes in by halves
  }
}

TEST(Engines, StandStillAtRateZeroAndOnBusEdges) {
  Engines engines;
  engines.burst(1, 0, 0);
  engines.move(1, true);
  engines.top.rate_i[0] = 0;
  EXPECT_EQ(engines.move(0xFFFF'FFFF), 0u);
  engines.top.rate_i[0] = full;
  EXPECT_EQ(engines.move(0), 0u);
  EXPECT_EQ(engines.move(1), 1u);
}

TEST(Engines, CountTheLongestGapAndTheLongestBurst) {
  Engines engines;
  engines.burst(0xFFFF'FFFF, 0xFFFF'FFFF, 0);
  engines.move(1, true);
  EXPECT_EQ(engines.top.state_o[0], gap);
  EXPECT_EQ(engines.move(0xFFFF'FFFF), 0u);
  EXPECT_EQ(engines.move(0xFFFF'FFFF), 0xFFFF'FFFFu);
  EXPECT_TRUE(engines.done);
}

TEST(Engines, BoundAStepByAllOnesWhereTheRestTakesLonger) {
  Engines engines;
  engines.burst(0xFFFF'FFFF, 0, 0);
  engines.top.rate_i[0] = 1;
  engines.move(1, true);
  EXPECT_EQ(engines.top.bound_o[0], 0xFFFF'FFFFu);
  EXPECT_EQ(engines.move(0xFFFF'FFFF), 0xFFFF'FFFFu / full);
}

/// At full rate the t-th cycle is number t mod (gap + len) of a repeat: the closed form, for settings of 32 bits.
TEST(Engines, OfferTheWordsOfTheClosedFormAtSettingsOfEveryLength) {
  std::mt19937_64 random(1);
  const auto any = [&random] { return static_cast<std::uint32_t>(random()) >> random() % 32; };
  for (int round = 0; round < 100; ++round) {
    Engines engines;
    std::array<std::uint64_t, 4> len{}, gap_cycles{}, repeats{}, words{};
    for (unsigned i = 0; i < 4; ++i) {
      engines.top.len_i[i] = static_cast<IData>(len.at(i) = std::uint64_t{any()} | 1);
      engines.top.gap_i[i] = static_cast<IData>(gap_cycles.at(i) = any());
      engines.top.repeat_i[i] = static_cast<IData>(repeats.at(i) = any());
    }
    engines.top.start_i = 0xF;
    engines.top.step_i = 1;
    engines.edge();
    engines.top.start_i = 0;
    std::uint64_t cycles = 0;
    for (int edges = 0; edges < 40; ++edges) {
      std::uint32_t most = 0xFFFF'FFFF;
      for (unsigned i = 0; i < 4; ++i) most = std::min(most, static_cast<std::uint32_t>(engines.top.bound_o[i]));
      const std::uint32_t step = random() % 2 == 0 ? most : 1 + static_cast<std::uint32_t>(random() % most);
      engines.top.step_i = step;
      engines.top.eval();
      for (unsigned i = 0; i < 4; ++i) words.at(i) += engines.top.words_o[i];
      engines.edge();
      cycles += step;
      for (unsigned i = 0; i < 4; ++i) {
        const std::uint64_t period = gap_cycles.at(i) + len.at(i), whole = cycles / period, rest = cycles % period;
        const std::uint64_t due = whole * len.at(i) + (rest > gap_cycles.at(i) ? rest - gap_cycles.at(i) : 0);
        ASSERT_EQ(words.at(i), std::min(due, (repeats.at(i) + 1) * len.at(i))) << "round " << round << ", input " << i;
        ASSERT_EQ(engines.top.index_o[i], static_cast<IData>(words.at(i))) << "round " << round << ", input " << i;
      }
    }
  }
}

}  // namespace
}  // namespace ocs::test
