// Segments (section 8): what cuts a run of passed words, what is kept of it, and when a bit is full.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <tuple>

#include "Vocs_segments.h"
#include "Vocs_segments__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

/// Four ports; output 2 selects input 1, whose words have running numbers and tag 9, and passes them.
class Segments : public Bench<Vocs_segments, Vocs_segments__Syms> {
 public:
  Segments() {
    top.passes_i = top.passes_next_i = 4;
    top.input_i[2] = 1;
    top.valid_i = 4;
    top.tag_i[1] = 9;
  }
  /// An edge with so many words. @return whether a full segment was overwritten.
  bool words(unsigned count) {
    top.go_i = 1;
    top.words_i[1] = count;
    top.index_i[1] = index_;
    index_ += count;
    top.eval();
    const bool overrun = top.overrun_o != 0;
    whole = top.whole_o;
    edge();
    top.go_i = top.entered_i = top.ending_i = top.last_i = top.clear_i = 0;
    top.passes_i = top.passes_next_i;
    top.eval();
    return overrun;
  }
  /// Input, tag, first index, words of output 2's last segment.
  std::tuple<unsigned, unsigned, unsigned, unsigned> last() {
    return {top.input_o[2], top.tag_o[2], top.first_o[2], top.count_o[2]};
  }

  /// As words(), at the end of the burst. @return inputs whose burst was whole.
  unsigned end(unsigned count) {
    top.ending_i = top.last_i = 2;
    words(count);
    return whole;
  }
  void begin(unsigned index) { index_ = index; }

  unsigned whole = 0;

 private:
  unsigned index_ = 100;
};

TEST(Segments, AreCutWhereTheOutputLeavesUpOrEntersItAnew) {
  for (const unsigned next : {0u, 4u}) {
    Segments of;
    of.words(3);
    of.words(0);
    of.words(2);
    EXPECT_EQ(of.top.full_o, 0);
    of.top.passes_next_i = next;
    of.top.entered_i = 4;
    EXPECT_FALSE(of.words(1));
    EXPECT_EQ(of.top.full_o, 4);
    EXPECT_EQ(of.last(), std::tuple(1u, 9u, 100u, 6u));
  }
}

TEST(Segments, AreCutWhereTheEngineOfTheirInputEndsOrStartsAlone) {
  Segments of;
  of.top.ending_i = 1;  // that of another input
  of.words(4);
  EXPECT_EQ(of.top.full_o, 0);
  of.top.ending_i = 2;
  of.words(1);
  EXPECT_EQ(of.top.full_o, 4);
  EXPECT_EQ(of.last(), std::tuple(1u, 9u, 100u, 5u));
}

/// An output that is disturbed or dim stays UP: no state is entered, where it begins and where it ends.
TEST(Segments, AreCutWhereAnOutputThatStaysUpPassesNoWordsForAWhile) {
  Segments of;
  of.words(3);
  of.top.passes_next_i = 0;
  EXPECT_FALSE(of.words(2));
  EXPECT_EQ(of.top.full_o, 4);
  EXPECT_EQ(of.last(), std::tuple(1u, 9u, 100u, 5u));
  of.words(7);  // lost
  of.top.passes_next_i = 4;
  of.words(1);  // lost, too
  of.words(4);
  EXPECT_EQ(of.last(), std::tuple(1u, 9u, 100u, 5u)) << "what passes again is another segment, which grows";
  of.top.passes_next_i = 0;
  EXPECT_TRUE(of.words(1));
  EXPECT_EQ(of.last(), std::tuple(1u, 9u, 113u, 5u));
}

TEST(Segments, OfABurstThatEndsWhileTheOutputPassesNothingAreNotWhole) {
  Segments of;
  of.top.brief_i = 1;
  of.begin(0);
  of.words(3);
  of.top.passes_next_i = 0;
  of.words(1);
  EXPECT_EQ(of.last(), std::tuple(1u, 9u, 0u, 4u));
  EXPECT_EQ(of.end(2), 0u);
  EXPECT_EQ(of.top.full_o, 4);
  EXPECT_EQ(of.last(), std::tuple(1u, 9u, 0u, 4u));
}

TEST(Segments, AreNotReportedWithoutAWord) {
  Segments of;
  of.top.ending_i = 2;
  of.words(0);
  EXPECT_EQ(of.top.full_o, 0);
  of.top.passes_next_i = 0;
  of.top.entered_i = 4;
  of.words(0);
  of.words(7);  // lost in TUNING
  of.top.passes_next_i = 4;
  of.top.entered_i = 4;
  of.words(7);
  EXPECT_EQ(of.top.full_o, 0);
  of.top.ending_i = 2;
  of.words(1);
  EXPECT_EQ(of.last(), std::tuple(1u, 9u, 114u, 1u));
}

