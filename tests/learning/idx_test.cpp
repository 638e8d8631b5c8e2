// What is read from an IDX file, and what is refused.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/learning/idx.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/core/error.hpp"
#include "tests/common/refusal.hpp"
#include "tests/learning/pictures.hpp"

namespace ocs {
namespace {

using testing::HasSubstr;

std::string refusal(const std::vector<std::byte>& packed) {
  return test::refusal([&] { read_idx(packed, "a.gz"); });
}

TEST(Idx, ReadsWhatItsHeaderSays) {
  const auto array = read_idx(gzip(idx({2, 3}, {1, 2, 3, 4, 5, 255})), "a.gz");
  EXPECT_EQ(array.shape, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(array.values, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 255}));
}

TEST(Idx, ReadsMoreThanOnePieceOfMemory) {
  std::vector<std::uint8_t> values(3'000'001);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<std::uint8_t>(k * 7 + k / 251);
  EXPECT_EQ(read_idx(gzip(idx({3'000'001}, values)), "a.gz").values, values);
}

TEST(Idx, RefusesWhatIsNoGzip) {
  EXPECT_THAT(refusal({}), HasSubstr("a.gz: it ends within its packed data"));
  EXPECT_THAT(refusal(std::vector<std::byte>(20, std::byte{'x'})), HasSubstr("is no gzip file, or a damaged one"));
}

TEST(Idx, RefusesDamageAndWhatIsCutShort) {
  std::vector<std::uint8_t> values(1000);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<std::uint8_t>(k * k);
  const auto packed = gzip(idx({1000}, values));
  for (std::size_t size = 0; size < packed.size(); size += 13)
    EXPECT_THAT(refusal({packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size)}),
                HasSubstr("ends within its packed data"));
  auto flipped = packed;
  flipped[packed.size() - 6] ^= std::byte{1};  // of the CRC-32 at the end
  EXPECT_THAT(refusal(flipped), HasSubstr("is no gzip file, or a damaged one"));
}

TEST(Idx, RefusesWhatIsBehindIt) {
  auto packed = gzip(idx({2}, {1, 2}));
  packed.push_back(std::byte{0});
  EXPECT_THAT(refusal(packed), HasSubstr("has 1 bytes behind its packed data"));
}

TEST(Idx, RefusesOtherNumbersOfValuesThanItsHeaderSays) {
  EXPECT_THAT(refusal(gzip(idx({2, 3}, {1, 2, 3, 4, 5}))), HasSubstr("has 5 values, but its header says 6"));
  EXPECT_THAT(refusal(gzip(idx({2, 3}, {1, 2, 3, 4, 5, 6, 7}))), HasSubstr("has more bytes than its header says"));
  EXPECT_THAT(refusal(gzip({0, 0, 8, 2, 0, 0})), HasSubstr("ends within its header"));
}

TEST(Idx, RefusesOtherKindsOfArrays) {
  EXPECT_THAT(refusal(gzip({0, 0, 13, 1, 0, 0, 0, 1, 0, 0, 0, 0})), HasSubstr("begins with 3329"));
  EXPECT_THAT(refusal(gzip({0, 0, 8, 0})), HasSubstr("begins with 2048"));
  EXPECT_THAT(refusal(gzip(idx({0}, {}))), HasSubstr("dimension 0 has 0 elements"));
}

TEST(Idx, PromisesOfMuchCostNothing) {
  EXPECT_THAT(refusal(gzip(idx({65536, 65536}, {}))), HasSubstr("dimension 1 has 65536 elements"));
  EXPECT_THAT(refusal(gzip(idx({1, 0xffffffff}, {}))), HasSubstr("at most 268435456"));
  EXPECT_THAT(refusal(gzip(idx({max_idx_values}, {1}))), HasSubstr("has 1 values, but its header says 268435456"));
}

TEST(Idx, UnpacksNoMoreThanItNeeds) {  // 256 MiB of zeros behind two values
  auto bytes = idx({2}, {1, 2});
  bytes.resize(std::size_t{1} << 28);
  EXPECT_THAT(refusal(gzip(bytes)), HasSubstr("has more bytes than its header says"));
}

}  // namespace
}  // namespace ocs
