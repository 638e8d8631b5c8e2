// The bench that supplies words and compares them sees every way in which a data path can go wrong.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/word_bench.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace ocs {
namespace {

using Bits512 = std::array<std::uint32_t, 16>;

/// A switch of four ports as Verilator would show it: input 3 - o goes to output o, all are UP, every engine sends.
struct Crossbar {
  std::uint64_t time_o = 0;
  std::uint8_t offer_o = 0xF, up_o = 0xF, word_valid_o = 0;
  std::array<std::uint32_t, 4> index_o{};
  std::array<std::uint16_t, 4> tag_o{1, 2, 3, 4};
  std::array<std::uint8_t, 4> input_o{3, 2, 1, 0};
  std::array<Bits512, 4> word_i{}, word_o{};

  /// One cycle of a data path without fault.
  void cycle() {
    ++time_o;
    word_valid_o = 0;
    for (unsigned o = 0; o < 4; ++o) {
      if ((up_o >> o & 1) == 0 || (offer_o >> input_o.at(o) & 1) == 0) continue;
      word_valid_o = static_cast<std::uint8_t>(word_valid_o | 1u << o);
      word_o.at(o) = word_i.at(input_o.at(o));
    }
    for (unsigned i = 0; i < 4; ++i) index_o.at(i) += offer_o >> i & 1u;
  }

  WordPins pins() {
    return {.ports = 4,
            .mask_bytes = 1,
            .time_o = &time_o,
            .offer_o = &offer_o,
            .index_o = index_o.data(),
            .tag_o = tag_o.data(),
            .word_i = reinterpret_cast<unsigned char*>(word_i.data()),
            .up_o = &up_o,
            .input_o = input_o.data(),
            .word_valid_o = &word_valid_o,
            .word_o = reinterpret_cast<const unsigned char*>(word_o.data())};
  }
};

/// What the bench says when `fault` happens in the third cycle; "" if nothing.
std::string complaint(const std::function<void(Crossbar&)>& fault) {
  Crossbar top;
  WordBench bench(top.pins());
  try {
    for (int n = 0; n < 6; ++n) {
      bench.after_edge();
      top.cycle();
      if (n == 2) fault(top);
    }
    bench.after_edge();
  } catch (const Error& e) {
    return e.what();
  }
  EXPECT_EQ(bench.compared(), 24u);
  return "";
}

TEST(WordBench, SaysNothingWhenEveryWordArrives) {
  EXPECT_EQ(complaint([](Crossbar&) {}), "");
}

TEST(WordBench, SeesASingleBit) {
  for (unsigned bit = 0; bit < 512; ++bit)
    ASSERT_EQ(complaint([bit](Crossbar& top) { top.word_o[1].at(bit / 32) ^= 1u << bit % 32; }),
              "cycle 2: output 1 passed another word than that of input 2 (number 2)")
        << bit;
}

TEST(WordBench, SeesTheWordOfAnotherInputAndAnOldWord) {
  EXPECT_EQ(complaint([](Crossbar& top) { std::swap(top.word_o[0], top.word_o[2]); }),
            "cycle 2: output 0 passed another word than that of input 3 (number 2)");
  Bits512 old{};
  EXPECT_NE(complaint([&](Crossbar& top) {
              old = top.word_o[3];
              old[0] -= 1;
              top.word_o[3] = old;
            }),
            "");
}

TEST(WordBench, SeesAWordThatIsMissingAndOneTooMany) {
  EXPECT_EQ(complaint([](Crossbar& top) { top.word_valid_o = 0xB; }),
            "cycle 2: output 2 didn't pass the word of input 1 (number 2)");
  // In the third cycle output 0 is dark, and passes a word all the same.
  Crossbar top;
  WordBench bench(top.pins());
  top.up_o = 0xE;
  bench.after_edge();
  top.cycle();
  top.word_valid_o = 0xF;
  EXPECT_THROW(bench.after_edge(), Error);
}

TEST(WordBench, SeesAnEngineThatLeavesAWordOutOrOffersOneTwice) {
  EXPECT_EQ(complaint([](Crossbar& top) { top.index_o[2] += 1; }),
            "cycle 3: the engine of input 2 offers word 4, not 3");
  EXPECT_EQ(complaint([](Crossbar& top) { top.index_o[2] -= 1; }),
            "cycle 3: the engine of input 2 offers word 2, not 3");
}

TEST(WordBench, TakesAnOfferThatIsTakenBackAsNone) {
  Crossbar top;
  WordBench bench(top.pins());
  bench.after_edge();
  top.cycle();
  bench.after_edge();
  top.offer_o = 0xD;  // a register write has stopped engine 1 in this cycle
  bench.after_edge();
  top.cycle();
  bench.after_edge();
  top.offer_o = 0xF;
  for (int n = 0; n < 3; ++n) {
    EXPECT_NO_THROW(bench.after_edge());
    top.cycle();
  }
  EXPECT_EQ(top.index_o, (std::array<std::uint32_t, 4>{5, 4, 5, 5}));
}

TEST(WordBench, LooksAtAWordOnceThoughTheFabricStandsStill) {
  Crossbar top;
  WordBench bench(top.pins());
  bench.after_edge();
  top.cycle();
  for (int n = 0; n < 5; ++n) bench.after_edge();
  EXPECT_EQ(bench.compared(), 4u);
}

}  // namespace
}  // namespace ocs
