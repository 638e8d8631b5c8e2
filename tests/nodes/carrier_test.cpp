// The carrier hands on the words that passed, and nothing else.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/carrier.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/nodes/word_run.hpp"

namespace ocs {
namespace {

constexpr std::int64_t word = 4;
const TransferKey push{0, TransferPhase::push, Node{5}, Node{2}};

/// Words [first, first + count) of 20; byte b of word w is 8 * w + b.
Message chunk(std::int64_t first, std::int64_t count, const TransferKey& key = push) {
  Message message = make_message(2, Picos{0}, ChunkFields{key, Words{20}, {Words{first}, Words{count}}});
  const auto size = static_cast<std::size_t>(count * word);
  std::shared_ptr<std::byte[]> data(new std::byte[size]);
  for (std::size_t i = 0; i < size; ++i)
    data[i] = static_cast<std::byte>(8 * (static_cast<std::size_t>(first) + i / word) + i % word);
  message.payload = {data, size};
  message.header.payload_crc32c = 77;
  return message;
}

DeliveredFields passed(std::vector<WordRun> runs, bool final = true) {
  return {push, Words{20}, final, std::move(runs)};
}
TEST(Carrier, HoldsAChunkUntilItsWordsHavePassed) {
  Carrier carrier(word);
  carrier.hold(chunk(0, 10));
  EXPECT_FALSE(carrier.next(TransferPhase::push));
  carrier.deliver(passed({run(0, 9)}, false));
  EXPECT_FALSE(carrier.next(TransferPhase::push));
  carrier.deliver(passed({run(9, 11)}, false));
  ASSERT_TRUE(carrier.next(TransferPhase::push));
  EXPECT_TRUE(carrier.next(TransferPhase::push)->whole());
  EXPECT_FALSE(carrier.next(TransferPhase::pull));
}

TEST(Carrier, HandsOnAWholeChunkWithoutCopyingIt) {
  Carrier carrier(word);
  Message message = chunk(10, 10);
  const std::byte* data = message.payload.data.get();
  carrier.deliver(passed({run(0, 20)}));
  carrier.hold(std::move(message));
  const Arrival arrival = carrier.take(TransferPhase::push);
  EXPECT_EQ(arrival.parts.at(0).payload.data.get(), data);
  EXPECT_EQ(arrival.parts.at(0).payload.size, 40u);
  EXPECT_EQ(arrival.crc32c, 77u);
}

TEST(Carrier, HandsOnOnlyTheWordsThatPassed) {
  Carrier carrier(word);
  carrier.hold(chunk(0, 10));
  carrier.deliver(passed({run(2, 3), run(8, 4)}));
  const Arrival arrival = carrier.take(TransferPhase::push);
  EXPECT_FALSE(arrival.whole());
  ASSERT_EQ(arrival.parts.size(), 2u);
  EXPECT_EQ(arrival.parts[0].words, run(2, 3));
  EXPECT_EQ(arrival.parts[0].payload.size, 12u);
  EXPECT_EQ(arrival.parts[0].payload.data[0], std::byte{16});
  EXPECT_EQ(arrival.parts[1].words, run(8, 2));
  EXPECT_EQ(arrival.parts[1].payload.size, 8u);
  EXPECT_EQ(arrival.parts[1].payload.data[7], std::byte{8 * 9 + 3});
}

TEST(Carrier, DropsAChunkOfWhichNothingPassed) {
  Carrier carrier(word);
  carrier.deliver(passed({run(0, 10)}));
  carrier.hold(chunk(10, 10));
  const Arrival arrival = carrier.take(TransferPhase::push);
  EXPECT_EQ(arrival.chunk, run(10, 10));
  EXPECT_TRUE(arrival.parts.empty());
}

TEST(Carrier, TakesTheLowestPlaceFirst) {
  Carrier carrier(word);
  carrier.hold(chunk(10, 10));
  carrier.hold(chunk(0, 10));
  carrier.deliver(passed({run(0, 20)}));
  EXPECT_EQ(carrier.take(TransferPhase::push).chunk, run(0, 10));
  EXPECT_EQ(carrier.take(TransferPhase::push).chunk, run(10, 10));
  EXPECT_THROW(carrier.take(TransferPhase::push), Error);
}

TEST(Carrier, RefusesPayloadThatIsNotAsLongAsItsWords) {
  Carrier carrier(word);
  Message message = chunk(0, 10);
  message.payload.size = 39;
  EXPECT_THROW(carrier.hold(std::move(message)), Malformed);
}

TEST(Carrier, RefusesTwoOpinionsOnTheLengthOfATransfer) {
  Carrier carrier(word);
  carrier.hold(chunk(0, 10));
  EXPECT_THROW(carrier.deliver({push, Words{21}, true, {run(0, 21)}}), Malformed);
}

TEST(RunSet, AgreesWithAListOfFlags) {
  const std::uint32_t seed = 20240607;
  std::mt19937 random(seed);
  for (int round = 0; round < 2000; ++round) {
    RunSet set;
    std::vector<bool> flags(30);
    for (int i = 0; i < 6; ++i) {
      const auto first = static_cast<std::int64_t>(random() % 30),
                 count = static_cast<std::int64_t>(random() % (31 - static_cast<unsigned>(first)));
      set.add(run(first, count));
      for (auto w = first; w < first + count; ++w) flags[static_cast<std::size_t>(w)] = true;
    }
    std::vector<bool> seen(30), gaps(30);
    for (const WordRun& r : set.within(run(3, 20)))
      for (auto w = r.first.n; w < (r.first + r.count).n; ++w) seen[static_cast<std::size_t>(w)] = true;
    for (const WordRun& r : set.missing(run(3, 20)))
      for (auto w = r.first.n; w < (r.first + r.count).n; ++w) gaps[static_cast<std::size_t>(w)] = true;
    bool all = true;
    for (std::size_t w = 0; w < 30; ++w) {
      const bool inside = w >= 3 && w < 23;
      EXPECT_EQ(seen[w], inside && flags[w]) << "seed " << seed << " round " << round;
      EXPECT_EQ(gaps[w], inside && !flags[w]) << "seed " << seed << " round " << round;
      all = all && (!inside || flags[w]);
    }
    EXPECT_EQ(set.covers(run(3, 20)), all) << "seed " << seed << " round " << round;
    for (std::size_t i = 1; i < set.runs().size(); ++i)
      EXPECT_LT(set.runs()[i - 1].first + set.runs()[i - 1].count, set.runs()[i].first);
  }
}

}  // namespace
}  // namespace ocs
