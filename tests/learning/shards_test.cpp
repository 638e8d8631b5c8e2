// Each picture is one worker's, and each turn of a worker has all of its pictures.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/learning/shards.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/common/refusal.hpp"

namespace ocs {
namespace {

std::vector<std::uint8_t> labels_of(std::size_t count) {
  std::vector<std::uint8_t> labels(count);
  for (std::size_t k = 0; k < count; ++k) labels[k] = static_cast<std::uint8_t>(k * 7 % 10);
  return labels;
}

TEST(Shards, CoverEachPictureOnceAndDifferByOneAtMost) {
  const auto labels = labels_of(103);
  for (const ShardKind kind : {ShardKind::iid, ShardKind::sorted}) {
    std::multiset<std::uint32_t> all;
    for (std::size_t w = 0; w < 8; ++w) {
      const auto shard = shard_of(labels, kind, w, 8, 5);
      EXPECT_EQ(shard.size(), w < 103 % 8 ? 13U : 12U);
      all.insert(shard.begin(), shard.end());
    }
    std::vector<std::uint32_t> each(103);
    std::iota(each.begin(), each.end(), 0U);
    EXPECT_THAT(all, testing::ElementsAreArray(each));
  }
}

TEST(Shards, SortedGoesByLabelThenNumber) {
  const std::vector<std::uint8_t> labels{3, 1, 3, 0, 1};
  EXPECT_THAT(shard_of(labels, ShardKind::sorted, 0, 2, 1), testing::ElementsAre(3, 1, 4));
  EXPECT_THAT(shard_of(labels, ShardKind::sorted, 1, 2, 1), testing::ElementsAre(0, 2));
}

TEST(Shards, IidDependsOnTheSeedAlone) {
  const auto labels = labels_of(1000);
  EXPECT_EQ(shard_of(labels, ShardKind::iid, 3, 10, 1), shard_of(labels, ShardKind::iid, 3, 10, 1));
  EXPECT_NE(shard_of(labels, ShardKind::iid, 3, 10, 1), shard_of(labels, ShardKind::iid, 3, 10, 2));
}

TEST(Shards, RefuseMoreWorkersThanPictures) {
  EXPECT_THAT(test::refusal([] { shard_of(labels_of(3), ShardKind::iid, 0, 4, 1); }),
              testing::HasSubstr("there are 3 pictures for 4 workers"));
  EXPECT_THAT(test::refusal([] { shard_kind("random"); }), testing::HasSubstr("known: iid, sorted"));
}

TEST(Batches, EachTurnHasEachPictureOnceInAnotherOrder) {
  const std::vector<std::uint32_t> shard{4, 8, 15, 16, 23, 42};
  Batches batches(shard, 1, 0);
  const auto first = batches.next(6), second = batches.next(6);
  EXPECT_THAT(first, testing::UnorderedElementsAreArray(shard));
  EXPECT_THAT(second, testing::UnorderedElementsAreArray(shard));
  EXPECT_NE(first, second);
}

TEST(Batches, AreTheSameHoweverManyAreTakenAtOnce) {
  Batches one({1, 2, 3, 4, 5}, 7, 2), other({1, 2, 3, 4, 5}, 7, 2), of_another({1, 2, 3, 4, 5}, 7, 3);
  std::vector<std::uint32_t> together;
  for (const std::size_t count : {1, 3, 7, 2, 4}) {
    const auto some = other.next(count);
    together.insert(together.end(), some.begin(), some.end());
  }
  EXPECT_EQ(one.next(17), together);
  EXPECT_NE(of_another.next(17), together);
}

}  // namespace
}  // namespace ocs
