// Features, and files that don't fit together.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/learning/dataset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/common/refusal.hpp"
#include "tests/learning/pictures.hpp"

namespace ocs {
namespace {

using testing::HasSubstr;

/// A folder with a data set of 2 x 1 pixels.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(path_);
    write("train-images-idx3-ubyte.gz", idx({3, 2, 1}, {0, 255, 51, 255, 102, 0}));
    write("train-labels-idx1-ubyte.gz", idx({3}, {0, 9, 4}));
    write("t10k-images-idx3-ubyte.gz", idx({1, 2, 1}, {255, 0}));
    write("t10k-labels-idx1-ubyte.gz", idx({1}, {3}));
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::vector<std::uint8_t>& bytes) const {
    const auto packed = gzip(bytes);
    std::ofstream(path_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(packed.data()), static_cast<std::streamsize>(packed.size()));
  }
  std::string refusal() const {
    return test::refusal([&] { load_dataset(path_); });
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(Dataset, CentresFeaturesByTheMeanOfTraining) {
  const Folder folder;
  const Dataset data = load_dataset(folder.path());
  EXPECT_EQ(data.inputs, 2U);
  EXPECT_THAT(data.mean, testing::ElementsAre(0.2F, static_cast<float>(510.0 / 765.0)));
  std::vector<float> out(4);
  data.features(data.train, std::vector<std::uint32_t>{1, 0}, out);
  EXPECT_THAT(out, testing::ElementsAre(0.0F, 1 - data.mean[1], -0.2F, 1 - data.mean[1]));
  out.resize(2);
  data.features(data.test, std::vector<std::uint32_t>{0}, out);
  EXPECT_THAT(out, testing::ElementsAre(1 - 0.2F, -data.mean[1]));
}

TEST(Dataset, SaysWhichPackageHasIt) {
  EXPECT_THAT(test::refusal([] { load_dataset("/nowhere"); }),
              testing::AllOf(HasSubstr("there is no \"/nowhere/train-images-idx3-ubyte.gz\""),
                             HasSubstr("apt install dataset-fashion-mnist"), HasSubstr("learning.data")));
}

TEST(Dataset, RefusesFilesThatDontFitTogether) {
  const Folder folder;
  folder.write("t10k-labels-idx1-ubyte.gz", idx({2}, {3, 3}));
  EXPECT_THAT(folder.refusal(), HasSubstr("has 1 pictures, but there are 2 labels"));
  folder.write("t10k-labels-idx1-ubyte.gz", idx({1}, {10}));
  EXPECT_THAT(folder.refusal(), HasSubstr("has a label 10, but they must be 0 to 9"));
  folder.write("t10k-labels-idx1-ubyte.gz", idx({1, 1}, {3}));
  EXPECT_THAT(folder.refusal(), HasSubstr("has 2 dimensions, but must have 1"));
  folder.write("t10k-labels-idx1-ubyte.gz", idx({1}, {3}));
  folder.write("t10k-images-idx3-ubyte.gz", idx({1, 3, 1}, {1, 2, 3}));
  EXPECT_THAT(folder.refusal(), HasSubstr("2 pixels for training and 3 for tests"));
}

TEST(Dataset, FashionMnistIsWhole) {
  NEEDS_DATASET();
  const Dataset data = load_dataset(dataset_folder());
  EXPECT_EQ(data.inputs, 784U);
  EXPECT_EQ(data.train.count(), 60000U);
  EXPECT_EQ(data.test.count(), 10000U);
  std::vector<int> of_class(Dataset::classes, 0);
  for (const std::uint8_t label : data.train.labels) ++of_class[label];
  EXPECT_THAT(of_class, testing::Each(6000));
}

}  // namespace
}  // namespace ocs
