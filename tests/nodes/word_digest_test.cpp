// The digest that jumps: over any number of words it is what single words make, and it sees what it must.
// SPDX-License-Identifier: Apache-2.0
#include "host/core/word_digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/nodes/word_run.hpp"

namespace ocs {
namespace {

constexpr std::uint64_t seed = 20261121;

WordDigest of(const std::vector<std::int64_t>& words, std::uint64_t stream = 1) {
  WordDigest digest(stream);
  for (const std::int64_t word : words) digest.add(run(word, 1));
  return digest;
}

std::vector<std::int64_t> ascending(std::int64_t count) {
  std::vector<std::int64_t> words;
  for (std::int64_t k = 0; k < count; ++k) words.push_back(k);
  return words;
}

TEST(WordDigest, AJumpIsAsManySingleWords) {
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 500; ++trial) {
    const std::uint64_t stream = random(), before = random();
    const auto first = static_cast<std::int64_t>(random() >> 20), count = static_cast<std::int64_t>(random() % 3000);
    WordDigest jumped(stream), walked(stream);
    jumped.add(run(static_cast<std::int64_t>(before >> 1), 5));
    walked.add(run(static_cast<std::int64_t>(before >> 1), 5));
    jumped.add(run(first, count));
    for (std::int64_t k = 0; k < count; ++k) walked.add(run(first + k, 1));
    ASSERT_EQ(jumped, walked) << "seed " << seed << ", trial " << trial << ", " << count << " words from " << first;
  }
}

TEST(WordDigest, ARunIsItsPiecesOneBehindTheOther) {
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 500; ++trial) {
    const auto count = static_cast<std::int64_t>(random() % (std::uint64_t{1} << 33));
    const std::int64_t cut = count == 0 ? 0 : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
    WordDigest whole(7), pieces(7);
    whole.add(run(11, count));
    pieces.add(run(11, cut));
    pieces.add(run(11 + cut, count - cut));
    ASSERT_EQ(whole, pieces) << "seed " << seed << ", trial " << trial;
  }
}

TEST(WordJump, ComposesExactly) {
  std::mt19937_64 random(seed);
  const auto any = [&] {
    WordJump jump;
    for (std::uint64_t bits = random() >> (random() % 64), i = 0; bits != 0; bits >>= 1, ++i)
      if ((bits & 1) != 0) jump = jump * word_jumps[i];
    return jump;
  };
  for (int trial = 0; trial < 500; ++trial) {
    const WordJump a = any(), b = any(), c = any();
    ASSERT_EQ((a * b) * c, a * (b * c));
    ASSERT_EQ(a * b, b * a) << "so many words, in whatever portions";
    ASSERT_EQ(a * WordJump{}, a);
    const std::uint64_t digest = random(), value = random();
    ASSERT_EQ((a * b)(digest, value), b(a(digest, value), value + WordJump::step * a.words));
  }
  WordJump walked;
  for (int k = 0; k < 1000; ++k) walked = walked * one_word;
  EXPECT_EQ(walked.words, 1000u);
  WordJump jumped;
  for (std::size_t i = 0; i < 10; ++i)
    if ((1000u >> i & 1u) != 0) jumped = jumped * word_jumps[i];
  EXPECT_EQ(walked, jumped);
}

TEST(WordDigest, SeesEveryExchangeOfTwoWords) {
  const std::vector<std::int64_t> words = ascending(60);
  for (std::size_t a = 0; a < words.size(); ++a)
    for (std::size_t b = a + 1; b < words.size(); ++b) {
      std::vector<std::int64_t> other = words;
      std::swap(other[a], other[b]);
      ASSERT_FALSE(of(other) == of(words)) << a << " and " << b;
    }
}

TEST(WordDigest, SeesEveryWordThatIsLeftOutOrComesTwice) {
  const std::vector<std::int64_t> words = ascending(100);
  for (std::size_t k = 0; k < words.size(); ++k) {
    std::vector<std::int64_t> less = words, more = words, instead = words;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(k));
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(k), words[k]);
    instead[k] = words[(k + 1) % words.size()];
    ASSERT_FALSE(of(less) == of(words)) << k;
    ASSERT_FALSE(of(more) == of(words)) << k;
    ASSERT_FALSE(of(instead) == of(words)) << k;
  }
}

TEST(WordDigest, SeesRunsThatChangePlacesOrAreMoved) {
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 500; ++trial) {
    const auto a = static_cast<std::int64_t>(1 + random() % 100'000),
               b = static_cast<std::int64_t>(1 + random() % 100'000),
               by = static_cast<std::int64_t>(1 + random() % 100'000);
    WordDigest right(3), exchanged(3), moved(3), of_another(4);
    right.add(run(0, a + b));
    exchanged.add(run(a, b));
    exchanged.add(run(0, a));
    moved.add(run(by, a + b));
    of_another.add(run(0, a + b));
    ASSERT_FALSE(right == exchanged) << "seed " << seed << ", trial " << trial;
    ASSERT_FALSE(right == moved) << "seed " << seed << ", trial " << trial;
    ASSERT_FALSE(right == of_another) << "seed " << seed << ", trial " << trial;
  }
}

TEST(WordDigest, OfNothingIsThatOfNoWords) {
  WordDigest nothing(5), empty(5);
  empty.add(run(99, 0));
  EXPECT_EQ(nothing, empty);
  EXPECT_EQ(empty.words(), 0u);
}

}  // namespace
}  // namespace ocs
