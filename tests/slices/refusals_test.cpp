// Slices that can't be: one sentence each.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

std::string complaint(const std::vector<std::string>& overrides) {
  return refusal([&] { scheme_experiment(overrides); });
}

TEST(SliceKeys, AreASizeOrNone) {
  const std::string begin = "--set job.slice=";
  EXPECT_EQ(scheme_experiment({"job.slice=none", "job.fusion=none"}).points.front().job.slicing, SliceRule{});
  EXPECT_EQ(complaint({"job.slice=0 B"}),
            begin + "0 B: job.slice is \"0 B\", but must be from 1 B to 1 TB, or \"none\"");
  EXPECT_EQ(complaint({"job.slice=2 s"}).substr(0, 76),
            begin + "2 s: job.slice is \"2 s\", but must be a size in one of the un");
  EXPECT_EQ(complaint({"job.fusion=4"}),
            "--set job.fusion=4: job.fusion is 4, but must be text in quotes, such as \"4 MB\"");
}

TEST(SliceKeys, ThatDontGoTogetherAreRefused) {
  EXPECT_EQ(complaint({"job.slice=63 B"}),
            "--set job.slice=63 B: job.slice is 63 B, but must be at least fabric.word, which is 64 B");
  EXPECT_EQ(complaint({"job.slice=1 MB", "job.fusion=2 MB"}),
            "--set job.fusion=2 MB: job.fusion is 2 MB, but must be at most job.slice, which is 1 MB");
  EXPECT_EQ(
      complaint({"job.slice=64 B", "job.payload=none"}),
      "--set job.slice=64 B: job.slice is 64 B and job.fusion \"none\", but must make at most 16384 slices of the "
      "model; they make 65536");
}

TEST(SliceKeys, LetJobsAmongOthersRunWhole) {
  std::vector<Setting> settings = read_settings("policy = 'sunflow_inter'\n[[job]]\n", "x.toml");
  const auto whole = [&](const char* slice) {
    const std::vector<Setting> later = {read_override(slice), read_override("job.payload=none")};
    apply_overrides(settings, later);
    return resolve(settings, all_schemes(), "x.toml").points.front().whole_jobs;
  };
  EXPECT_FALSE(whole("job.slice=none"));
  EXPECT_TRUE(whole("job.slice=1 MB"));
}

}  // namespace
}  // namespace ocs::test
