// A seal notices every change of an object, and is lost with its last byte.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/seal.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "host/core/error.hpp"

namespace ocs::rtl {
namespace {

class Seal : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(file_) << "an object\n";
    seal(file_, sources_);
    sealed_ = contents_of(file_);
  }
  void TearDown() override { std::filesystem::remove(file_); }
  void write(const std::string& text) { std::ofstream(file_, std::ios::binary | std::ios::trunc) << text; }

  const std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) / "lightloop-sealed";
  const std::string sources_ = hash_of({"the RTL"});
  std::string sealed_;
};

TEST_F(Seal, SaysWhatTheObjectWasMadeOf) {
  EXPECT_EQ(sealed_sources(file_), sources_);
  EXPECT_EQ(sealed_.substr(0, 10), "an object\n");
}

TEST_F(Seal, NoticesEveryBitAndEveryLength) {
  for (std::size_t k = 0; k < sealed_.size(); ++k) {
    std::string damaged = sealed_;
    damaged[k] = static_cast<char>(damaged[k] ^ 1);
    write(damaged);
    EXPECT_EQ(sealed_sources(file_), std::nullopt) << "byte " << k;
    write(sealed_.substr(0, k));
    EXPECT_EQ(sealed_sources(file_), std::nullopt) << "cut off after " << k;
  }
  write(sealed_ + "x");
  EXPECT_EQ(sealed_sources(file_), std::nullopt);
}

TEST_F(Seal, IsOfFilesThatAreThere) {
  EXPECT_EQ(sealed_sources(file_.string() + "-missing"), std::nullopt);
  EXPECT_THROW(contents_of(file_.string() + "-missing"), Error);
}

TEST(Hash, KeepsPiecesApart) {
  EXPECT_NE(hash_of({"ab", "c"}), hash_of({"a", "bc"}));
  EXPECT_EQ(hash_of({"ab", "c"}), hash_of({"ab", "c"}));
  EXPECT_EQ(hash_of({}).size(), 32u);
}

}  // namespace
}  // namespace ocs::rtl
