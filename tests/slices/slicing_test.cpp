// The rule by which pieces of a model are joined and cut.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/model/slicing.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "testbed/workloads/workload.hpp"
#include "tests/common/places.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t word = 64;

std::vector<Bytes> bytes(std::initializer_list<std::int64_t> sizes) {
  std::vector<Bytes> all;
  for (const std::int64_t size : sizes) all.push_back({size});
  return all;
}

SlicedPieces slice(std::size_t first, std::size_t last, std::int64_t words, std::int64_t size) {
  return {first, last, Words{words}, Bytes{size}};
}

using Slices = std::vector<SlicedPieces>;

TEST(Slices, AreOneWithoutARule) { EXPECT_EQ(slices_of(bytes({100, 64, 1}), {}, word), (Slices{slice(0, 2, 4, 165)})); }

TEST(Slices, ArePiecesOneByOneWithoutFusion) {
  EXPECT_EQ(slices_of(bytes({100, 64, 1}), {Bytes{0}, Bytes{1000}}, word),
            (Slices{slice(0, 0, 2, 100), slice(1, 1, 1, 64), slice(2, 2, 1, 1)}));
}

TEST(Slices, CutAtMultiplesOfWholeWords) {
  EXPECT_EQ(slices_of(bytes({300}), {Bytes{0}, Bytes{150}}, word),
            (Slices{slice(0, 0, 2, 128), slice(0, 0, 2, 128), slice(0, 0, 1, 44)}));
  EXPECT_EQ(slices_of(bytes({128}), {Bytes{0}, Bytes{128}}, word), (Slices{slice(0, 0, 2, 128)}));
  EXPECT_EQ(slices_of(bytes({129}), {Bytes{0}, Bytes{128}}, word), (Slices{slice(0, 0, 2, 128), slice(0, 0, 1, 1)}));
}

TEST(Slices, JoinNeighboursUpToTheFusionExactly) {
  EXPECT_EQ(slices_of(bytes({60, 40, 28, 1}), {Bytes{128}, Bytes{0}}, word),
            (Slices{slice(0, 2, 3, 128), slice(3, 3, 1, 1)}));
  EXPECT_EQ(slices_of(bytes({60, 41, 28, 1}), {Bytes{128}, Bytes{0}}, word),
            (Slices{slice(0, 1, 2, 101), slice(2, 3, 2, 29)}));
}

TEST(Slices, AreAlsoLargerThanTheFusionWhenAPieceIs) {
  EXPECT_EQ(slices_of(bytes({1, 1000, 1}), {Bytes{128}, Bytes{0}}, word),
            (Slices{slice(0, 0, 1, 1), slice(1, 1, 16, 1000), slice(2, 2, 1, 1)}));
}

TEST(Slices, NeverJoinPartsOfACutPiece) {
  EXPECT_EQ(slices_of(bytes({1, 129, 1, 1}), {Bytes{128}, Bytes{128}}, word),
            (Slices{slice(0, 0, 1, 1), slice(1, 1, 2, 128), slice(1, 1, 1, 1), slice(2, 3, 2, 2)}));
}

TEST(Slices, CoverTheTensorsOfEveryModelOnceAndInOrder) {
  const std::filesystem::path folder = ocs::test::source_dir() + "/testbed/workloads";
  for (const std::string& name : workload_names(folder)) {
    const Workload model = load_workload(name, folder, folder);
    std::vector<Bytes> pieces;
    Words words;
    for (const Tensor& tensor : model.tensors) pieces.push_back(tensor.bytes), words += to_words(tensor.bytes, word);
    constexpr Bytes limit{4'000'000};
    Bytes sum;
    Words all;
    std::size_t next = 0;
    for (const SlicedPieces& one : slices_of(pieces, {limit, limit}, word)) {
      EXPECT_LE(one.bytes, limit) << name;
      EXPECT_TRUE(one.first == next || (one.first == one.last && one.first + 1 == next)) << name;
      next = one.last + 1;
      sum += one.bytes;
      all += one.words;
    }
    EXPECT_EQ(next, pieces.size()) << name;
    EXPECT_EQ(sum, model.total) << name;
    EXPECT_EQ(all, words) << name;
  }
}

/// As counted from the table by another program.
TEST(Slices, OfResNet50AreFew) {
  const std::filesystem::path folder = ocs::test::source_dir() + "/testbed/workloads";
  const Workload model = load_workload("resnet50", folder, folder);
  std::vector<Bytes> pieces;
  for (const Tensor& tensor : model.tensors) pieces.push_back(tensor.bytes);
  EXPECT_EQ(slices_of(pieces, {Bytes{4'000'000}, Bytes{4'000'000}}, word).size(), 47u);
}

}  // namespace
}  // namespace ocs::test
