// A digest of words in their order that takes a run of words in one step, so that order and range of words can be
// checked where nobody carries them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "host/core/ids.hpp"

namespace ocs {

/// What a number of consecutive words does to a digest. Word k of a stream has the value start + k * step (mod 2^64),
/// and each word takes a digest d to d * base + value: both affine, so any number of words is one affine map of the
/// digest and of the value of the first of them. Knuth, The Art of Computer Programming 2, 3.2.1: jumping ahead in a
/// linear congruential sequence, in O(log words).
struct WordJump {
  static constexpr std::uint64_t base = 0xd1342543de82ef95, step = 0x2545f4914f6cdd1d;  // odd: nothing gets lost

  std::uint64_t words = 0;  ///< mod 2^64, as all of these
  std::uint64_t times = 1;  ///< base ^ words
  std::uint64_t first = 0;  ///< sum of base ^ j for j < words: what the first value counts
  std::uint64_t later = 0;  ///< sum of j * base ^ (words - 1 - j): what the steps from it count

  /// The digest after them. @param value of the first of them
  constexpr std::uint64_t operator()(std::uint64_t digest, std::uint64_t value) const {
    return digest * times + value * first + step * later;
  }
  /// One behind the other: `b` goes on where `a` ends. Exact, and associative.
  friend constexpr WordJump operator*(const WordJump& a, const WordJump& b) {
    return {a.words + b.words, a.times * b.times, a.first * b.times + b.first,
            a.later * b.times + b.later + a.words * b.first};
  }
  friend constexpr bool operator==(const WordJump&, const WordJump&) = default;
};

inline constexpr WordJump one_word{.words = 1, .times = WordJump::base, .first = 1, .later = 0};

/// 2^i words, for i < 64.
inline constexpr std::array<WordJump, 64> word_jumps = [] {
  std::array<WordJump, 64> jumps{one_word};
  for (std::size_t i = 1; i < jumps.size(); ++i) jumps[i] = jumps[i - 1] * jumps[i - 1];
  return jumps;
}();

/// Equal for equal words in equal order. Words left out, sent twice, exchanged or moved make it another one: if a
/// number of words differs, always; of streams and orders drawn at random, all but one in 2^64; two single words that
/// change places, unless they are 2^31 or more apart.
class WordDigest {
 public:
  constexpr WordDigest() : WordDigest(0) {}
  /// @param stream whose words these are; of another stream they are other words
  explicit constexpr WordDigest(std::uint64_t stream) : start_(stream * 0x9e3779b97f4a7c15 + 1) {}

  /// The words of the run, ascending. @param run count >= 0
  constexpr void add(WordRun run) {
    auto left = static_cast<std::uint64_t>(run.count.n);
    std::uint64_t value = start_ + static_cast<std::uint64_t>(run.first.n) * WordJump::step;
    words_ += left;
    for (std::size_t i = 0; left != 0; ++i, left >>= 1) {
      if ((left & 1) == 0) continue;
      value_ = word_jumps[i](value_, value);
      value += WordJump::step << i;
    }
  }
  constexpr std::uint64_t words() const { return words_; }
  friend constexpr bool operator==(const WordDigest&, const WordDigest&) = default;

 private:
  std::uint64_t start_, value_ = 0, words_ = 0;
};

}  // namespace ocs
