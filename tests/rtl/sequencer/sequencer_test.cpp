// The sequencer (section 9): entries, banks, wraps and lateness in a bank of four.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "Vocs_sequencer.h"
#include "Vocs_sequencer__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

class Sequencer : public Bench<Vocs_sequencer, Vocs_sequencer__Syms> {
 public:
  /// Entry of the idle bank; its map connects output `entry % 4` to `input`.
  void store(unsigned entry, std::uint32_t offset, unsigned input, unsigned launch = 0) {
    top.store_i = 1;
    top.entry_i = static_cast<CData>(entry);
    top.offset_i = offset;
    top.launch_i = static_cast<CData>(launch);
    top.map_valid_i = static_cast<CData>(1u << entry % 4);
    top.map_input_i[entry % 4] = static_cast<SData>(input);
    edge();
    top.store_i = 0;
  }
  void go(std::uint64_t base, unsigned len, std::uint32_t period) {
    top.base_i = base;
    top.len_i = static_cast<SData>(len);
    top.period_i = period;
    top.seq_go_i = 1;
  }
  /// One cycle: the input of the entry that is taken, "L" before it if late, "W" behind it at a wrap, "+n" a launch.
  std::string cycle() {
    top.go_i = 1;
    top.last_i = top.time_i = now++;
    top.eval();
    std::string out;
    if (top.due_o != 0) {
      out = top.late_o != 0 ? "L" : "";
      for (unsigned o = 0; o < 4; ++o)
        if ((top.row_valid_o >> o & 1) != 0) out += std::to_string(top.row_input_o[o]);
      if (top.tag_o != 0) out += "#" + std::to_string(top.tag_o);
      if (top.launch_o != 0) out += "+" + std::to_string(top.launch_o);
      if (top.wrap_o != 0) out += "W";
    }
    edge();
    top.go_i = top.seq_go_i = top.seq_swap_i = top.seq_stop_i = 0;
    top.eval();
    return out.empty() ? "." : out;
  }
  std::string run(int cycles) {
    std::string out;
    for (int n = 0; n < cycles; ++n) out += (n == 0 ? "" : " ") + cycle();
    return out;
  }
  std::uint64_t now = 0;
};

TEST(Sequencer, KnowsTheTagOfEachEntry) {
  Sequencer of;
  for (unsigned entry = 0; entry < 2; ++entry) {
    of.top.tag_i = static_cast<CData>(entry == 0 ? 5 : 63);
    of.store(entry, entry, entry);
  }
  of.top.tag_i = 1;
  of.go(1, 2, 4);
  EXPECT_EQ(of.run(7), ". 0#5 1#63W . . 0#5 1#63W");
}

TEST(Sequencer, TakesEntriesInTheirCyclesFromTheOneAfterGo) {
  Sequencer sequencer;
  sequencer.store(0, 0, 1);
  sequencer.store(1, 2, 2, 5);
  sequencer.store(2, 2, 3);
  sequencer.go(1, 3, 0);
  EXPECT_EQ(sequencer.run(6), ". 1 . 2+5 L3 .");
  EXPECT_EQ(sequencer.top.running_o, 0);
}

TEST(Sequencer, LoopsByItsPeriodWhateverWasLate) {
  Sequencer sequencer;
  sequencer.store(0, 0, 1);
  sequencer.store(1, 1, 2);
  sequencer.go(2, 2, 3);
  EXPECT_EQ(sequencer.run(10), ". . 1 2W . 1 2W . 1 2W");
}

TEST(Sequencer, NeverRunsBeyondTheBank) {
  Sequencer sequencer;
  for (unsigned e = 0; e < 4; ++e) sequencer.store(e, 0, e);
  sequencer.go(0, 0xFFFF, 0);
  EXPECT_EQ(sequencer.run(7), ". L0 L1 L2 L3 . .");
}

