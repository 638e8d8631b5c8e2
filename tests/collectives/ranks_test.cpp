// Ranks as nodes: what they hold after a collective, over every kind of runner, and that something missing is noticed.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/collective_job.hpp"
#include "testbed/collectives/phases.hpp"
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

/// Of the one list, rank by rank.
std::vector<std::vector<std::vector<RankStep>>> steps_of(const CollectiveSpec& spec) {
  return rank_steps(std::vector{list_of(spec.list, spec.sizes)}, spec.legs, {0, spec.list.blocks});
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
  const auto steps = rank_steps(std::vector{list_of(list, block_words(Words{10}, 1))}, hops, {0, 1});
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
  const auto steps = steps_of(spec);
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
  const std::vector<RankStep> last = steps_of(spec).back()[2];
  EXPECT_EQ(last, (std::vector<RankStep>{{RankStep::What::sends, 1, Node{1}, 7, 1, 0},
                                         {RankStep::What::takes, 1, Node{0}, 2, 1, 1},
                                         {RankStep::What::holds, 2, Node{}, 2, 1, 1},
                                         {RankStep::What::holds, 2, Node{}, 8, 1, 3}}));
}

/// Every collective in two groups of four nodes, then pairs.
std::vector<TrafficPhase> phases_of_every_kind(std::int64_t words) {
  std::vector<TrafficPhase> phases;
  for (const CollectiveEntry& entry : collectives()) {
    GroupPhase one{make_collective(entry.kind, entry.name, 4, 3), {}, {{6, 1, 4, 3}, {0, 7, 2, 5}}};
    one.sizes = sizes_of(one.list, Words{words});
    phases.push_back({one, 10});
  }
  phases.push_back({PairPhase{{{0, 2, Words{20}}, {5, 3, Words{words}}, {2, 5, Words{0}}, {3, 0, Words{1}}}}, 3});
  return phases;
}

/// @param later phases of the second iteration, if it differs
CollectiveSpec phased_spec(const std::vector<TrafficPhase>& phases, PayloadMode payload,
                           const std::vector<TrafficPhase>& later = {}) {
  CollectiveSpec spec;
  spec.list = {CollectiveKind::all_to_all, 8, 0, {}};
  spec.legs = legs_of(phases, 8, 1);
  spec.phases.push_back(lists_of(phases, 8));
  if (!later.empty()) spec.later.push_back(legs_of(later, 8, 1)), spec.phases.push_back(lists_of(later, 8));
  spec.iterations = 2;
  spec.compute = [](std::size_t, std::uint32_t) { return Picos{0}; };
  spec.payload = payload;
  spec.cycle = Picos{5120};
  return spec;
}

TEST(Ranks, HaveWhatEachOfTheirPhasesPromises) {
  for (const std::int64_t words : {3, 1'003, 40'000})
    for (const PayloadMode payload : {PayloadMode::full, PayloadMode::digest}) {
      const CollectiveResult result = run(phased_spec(phases_of_every_kind(words), payload));
      EXPECT_EQ(result.job.crc_errors + result.job.sum_errors, 0) << words << name_of(payload);
      EXPECT_GT(result.job.chunks, 0u);
      EXPECT_EQ(result.job.end, run(phased_spec(phases_of_every_kind(words), PayloadMode::none)).job.end);
    }
}

