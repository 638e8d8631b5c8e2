// Lists of steps: what they do, which steps share circuits, and what is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/core/error.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::test {
namespace {

Collective summing(std::string_view algorithm, int ranks) {
  return make_collective(CollectiveKind::all_reduce, algorithm, ranks);
}

/// make_collective() checks what a list does.
TEST(Lists, DoWhatTheyAreForWithEveryNumberOfRanks) {
  for (const CollectiveEntry& entry : collectives())
    for (int n = 2; n <= 33; n = n < 20 ? n + 1 : n + 12) {
      if (entry.power_of_two && (n & (n - 1)) != 0) continue;
      for (const std::uint32_t chunks : {1u, 5u})
        EXPECT_NO_THROW(make_collective(entry.kind, entry.name, n, chunks)) << name_of(entry.kind) << entry.name << n;
    }
}

TEST(Lists, OfTheRingAreNeighboursAndOneBlock) {
  const std::vector<CollectiveStep> right = {{{0, 1, {0}, true}, {1, 2, {1}, true}, {2, 0, {2}, true}},
                                             {{0, 1, {2}, true}, {1, 2, {0}, true}, {2, 0, {1}, true}},
                                             {{0, 1, {1}, false}, {1, 2, {2}, false}, {2, 0, {0}, false}},
                                             {{0, 1, {0}, false}, {1, 2, {1}, false}, {2, 0, {2}, false}}};
  EXPECT_EQ(summing("ring", 3).steps, right);
}

TEST(Lists, OfHalvingDoublingAreHalvesOfHalves) {
  CollectiveStep of_rank_1;
  for (const CollectiveStep& step : summing("halving_doubling", 4).steps) of_rank_1.push_back(step[1]);
  const CollectiveStep right = {{1, 3, {2, 3}, true}, {1, 0, {0}, true}, {1, 0, {1}, false}, {1, 3, {0, 1}, false}};
  EXPECT_EQ(of_rank_1, right);
}

TEST(Lists, AreRefusedForOtherNumbersOfRanks) {
  EXPECT_EQ(refusal([] { summing("halving_doubling", 6); }), "halving_doubling is for 2, 4, 8, ... workers, not for 6");
  EXPECT_EQ(refusal([] { summing("swing", 12); }), "swing is for 2, 4, 8, ... workers, not for 12");
  EXPECT_EQ(refusal([] { summing("ring", 1); }), "ring is for 2 to 256 workers, not for 1");
  EXPECT_EQ(refusal([] { make_collective(CollectiveKind::broadcast, "chain", 4, 0); }),
            "chain is cut into 1 to 65536 chunks, not into 0");
  EXPECT_EQ(refusal([] { make_collective(CollectiveKind::broadcast, "rings", 4); }),
            "unknown algorithm of broadcast \"rings\"; known: binomial, chain");
  EXPECT_EQ(refusal([] { collective_kind("all_to_none"); }),
            "unknown collective \"all_to_none\"; known: all_reduce, reduce_scatter, all_gather, all_to_all, broadcast");
}

TEST(Lists, ThatSendAllAtOnceAreOneLeg) {
  const Collective list = make_collective(CollectiveKind::all_to_all, "direct", 3);
  EXPECT_EQ(list.steps, make_collective(CollectiveKind::all_to_all, "linear", 3).steps);
  const std::vector<Leg> legs = legs_of(list, sizes_of(list, {{0, 1, 2}, {3, 0, 0}, {5, 6, 0}}), 1);
  ASSERT_EQ(legs.size(), 1u);
  EXPECT_EQ(legs[0].first, 0u);
  EXPECT_EQ(legs[0].last, 1u);
  const std::vector<LegTransfer> right = {
      {0, 1, Words{1}}, {0, 2, Words{2}}, {1, 0, Words{3}}, {2, 0, Words{5}}, {2, 1, Words{6}}};
  EXPECT_EQ(legs[0].transfers, right);
  EXPECT_FALSE(fits_one_map(legs[0]));
  EXPECT_TRUE(legs_of(list, sizes_of(list, Words{0}), 1).empty());
  const Collective pair = make_collective(CollectiveKind::all_to_all, "direct", 2);
  EXPECT_TRUE(fits_one_map(legs_of(pair, sizes_of(pair, Words{8}), 1).front()));
}

template <class Spoil>
std::string verdict(Collective one, const Spoil& spoil) {
  spoil(one);
  try {
    check(one);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing is wrong";
}

TEST(Lists, ThatAreWrongAreFoundOutByWhatTheyDo) {
  const auto of_ring = [](const auto& spoil) { return verdict(summing("ring", 4), spoil); };
  const std::string begin = "step 0 of a collective, rank 0 to rank 1, ";
  EXPECT_EQ(of_ring([](Collective& c) { c.steps.back().pop_back(); }),
            "a collective leaves rank 0 with the sum of 3 of 4 ranks in block 2");
  EXPECT_EQ(of_ring([](Collective& c) { c.steps[0][0].receiver = 4; }),
            "step 0 of a collective, rank 0 to rank 4, isn't between two of 4 ranks");
  EXPECT_EQ(of_ring([](Collective& c) { c.steps[0][0].blocks = {4}; }), begin + "has blocks beyond the 4");
  EXPECT_EQ(of_ring([](Collective& c) { c.steps[0][0].blocks = {}; }), begin + "has no blocks");
  EXPECT_EQ(of_ring([](Collective& c) { c.steps[0].push_back(c.steps[0].front()); }), begin + "uses a port twice");
  EXPECT_NE(of_ring([](Collective& c) { c.steps.back().back().adds = true; }).find("adds a number twice"),
            std::string::npos);
}

TEST(Lists, ThatSendWhatIsNotThereAreFoundOut) {
  const auto of = [](CollectiveKind kind, const char* algorithm, const auto& spoil) {
    return verdict(make_collective(kind, algorithm, 4), spoil);
  };
  EXPECT_EQ(of(CollectiveKind::all_to_all, "linear", [](Collective& c) { c.steps[0][0].blocks = {6}; }),
            "step 0 of a collective, rank 0 to rank 1, sends block 6, which isn't there");
  EXPECT_EQ(of(CollectiveKind::all_gather, "bruck", [](Collective& c) { std::swap(c.steps[0], c.steps[1]); }),
            "step 0 of a collective, rank 0 to rank 2, sends block 3, which isn't there");
  EXPECT_EQ(of(CollectiveKind::all_to_all, "pairwise", [](Collective& c) { c.steps.pop_back(); }),
            "a collective leaves rank 0 without block 12");
  EXPECT_EQ(of(CollectiveKind::broadcast, "chain", [](Collective& c) { c.steps[1][0].adds = true; }),
            "step 1 of a collective, rank 1 to rank 2, adds, but nothing is added in an all_gather, an all_to_all or a "
            "broadcast");
  EXPECT_EQ(of(CollectiveKind::all_to_all, "bruck", [](Collective& c) { c.at_once = true; }),
            "step 1 of a collective, rank 0 to rank 2, sends block 14, which it has to wait for");
  EXPECT_EQ(of(CollectiveKind::reduce_scatter, "ring", [](Collective& c) { c.homes[1] = 1; }),
            "a collective leaves rank 1 with the sum of 1 of 4 ranks in block 1");
}

TEST(Blocks, AreAlikeButForAWord) {
  EXPECT_EQ(block_words(Words{14}, 4), (std::vector{Words{4}, Words{4}, Words{3}, Words{3}}));
  EXPECT_EQ(block_words(Words{1}, 3), (std::vector{Words{1}, Words{0}, Words{0}}));
}

TEST(Blocks, OfAnAllToAllAreThoseOfEachRanksBufferOrOfAMatrix) {
  const Collective list = make_collective(CollectiveKind::all_to_all, "linear", 2);
  EXPECT_EQ(sizes_of(list, Words{5}), (std::vector{Words{3}, Words{2}, Words{3}, Words{2}}));
  EXPECT_EQ(sizes_of(list, {{9, 1}, {7, 9}}), (std::vector{Words{0}, Words{1}, Words{7}, Words{0}}));
  const std::string matrix = "a demand matrix is for an all_to_all, with a row and a column for each of its 2 ranks";
  EXPECT_EQ(refusal([&] { sizes_of(list, {{9, 1}}); }), matrix);
  EXPECT_EQ(refusal([] { sizes_of(summing("ring", 2), {{0, 1}, {1, 0}}); }), matrix);
}

TEST(Blocks, WithoutWordsAreLeftOutAndStepsKeepTheirNumbers) {
  const Collective list = make_collective(CollectiveKind::all_to_all, "linear", 3);
  const auto legs = legs_of(list, sizes_of(list, {{0, 0, 4}, {0, 0, 0}, {0, 0, 0}}), 1);
  ASSERT_EQ(legs.size(), 1u);
  EXPECT_EQ(legs[0].first, 1u);
  EXPECT_EQ(legs[0].transfers, (std::vector<LegTransfer>{{0, 2, Words{4}}}));
}

std::size_t legs(const char* name, int n, std::int64_t words, std::int64_t lag = 1) {
  const Collective one = summing(name, n);
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
    const Collective one = summing(name, 8);
    const auto sizes = block_words(Words{1003}, one.blocks);
    std::int64_t steps = 0, words = 0;
    for (const CollectiveStep& step : one.steps)
      for (const CollectiveTransfer& transfer : step)
        for (const std::uint32_t block : transfer.blocks) steps += sizes[block].n;
    for (const Leg& leg : legs_of(one, sizes, 1))
      for (const LegTransfer& transfer : leg.transfers) words += transfer.words.n;
    EXPECT_EQ(words, steps) << name;
  }
}

}  // namespace
}  // namespace ocs::test