TEST(Segments, OfWholeBurstsAreWrittenButNotFull) {
  Segments of;
  of.top.brief_i = 1;
  of.begin(0);
  of.words(3);
  EXPECT_EQ(of.end(2), 2u);
  EXPECT_EQ(of.top.full_o, 0);
  EXPECT_EQ(of.last(), std::tuple(1u, 9u, 0u, 5u));
  of.begin(1);  // the first word didn't pass
  EXPECT_EQ(of.end(4), 0u);
  EXPECT_EQ(of.top.full_o, 4);
  of.begin(0);
  of.top.brief_i = 0;
  EXPECT_EQ(of.end(4), 0u);
}

TEST(Segments, AreOfAWholeBurstIfEveryOutputOfItsInputHasPassedIt) {
  for (const bool other_passes : {false, true}) {
    Segments of;
    of.top.brief_i = 1;
    of.begin(0);
    of.top.valid_i = 5;  // output 0 selects input 1, too
    of.top.input_i[0] = 1;
    of.top.passes_i = of.top.passes_next_i = other_passes ? 5 : 4;
    EXPECT_EQ(of.end(4), other_passes ? 2u : 0u);
    EXPECT_EQ(of.top.full_o, other_passes ? 0u : 4u);
  }
  Segments of;
  of.top.brief_i = 1;
  of.begin(0);
  of.top.passes_i = of.top.passes_next_i = 0;
  of.top.valid_i = 0;  // nothing selects it
  EXPECT_EQ(of.end(4), 0u);
}

TEST(Segments, OverrunWhenTheLastOneIsFullAndStayFullWhenClearedAtThatEdge) {
  Segments of;
  of.top.ending_i = 2;
  EXPECT_FALSE(of.words(1));
  of.top.ending_i = 2;
  EXPECT_TRUE(of.words(2));
  EXPECT_EQ(of.last(), std::tuple(1u, 9u, 101u, 2u));
  of.top.ending_i = 2;
  of.top.clear_i = 4;
  EXPECT_TRUE(of.words(3));
  EXPECT_EQ(of.top.full_o, 4);
  of.top.clear_i = 4;
  of.edge();  // a bus edge clears, too
  EXPECT_EQ(of.top.full_o, 0);
  EXPECT_EQ(of.last(), std::tuple(1u, 9u, 103u, 3u));
}

/// Bursts of any index and length, each ended by its engine alone, at once or after many words.
TEST(Segments, KeepEveryBitOfIndexAndCount) {
  std::mt19937 random(1);
  Bench<Vocs_segments, Vocs_segments__Syms> of;
  std::array<unsigned, 4> first{}, count{}, index{};
  of.top.passes_i = of.top.passes_next_i = 0xF;
  for (unsigned o = 0; o < 4; ++o) of.top.input_i[o] = 3 - o;
  for (int n = 0; n < 400; ++n) {
    of.top.go_i = 1;
    of.top.ending_i = static_cast<CData>(random() & random() & 0xF);
    of.top.clear_i = static_cast<CData>(random() & 0xF);
    for (unsigned o = 0; o < 4; ++o) {
      const unsigned in = 3 - o;
      const auto words = static_cast<unsigned>(random() >> (2 + random() % 30));
      of.top.words_i[in] = words;
      of.top.index_i[in] = index.at(o);
      of.top.tag_i[in] = static_cast<SData>(in * 0x5555);
      if (count.at(o) == 0) first.at(o) = index.at(o);
      count.at(o) += words;
      index.at(o) += words;
    }
    of.edge();
    for (unsigned o = 0; o < 4; ++o) {
      if ((of.top.ending_i >> (3 - o) & 1) == 0) continue;
      index.at(o) = static_cast<unsigned>(random());  // that of another burst
      if (count.at(o) == 0) continue;
      ASSERT_EQ(of.top.first_o[o], first.at(o)) << n;
      ASSERT_EQ(of.top.count_o[o], count.at(o)) << n;
      ASSERT_EQ(of.top.input_o[o], 3 - o);
      ASSERT_EQ(of.top.tag_o[o], (3 - o) * 0x5555);
      count.at(o) = 0;
    }
  }
}

}  // namespace
}  // namespace ocs::test