TEST(Sequencer, ExchangesBanksOnceAWrapHoweverManySwapsItServes) {
  Sequencer sequencer;
  sequencer.store(0, 0, 1);
  sequencer.go(1, 1, 2);
  sequencer.cycle();
  sequencer.store(0, 0, 7);
  EXPECT_EQ(sequencer.run(2), "1W .");
  sequencer.top.seq_swap_i = 1;
  EXPECT_EQ(sequencer.run(3), "1W . 7W");  // asked for in the cycle of the wrap
  sequencer.top.seq_swap_i = 1;
  sequencer.cycle();
  sequencer.top.seq_swap_i = 1;
  EXPECT_EQ(sequencer.run(5), "7W . 1W . 1W");
}

TEST(Sequencer, TakesTheIdleBankAtGoAlsoAtAWrapThatServesASwap) {
  Sequencer sequencer;
  sequencer.store(0, 0, 1);
  sequencer.go(1, 1, 2);
  sequencer.cycle();
  sequencer.store(0, 0, 7);
  sequencer.cycle();
  sequencer.top.seq_swap_i = 1;
  sequencer.cycle();
  sequencer.go(4, 1, 0);  // acts in the cycle of the wrap, which exchanges the banks before it
  EXPECT_EQ(sequencer.run(3), "1W 1 .");
}

TEST(Sequencer, CountsTimesModuloTwoToThe64) {
  Sequencer sequencer;
  sequencer.store(0, 5, 3);
  sequencer.go(0xFFFF'FFFF'FFFF'FFFE, 1, 0);
  EXPECT_EQ(sequencer.run(5), ". . . 3 .");
}

TEST(Sequencer, BoundsTheStepByTheNextEntry) {
  Sequencer sequencer;
  sequencer.store(0, 0xFFFF'FFFF, 3);
  EXPECT_EQ(sequencer.top.bound_o, 0xFFFF'FFFFu);
  sequencer.go(10, 1, 0);
  sequencer.cycle();
  sequencer.top.time_i = 1;
  sequencer.top.eval();
  EXPECT_EQ(sequencer.top.bound_o, 0xFFFF'FFFFu);
  sequencer.top.time_i = 20;
  sequencer.top.eval();
  EXPECT_EQ(sequencer.top.bound_o, 0xFFFF'FFF6u);
}

/// Entries of any offset, map and launch come at their times, as they were stored.
TEST(Sequencer, KeepsEveryBitOfItsEntries) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100; ++round) {
    Sequencer sequencer;
    struct Entry {
      std::uint32_t offset;
      CData launch, valid;
      std::array<SData, 4> input;
    };
    std::array<Entry, 4> entries{};
    const unsigned len = 1 + static_cast<unsigned>(random() % 4);
    const auto period = static_cast<std::uint32_t>(random());
    const std::uint64_t base = random();
    for (unsigned e = 0; e < len; ++e) {
      Entry& entry = entries.at(e);
      entry.offset = static_cast<std::uint32_t>(random());
      entry.launch = static_cast<CData>(random() % 16);
      entry.valid = static_cast<CData>(random() % 16);
      for (unsigned o = 0; o < 4; ++o) sequencer.top.map_input_i[o] = entry.input.at(o) = random() % 512;
      sequencer.top.store_i = 1;
      sequencer.top.entry_i = static_cast<CData>(e);
      sequencer.top.offset_i = entry.offset;
      sequencer.top.launch_i = entry.launch;
      sequencer.top.map_valid_i = entry.valid;
      sequencer.edge();
      sequencer.top.store_i = 0;
    }
    sequencer.now = base - 1;
    sequencer.go(base, len, period);
    sequencer.cycle();
    for (unsigned k = 0; k < 3 * len; ++k) {
      if (period == 0 && k == len) break;
      const Entry& entry = entries.at(k % len);
      sequencer.top.time_i = sequencer.top.last_i = base + std::uint64_t{k / len} * period + entry.offset;
      sequencer.top.go_i = 1;
      sequencer.top.eval();
      ASSERT_EQ(sequencer.top.due_o, 1) << round;
      EXPECT_EQ(sequencer.top.late_o, 0) << round;
      EXPECT_EQ(sequencer.top.row_valid_o, entry.valid);
      EXPECT_EQ(sequencer.top.launch_o, entry.launch);
      for (unsigned o = 0; o < 4; ++o) EXPECT_EQ(sequencer.top.row_input_o[o], entry.input.at(o));
      sequencer.edge();
    }
  }
}

}  // namespace
}  // namespace ocs::test
