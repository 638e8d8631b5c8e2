// The whole switch at its pins with large numbers: constants, delays, bursts, leaps of every length arrive whole.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>

#include "ocs_regs.h"
#include "tests/rtl/top/switch.hpp"

#define REG(member) static_cast<std::uint32_t>(offsetof(ocs_regs_t, member))

namespace ocs::test {
namespace {

constexpr std::uint32_t wide_valid = OCS_REGS__PORT__SHADOWX__VALID_bm, all = 0xFFFF'FFFF, up = 3;

/// Every output selects the input of its number plus `shift`.
void connect(Switch& of, unsigned shift) {
  for (unsigned o = 0; o < 4; ++o) of.write(REG(port.SHADOW) + 4 * o, wide_valid | (o + shift) % 4);
  of.write(REG(core.COMMIT), 1);
  of.edge(1);
}

TEST(Wide, ConstantsAreThoseAtThePins) {
  for (const std::uint32_t bits : {all, 0x5A5A'A5A5u, 0u, 0xA5A5'5A5Au}) {
    Switch of;
    of.top.cycle_ps_i = bits;
    of.top.word_bytes_i = static_cast<SData>(bits);
    of.edge(0);
    EXPECT_EQ(of.read(REG(CYCLE_PS)), bits);
    EXPECT_EQ(of.read(REG(CAP_WORD)) & 0xFFFF, bits & 0xFFFF);
  }
}

TEST(Wide, LeapsAreAsLongAsAStepCanSay) {
  Switch of;
  EXPECT_EQ(of.top.horizon_o, all);
  for (std::uint64_t n = 1; n <= 5; ++n) {
    of.edge(all);
    EXPECT_EQ(of.top.time_o, n * all);
  }
  EXPECT_EQ(of.wide(REG(core.TIME)), std::uint64_t{5} * all);
}

TEST(Wide, DelaysOfEveryPairAddUpToTheCycle) {
  std::mt19937 random(1);
  Switch of;
  std::array<std::array<std::uint32_t, 4>, 4> pair{};
  for (unsigned round = 0; round < 40; ++round) {
    for (unsigned o = 0; o < 4; ++o) {
      pair.at(o).at((o + round) % 4) = (static_cast<std::uint32_t>(random()) & 0x3FFF'FFFFu) >> random() % 30;
      of.write(REG(PAIR) + 1024 * o + 4 * ((o + round) % 4), pair.at(o).at((o + round) % 4));
      of.write(REG(port.BASE) + 4 * o, 5);
    }
    const std::uint64_t before = of.top.time_o;
    connect(of, round);
    for (unsigned o = 0; o < 4; ++o) {
      std::uint32_t tuning = 5 + pair.at(o).at((o + round) % 4);
      for (unsigned other = 0; other < o; ++other)
        if (5 + pair.at(other).at((other + round) % 4) > tuning) tuning = 0;  // it has come up with a longer one
      if (tuning == 0) continue;
      while (of.top.time_o < before + tuning)
        of.edge(static_cast<IData>(std::min<std::uint64_t>(of.top.horizon_o, before + tuning - of.top.time_o)));
      EXPECT_EQ(of.read(REG(port.STATE) + 4 * o) & 7, 1u) << "round " << round << ", output " << o;
      of.edge(1);
      EXPECT_EQ(of.read(REG(port.STATE) + 4 * o) & 7, up) << "round " << round << ", output " << o;
    }
  }
}

TEST(Wide, WordsOfBurstsOfAnyLengthAreCounted) {
  std::mt19937 random(2);
  Switch of;
  connect(of, 1);
  std::array<std::uint64_t, 4> sent{};
  for (unsigned round = 0; round < 30; ++round) {
    std::uint32_t longest = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t words = 1 + (static_cast<std::uint32_t>(random()) >> random() % 31);
      of.write(REG(port.LEN) + 4 * i, words);
      sent.at(i) += words;
      longest = std::max(longest, words);
    }
    of.write(REG(core.START), 0xF);
    of.edge(1);
    const std::uint64_t end = of.top.time_o + longest;
    while (of.top.time_o < end)
      of.edge(static_cast<IData>(std::min<std::uint64_t>(of.top.horizon_o, end - of.top.time_o)));
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(of.wide(REG(port.SENT) + 8 * i), sent.at(i));
      EXPECT_EQ(of.wide(REG(port.PASSED) + 8 * ((i + 3) % 4)), sent.at(i));
    }
  }
}

TEST(Wide, SegmentsBeginAndCountAtAnyNumber) {
  std::mt19937 random(3);
  Switch of;
  connect(of, 0);
  unsigned shift = 0;
  std::uint64_t index = 0;
  for (unsigned i = 0; i < 4; ++i) {
    of.write(REG(port.LEN) + 4 * i, all);
    of.write(REG(port.REPEAT) + 4 * i, all);
  }
  of.write(REG(core.START), 0xF);
  of.edge(1);
  for (unsigned round = 0; round < 60; ++round) {
    std::uint32_t words = 1 + (static_cast<std::uint32_t>(random()) >> random() % 31);
    const std::uint64_t first = index;
    index += words;
    while (words > 1) {
      const std::uint32_t step = std::min<std::uint32_t>(words - 1, of.top.horizon_o);
      of.edge(step);
      words -= step;
    }
    connect(of, ++shift);
    for (unsigned o = 0; o < 4; ++o) {
      EXPECT_EQ(of.read(REG(port.SEG_FIRST) + 4 * o), static_cast<std::uint32_t>(first)) << "round " << round;
      EXPECT_EQ(of.read(REG(port.SEG_COUNT) + 4 * o), static_cast<std::uint32_t>(index - first)) << "round " << round;
    }
    of.write(REG(core.SEG_FULL), 0xF);
  }
}

TEST(Wide, InterruptsHaveThreeSourcesEachWithItsEnable) {
  Switch of;
  of.write(REG(port.SHADOW), wide_valid | 1);
  for (int n = 0; n < 66; ++n) {  // more records than have room
    of.write(REG(core.COMMIT), 1);
    of.edge(1);
  }
  of.write(REG(port.SHADOW), wide_valid | 4);
  of.write(REG(core.COMMIT), 1);
  of.edge(1);
  EXPECT_EQ(of.read(REG(core.IRQ_STATUS)), 7u);
  for (unsigned enabled = 0; enabled < 8; ++enabled) {
    of.write(REG(IRQ_ENABLE), enabled);
    EXPECT_EQ(of.top.irq_o, enabled != 0) << enabled;
  }
}

}  // namespace
}  // namespace ocs::test