/// Blocks of the second iteration lie behind those of the first.
TEST(Ranks, HaveWhatPhasesThatAreDrawnPromise) {
  std::vector<TrafficPhase> first = phases_of_every_kind(1'003), second = phases_of_every_kind(777);
  std::reverse(second.begin(), second.end());
  first.pop_back();
  for (const PayloadMode payload : {PayloadMode::full, PayloadMode::digest}) {
    const CollectiveResult result = run(phased_spec(first, payload, second));
    EXPECT_EQ(result.job.crc_errors + result.job.sum_errors, 0) << name_of(payload);
    const CollectiveResult none = run(phased_spec(first, PayloadMode::none, second));
    EXPECT_EQ(result.job.words_delivered, none.job.words_delivered);
  }
}

/// Of one phase after the other the last step carries nothing, or one pair less.
TEST(Ranks, NoticeAStepThatIsMissingInAnyPhase) {
  const std::vector<TrafficPhase> phases = phases_of_every_kind(1'003);
  for (std::size_t k = 0; k < phases.size(); ++k)
    for (const PayloadMode payload : {PayloadMode::full, PayloadMode::digest}) {
      std::vector<TrafficPhase> less = phases;
      auto* groups = std::get_if<GroupPhase>(&less[k].what);
      if (groups != nullptr)
        groups->list.steps.back().clear();
      else
        std::get<PairPhase>(less[k].what).pairs.front().words = Words{0};
      CollectiveSpec spec = phased_spec(less, payload);
      if (groups == nullptr) {  // it is still wanted
        spec.phases = {lists_of(phases, 8)};
        CollectiveStep& step = spec.phases.front()[k].list.steps.front();
        step.erase(step.begin());
      }
      EXPECT_GT(run(spec).job.sum_errors, 0) << k << name_of(payload);
    }
}

/// Two pairs behind an all_gather of nodes 2 and 0: steps go on at 1, blocks at 2, here from block 10 on.
TEST(RankSteps, OfPhasesGoOnInStepsAndBlocks) {
  GroupPhase gather{make_collective(CollectiveKind::all_gather, "ring", 2), {Words{5}, Words{5}}, {{2, 0}}};
  const std::vector<TrafficPhase> phases = {{gather}, {PairPhase{{{1, 0, Words{3}}, {0, 2, Words{4}}}}}};
  const auto steps = rank_steps(lists_of(phases, 3), legs_of(phases, 3, 1), {10, 20});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0][0], (std::vector<RankStep>{{RankStep::What::sends, 0, Node{2}, 11, 1, 0},
                                                {RankStep::What::takes, 0, Node{2}, 10, 1, 3}}));
  EXPECT_EQ(steps[1][0], (std::vector<RankStep>{{RankStep::What::sends, 1, Node{2}, 13, 1, 0},
                                                {RankStep::What::takes, 1, Node{1}, 12, 1, 2},
                                                {RankStep::What::holds, 2, Node{}, 10, 1, 3},
                                                {RankStep::What::holds, 2, Node{}, 11, 1, 1},
                                                {RankStep::What::holds, 2, Node{}, 12, 1, 2}}));
  EXPECT_TRUE(steps[0][1].empty());
}

/// By what section 2 of docs/collectives.md says of each list; S = 40 words, N = 4.
TEST(Phases, KeepWhatIsAddedToOrPassedOn) {
  const auto kept = [](CollectiveKind kind, const char* name) {
    const Collective list = make_collective(kind, name, 4, 4);
    return kept_words(list_of(list, sizes_of(list, Words{40})));
  };
  EXPECT_EQ(kept(CollectiveKind::all_reduce, "ring"), 4 * 40);
  EXPECT_EQ(kept(CollectiveKind::all_reduce, "recursive_doubling"), 4 * 40);
  EXPECT_EQ(kept(CollectiveKind::reduce_scatter, "ring"), 4 * 30) << "of its first block a rank keeps nothing";
  EXPECT_EQ(kept(CollectiveKind::all_gather, "ring"), 4 * 20) << "two of the three blocks that come are passed on";
  EXPECT_EQ(kept(CollectiveKind::all_to_all, "linear"), 0);
  EXPECT_EQ(kept(CollectiveKind::all_to_all, "ring"), 4 * 10 * (2 + 1)) << "those for two and one further ranks";
  EXPECT_EQ(kept(CollectiveKind::broadcast, "chain"), 2 * 40);
}

}  // namespace
}  // namespace ocs::test
