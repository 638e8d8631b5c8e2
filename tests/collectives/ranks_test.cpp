// Ranks as nodes: what they hold after a collective, over every kind of runner, and that something missing is noticed.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/collective_job.hpp"
#include "testbed/collectives/rank_steps.hpp"
#include "tests/nodes/fake_network.hpp"

namespace ocs::test {
namespace {

using testing::HasSubstr;

CollectiveSpec spec_of(CollectiveKind kind, std::string_view name, int ranks, std::int64_t words, PayloadMode payload) {
  CollectiveSpec spec;
  spec.list = make_collective(kind, name, ranks, 3);
  spec.sizes = sizes_of(spec.list, Words{words});
  spec.legs = legs_of(spec.list, spec.sizes, 1);
  spec.iterations = 2;
  spec.compute = [](std::size_t w, std::uint32_t) { return Picos{static_cast<std::int64_t>(1000 * w)}; };
  spec.payload = payload;
  spec.seed = 7;
  return spec;
}

CollectiveSpec spec_of(std::string_view name, int ranks, std::int64_t words, PayloadMode payload) {
  return spec_of(CollectiveKind::all_reduce, name, ranks, words, payload);
}

CollectiveResult run(const CollectiveSpec& spec) {
  FakeNetwork network(spec.word_bytes);
  return run_collective_job(spec, network);
}

TEST(Ranks, HaveWhatTheirCollectivePromises) {
  for (const CollectiveEntry& entry : collectives())
    for (const PayloadMode payload : {PayloadMode::full, PayloadMode::digest, PayloadMode::none}) {
      const CollectiveResult result = run(spec_of(entry.kind, entry.name, 8, 20'003, payload));
      EXPECT_EQ(result.job.crc_errors + result.job.sum_errors, 0) << entry.name << name_of(payload);
      EXPECT_EQ(result.ends.size(), 2u);
      EXPECT_EQ(result.job.chunks > 0, payload != PayloadMode::none) << entry.name << name_of(payload);
    }
}

TEST(Ranks, HaveTheirSumsWithBlocksOfAWordAndOfManyChunks) {
  for (const CollectiveEntry& entry : collectives())
    for (const std::int64_t words : {8, 9, 15, 250'000}) {
      const CollectiveResult result = run(spec_of(entry.kind, entry.name, 8, words, PayloadMode::full));
      EXPECT_EQ(result.job.crc_errors + result.job.sum_errors, 0) << entry.name << words;
    }
}

/// Blocks without words are left out, of steps as of what is compared.
TEST(Ranks, HaveFewerWordsThanBlocks) {
  for (const CollectiveEntry& entry : collectives())
    for (const PayloadMode payload : {PayloadMode::full, PayloadMode::digest}) {
      const CollectiveResult result = run(spec_of(entry.kind, entry.name, 8, 3, payload));
      EXPECT_EQ(result.job.crc_errors + result.job.sum_errors, 0) << entry.name;
    }
}

TEST(Ranks, AreThereInAnyNumber) {
  for (const int ranks : {2, 3, 5, 33}) {
    const CollectiveResult result = run(spec_of("ring", ranks, 1'000, PayloadMode::full));
    EXPECT_EQ(result.job.crc_errors + result.job.sum_errors, 0) << ranks;
  }
}

TEST(Ranks, TakeTheSameTimeOverSockets) {
  const CollectiveResult none = run(spec_of("halving_doubling", 8, 20'000, PayloadMode::none));
  for (const char* endpoint : {"inproc://node-", "ipc://@lightloop-test-ranks-"}) {
    CollectiveSpec spec = spec_of("halving_doubling", 8, 20'000, PayloadMode::full);
    spec.endpoint = endpoint;
    const CollectiveResult result = run(spec);
    EXPECT_EQ(result.job.end, none.job.end) << endpoint;
    EXPECT_EQ(result.begins, none.begins) << endpoint;
    EXPECT_EQ(result.job.words_delivered, none.job.words_delivered) << endpoint;
    EXPECT_EQ(result.job.sum_errors, 0) << endpoint;
  }
}

/// The last step is left out of the list, so some ranks keep what they had.
TEST(Ranks, NoticeAStepThatIsMissing) {
  for (const CollectiveEntry& entry : collectives())
    for (const PayloadMode payload : {PayloadMode::full, PayloadMode::digest}) {
      CollectiveSpec spec = spec_of(entry.kind, entry.name, 8, 1'003, payload);
      spec.list.steps.pop_back();
      spec.legs = legs_of(spec.list, spec.sizes, 1);
      EXPECT_GT(run(spec).job.sum_errors, 0) << name_of(entry.kind) << entry.name << name_of(payload);
    }
}

/// Rank 0 sends its block for rank 1 twice, the second time in place of the block for rank 2.
TEST(Ranks, NoticeABlockThatComesToTheWrongRank) {
  for (const PayloadMode payload : {PayloadMode::full, PayloadMode::digest}) {
    CollectiveSpec spec = spec_of(CollectiveKind::all_to_all, "linear", 4, 1'000, payload);
    for (CollectiveTransfer& one : spec.list.steps[1])
      if (one.sender == 0) one.blocks = {1};
    EXPECT_GT(run(spec).job.sum_errors, 0) << name_of(payload);
  }
}

/// A rank adds where it should take: the weights that it was told of are not those that its sender has.
TEST(Ranks, NoticeABlockThatIsAddedInPlaceOfTaken) {
  for (const PayloadMode payload : {PayloadMode::full, PayloadMode::digest}) {
    CollectiveSpec spec = spec_of("ring", 4, 1'000, payload);
    spec.list.steps.back().back().adds = true;
    EXPECT_GT(run(spec).job.sum_errors, 0) << name_of(payload);
  }
}

TEST(Ranks, EndTheRunWhereWordsAreLost) {
  const CollectiveSpec spec = spec_of("ring", 4, 1'000, PayloadMode::full);
  FakeNetwork network(spec.word_bytes);
  network.set_fate([](const Transfer& transfer, Words words) {
    return std::vector<WordRun>{{Words{0}, transfer.from == Node{2} ? words - Words{1} : words}};
  });
  try {
    run_collective_job(spec, network);
    FAIL() << "it ended";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("without 1 of its 1500 words"));
  }
}

TEST(Ranks, NameWhatIsOnItsWayInADeadlock) {
  const CollectiveSpec spec = spec_of("ring", 4, 1'000, PayloadMode::none);
  FakeNetwork network(spec.word_bytes);
  network.stop_after(1);
  try {
    run_collective_job(spec, network);
    FAIL() << "it ended";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("iteration 0, leg 0; not delivered: push of worker"));
  }
}

/// On a ring rank 1 relays what rank 0 sends to rank 2, block 0 of one: it keeps it as its block 1.
TEST(RankSteps, OfARelayAreTakenAndSentOnBesideItsOwnBlocks) {
  const Collective list = make_collective(CollectiveKind::all_reduce, "recursive_doubling", 4);
  LegSequence sequence{4, legs_of(list, block_words(Words{10}, 1), 1), {10}, shift_map(4, 1), {}};
  const auto hops = hops_of(sequence, std::vector<MapMove>(2));
  const auto steps = rank_steps(list, block_words(Words{10}, 1), hops);
  ASSERT_EQ(hops.size(), 3u + 2u);
  const std::vector<RankStep>&first = steps[3][1], &second = steps[4][1];
  EXPECT_EQ(first, (std::vector<RankStep>{{RankStep::What::sends, 1, Node{2}, 0, 1, 0},
                                          {RankStep::What::takes, 1, Node{0}, 1, 1, 3}}));
  EXPECT_EQ(second, (std::vector<RankStep>{{RankStep::What::sends, 1, Node{2}, 1, 1, 0},
                                           {RankStep::What::adds, 1, Node{0}, 0, 1, 7},
                                           {RankStep::What::holds, 2, Node{}, 0, 1, 10}}));
}

TEST(RankSteps, OfTheRingAreOneSentAndOneReceivedAStep) {
  const CollectiveSpec spec = spec_of("ring", 4, 40, PayloadMode::none);
  const auto steps = rank_steps(spec.list, spec.sizes, spec.legs);
  ASSERT_EQ(steps.size(), 1u);
  const std::vector<RankStep>& first = steps[0][0];
  ASSERT_EQ(first.size(), 12u + 1u);
  EXPECT_EQ(first[0], (RankStep{RankStep::What::sends, 0, Node{1}, 0, 1, 0}));
  EXPECT_EQ(first[1], (RankStep{RankStep::What::adds, 0, Node{3}, 3, 1, 4}));    // rank 3's own
  EXPECT_EQ(first[3], (RankStep{RankStep::What::adds, 1, Node{3}, 2, 1, 7}));    // of ranks 2 and 3
  EXPECT_EQ(first[7], (RankStep{RankStep::What::takes, 3, Node{3}, 0, 1, 10}));  // the sum of all
  EXPECT_EQ(first[12], (RankStep{RankStep::What::holds, 6, Node{}, 0, 4, 10}));
}

/// Blocks of rank s are 3 s to 3 s + 2; rank 2 has what is for it, and nothing else counts.
TEST(RankSteps, OfAnAllToAllHoldTheBlocksOfTheirReceiver) {
  CollectiveSpec spec = spec_of(CollectiveKind::all_to_all, "linear", 3, 3, PayloadMode::none);
  spec.sizes[5] = Words{0};  // from rank 1 to rank 2
  spec.legs = legs_of(spec.list, spec.sizes, 1);
  const std::vector<RankStep> last = rank_steps(spec.list, spec.sizes, spec.legs).back()[2];
  EXPECT_EQ(last, (std::vector<RankStep>{{RankStep::What::sends, 1, Node{1}, 7, 1, 0},
                                         {RankStep::What::takes, 1, Node{0}, 2, 1, 1},
                                         {RankStep::What::holds, 2, Node{}, 2, 1, 1},
                                         {RankStep::What::holds, 2, Node{}, 8, 1, 3}}));
}

}  // namespace
}  // namespace ocs::test
