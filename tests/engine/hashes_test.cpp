// Each guarded run gives what is committed.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/common/places.hpp"
#include "tests/engine/guarded_runs.hpp"

namespace ocs::test {
namespace {

/// The lines of hashes.csv without the heading.
std::vector<std::string> all_committed() {
  std::ifstream file(ocs::test::source_dir() + "/tests/engine/hashes.csv");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (line != heading()) lines.push_back(line);
  return lines;
}

class Hashes : public testing::TestWithParam<GuardedRun> {
 protected:
  static void expect_committed(const std::string& device) {
    const std::vector<std::string> expected = committed(GetParam());
    const std::vector<GuardedRow> rows = rows_of_run(GetParam(), device);
    ASSERT_EQ(rows.size(), expected.size()) << "rows of " << GetParam().name << " in hashes.csv";
    for (std::size_t k = 0; k < rows.size(); ++k)
      EXPECT_EQ(rows[k].line, expected[k]) << "on " << device << "; the row's columns:\n" << rows[k].columns;
  }
};

TEST_P(Hashes, OnTheModelAreThoseCommitted) { expect_committed("model"); }

using FastHashes = Hashes;

TEST_P(FastHashes, OnTheRtlAreThoseCommitted) {
  if (!fast_is_built(GetParam())) GTEST_SKIP() << "verilated isn't built for the ports of this run";
  expect_committed("verilated");
}

std::vector<GuardedRun> fast_runs() {
  std::vector<GuardedRun> runs = guarded_runs();
  std::erase_if(runs, [](const GuardedRun& run) { return !run.fast; });
  return runs;
}

const auto name_of_run = [](const auto& run) { return run.param.name; };

INSTANTIATE_TEST_SUITE_P(Of, Hashes, testing::ValuesIn(guarded_runs()), name_of_run);
INSTANTIATE_TEST_SUITE_P(Of, FastHashes, testing::ValuesIn(fast_runs()), name_of_run);

TEST(HashesFile, HasNoRunThatIsNotInRunsToml) {
  std::set<std::string> names;
  for (const GuardedRun& run : guarded_runs()) EXPECT_TRUE(names.insert(run.name).second) << run.name << " twice";
  for (const std::string& line : all_committed()) EXPECT_TRUE(names.contains(line.substr(0, line.find(',')))) << line;
}

TEST(HashesFile, GuardsEveryExperiment) {
  const std::filesystem::path folder = ocs::test::source_dir() + "/testbed/experiments";
  std::set<std::string> guarded, there;
  for (const GuardedRun& run : guarded_runs()) guarded.insert(run.experiment);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".toml") there.insert(entry.path().lexically_relative(folder).string());
  EXPECT_EQ(guarded, there);
}

}  // namespace
}  // namespace ocs::test
