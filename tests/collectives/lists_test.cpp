// Lists of steps: what they do, which steps share circuits, and what is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/core/error.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::test {
namespace {

TEST(Lists, SumEveryNumberOnceForEveryNumberOfRanks) {
  for (int n = 2; n <= 33; ++n) EXPECT_NO_THROW(make_collective("ring", n)) << n;
  for (const int n : {2, 4, 8, 16, 32, 64}) {
    EXPECT_NO_THROW(make_collective("halving_doubling", n)) << n;
    EXPECT_NO_THROW(make_collective("recursive_doubling", n)) << n;
  }
}

TEST(Lists, OfTheRingAreNeighboursAndOneBlock) {
  const Collective three = ring(3);
  const std::vector<CollectiveStep> right = {{0, 0, 1, 0, 1, true},  {0, 1, 2, 1, 1, true},  {0, 2, 0, 2, 1, true},
                                             {1, 0, 1, 2, 1, true},  {1, 1, 2, 0, 1, true},  {1, 2, 0, 1, 1, true},
                                             {2, 0, 1, 1, 1, false}, {2, 1, 2, 2, 1, false}, {2, 2, 0, 0, 1, false},
                                             {3, 0, 1, 0, 1, false}, {3, 1, 2, 1, 1, false}, {3, 2, 0, 2, 1, false}};
  EXPECT_EQ(three.steps, right);
}

TEST(Lists, OfHalvingDoublingAreHalvesOfHalves) {
  std::vector<CollectiveStep> of_rank_1;
  for (const CollectiveStep& step : halving_doubling(4).steps)
    if (step.sender == 1) of_rank_1.push_back(step);
  const std::vector<CollectiveStep> right = {
      {0, 1, 3, 2, 2, true}, {1, 1, 0, 0, 1, true}, {2, 1, 0, 1, 1, false}, {3, 1, 3, 0, 2, false}};
  EXPECT_EQ(of_rank_1, right);
}

TEST(Lists, AreRefusedForOtherNumbersOfRanks) {
  EXPECT_EQ(refusal([] { make_collective("halving_doubling", 6); }),
            "halving_doubling is for 2, 4, 8, ... workers, not for 6");
  EXPECT_EQ(refusal([] { make_collective("recursive_doubling", 12); }),
            "recursive_doubling is for 2, 4, 8, ... workers, not for 12");
  EXPECT_EQ(refusal([] { make_collective("ring", 1); }), "ring is for 2 to 256 workers, not for 1");
  EXPECT_EQ(refusal([] { make_collective("rings", 4); }).substr(0, 8), "unknown ");
}

TEST(Lists, ThatAreWrongAreFoundOutByWhatTheyDo) {
  const auto verdict = [](const auto& spoil) {
    Collective one = ring(4);
    spoil(one);
    try {
      check(one);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing is wrong");
  };
  const std::string begin = "step 0 of a collective, rank 0 to rank 1, ";
  EXPECT_EQ(verdict([](Collective& c) { c.steps.pop_back(); }),
            "a collective leaves rank 0 with the sum of 3 of 4 ranks in block 2");
  EXPECT_EQ(verdict([](Collective& c) { c.steps[0].receiver = 4; }),
            "step 0 of a collective, rank 0 to rank 4, isn't between two of 4 ranks");
  EXPECT_EQ(verdict([](Collective& c) { c.steps[0].blocks = 5; }), begin + "has blocks beyond the 4");
  EXPECT_EQ(verdict([](Collective& c) { c.steps.insert(c.steps.begin(), c.steps.front()); }),
            begin + "uses a port twice");
  EXPECT_EQ(verdict([](Collective& c) { c.steps[0].step = 2; }),
            "step 2 of a collective, rank 0 to rank 1, follows step 0");
  EXPECT_NE(verdict([](Collective& c) { c.steps.back().adds = true; }).find("adds a number twice"), std::string::npos);
}

TEST(Blocks, AreAlikeButForAWord) {
  EXPECT_EQ(block_words(Words{14}, 4), (std::vector{Words{4}, Words{4}, Words{3}, Words{3}}));
  EXPECT_EQ(refusal([] { block_words(Words{3}, 4); }),
            "a model of 3 words can't be cut into 4 blocks; it must have a word for each");
}

std::size_t legs(const char* name, int n, std::int64_t words, std::int64_t lag = 1) {
  const Collective one = make_collective(name, n);
  return legs_of(one, block_words(Words{words}, one.blocks), lag).size();
}

TEST(Legs, AreOneOfTheRing) {
  EXPECT_EQ(legs("ring", 5, 1000), 1u);
  EXPECT_EQ(legs("ring", 5, 1003), 1u);
  EXPECT_EQ(legs("ring", 2, 2), 1u);
}

TEST(Legs, OfHalvingDoublingJoinTheTurnOver) {
  EXPECT_EQ(legs("halving_doubling", 8, 1000), 5u);
  EXPECT_EQ(legs("halving_doubling", 2, 1000), 1u);
  EXPECT_EQ(legs("recursive_doubling", 8, 1000), 3u);
}

/// What comes in must have come before it goes out again: blocks of 200 words, light that takes longer.
TEST(Legs, AreMoreWhereWordsComeTooLateToBePassedOn) {
  EXPECT_EQ(legs("ring", 5, 1000, 200), 1u);
  EXPECT_EQ(legs("ring", 5, 1000, 201), 8u);
  EXPECT_EQ(legs("halving_doubling", 4, 1000, 251), 4u);
}

TEST(Legs, CarryEveryStepsWords) {
  for (const char* name : {"ring", "halving_doubling", "recursive_doubling"}) {
    const Collective one = make_collective(name, 8);
    const auto sizes = block_words(Words{1003}, one.blocks);
    std::int64_t steps = 0, words = 0;
    for (const CollectiveStep& step : one.steps)
      for (std::uint32_t b = step.first; b < step.first + step.blocks; ++b) steps += sizes[b].n;
    for (const Leg& leg : legs_of(one, sizes, 1))
      for (const LegTransfer& transfer : leg.transfers) words += transfer.words.n;
    EXPECT_EQ(words, steps) << name;
  }
}

}  // namespace
}  // namespace ocs::test
