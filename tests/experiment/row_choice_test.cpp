// zip, [[only]] and [[skip]]: which rows an experiment has.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/row_choice.hpp"

#include "testbed/experiment/point_record.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::refusal;
using test::resolved;

/// "4/2 hlf" for workers, servers and policy of each row.
std::vector<std::string> rows_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> rows;
  for (const Point& point : resolved(text, overrides).points)
    rows.push_back(std::to_string(point.job.workers) + "/" + std::to_string(point.job.servers) + " " + point.policy);
  return rows;
}

using Rows = std::vector<std::string>;

const std::string axes = "policy = ['hlf', 'sunflow']\njob.workers = [2, 4, 8]\njob.servers = [1, 2, 4]\n";

TEST(RowChoice, ZippedAxesGoTogether) {
  const std::string zipped = axes + "zip = [['job.servers', 'job.workers']]\n";
  EXPECT_EQ(rows_of(zipped), (Rows{"2/1 hlf", "2/1 sunflow", "4/2 hlf", "4/2 sunflow", "8/4 hlf", "8/4 sunflow"}));
  EXPECT_EQ(rows_of(axes + "seed = [1, 2]\nzip = [['job.servers', 'job.workers'], ['seed', 'policy']]\n"),
            (Rows{"2/1 hlf", "2/1 sunflow", "4/2 hlf", "4/2 sunflow", "8/4 hlf", "8/4 sunflow"}));
}

TEST(RowChoice, RefusesAValueThatWouldMakeARowTwice) {
  EXPECT_EQ(refusal([] { rows_of(axes + "seed = [1, 2, 1]\n"); }),
            "x.toml:4: an axis has seed = 1 twice, but must have each value once: both would make the same rows");
  const std::string zipped = "policy = 'hlf'\njob.workers = [4, 4, 4]\njob.servers = [1, 2, 1]\n";
  EXPECT_EQ(refusal([&] { rows_of(zipped + "zip = [['job.workers', 'job.servers']]\n"); }),
            "x.toml:2: an axis has job.workers = 4, job.servers = 1 twice, but must have each value once: both would "
            "make the same rows");
  EXPECT_EQ(rows_of("policy = 'hlf'\njob.workers = [4, 4]\njob.servers = [1, 2]\n"
                    "zip = [['job.workers', 'job.servers']]\n"),
            (Rows{"4/1 hlf", "4/2 hlf"}));
  const std::string longer = "1: 300 us - 900 us, 2: 300 us - 900 us, 3: 300 us - 900 us, 4: 300 us - ";
  EXPECT_EQ(rows_of("policy = 'hlf'\njob.workers = 4\njob.servers = 2\nfabric.outages = ['" + longer + "8 ms', '" +
                    longer + "9 ms']\n"),
            (Rows{"4/2 hlf", "4/2 hlf"}))
      << "a sentence shows the beginning alone, which is the same";
}

TEST(RowChoice, OnlyKeepsRowsThatMatchOneTable) {
  EXPECT_EQ(rows_of(axes + "[[only]]\njob.workers = [2, 8]\npolicy = 'hlf'\njob.servers = 1\n[[only]]\njob = "
                           "{workers = 4, servers = 4}\n"),
            (Rows{"2/1 hlf", "4/4 hlf", "4/4 sunflow", "8/1 hlf"}));
}

TEST(RowChoice, SkipLeavesOutRowsThatMatchAnyTable) {
  EXPECT_EQ(rows_of(axes + "[[skip]]\njob.workers = [4, 8]\n[[skip]]\njob.servers = 2\npolicy = 'hlf'\n"),
            (Rows{"2/1 hlf", "2/1 sunflow", "2/2 sunflow", "2/4 hlf", "2/4 sunflow"}));
  EXPECT_EQ(rows_of(axes + "[[only]]\njob.workers = 8\njob.servers = 4\n[[skip]]\npolicy = 'hlf'\n"),
            (Rows{"8/4 sunflow"}));
}

TEST(RowChoice, ComparesQuantitiesHoweverTheyAreWritten) {
  const Experiment experiment =
      resolved("policy = 'hlf'\nfabric.tuning = ['1 us', '20 us']\n[[skip]]\nfabric.tuning = '1000 ns'\n");
  ASSERT_EQ(experiment.points.size(), 1U);
  EXPECT_EQ(experiment.points.front().fabric.tuning, Picos{20'000'000});
}

TEST(RowChoice, ARowsRecordHasItsOwnValues) {
  const Experiment experiment = resolved(axes + "zip = [['job.servers', 'job.workers']]\n[[skip]]\npolicy = 'hlf'\n");
  const ExperimentRecord whole = record_of(experiment, "x.toml", "1");
  EXPECT_NE(to_json(whole).find("\"zip#1\""), std::string::npos);
  const ExperimentRecord row = record_of_row(experiment, 1, whole);
  EXPECT_EQ(to_json(row).find('#'), std::string::npos);
  const Point again = point_of(row, test::few_names(), "row 2");
  EXPECT_EQ(again.job.workers, 4);
  EXPECT_EQ(again.job.servers, 2);
  EXPECT_EQ(again.policy, "sunflow");
}

TEST(RowChoice, RefusesWhatChoosesNothing) {
  const auto complaint = [](const std::string& more) { return refusal([&] { resolved(axes + more); }); };
  EXPECT_EQ(complaint("zip = ['job.workers']"),
            "x.toml:4: zip must be a list of lists of at least two keys, such as zip = [[\"job.workers\", "
            "\"job.servers\"]]");
  EXPECT_EQ(complaint("zip = [['job.workers', 'policy']]"),
            "x.toml:4: zip pairs job.workers of 3 values with policy of 2 values, but both must have as many");
  EXPECT_EQ(complaint("zip = [['job.workers', 'job.server']]"),
            "x.toml:4: zip names \"job.server\", but must name keys of the experiment; did you mean \"job.servers\"?");
  EXPECT_EQ(complaint("zip = [['job.workers', 'job.workers']]"),
            "x.toml:4: zip names \"job.workers\" twice, but must name it once");
  EXPECT_EQ(complaint("zip = [['job.workers', 3]]"), "x.toml:4: zip holds 3, but must hold names of keys");
  EXPECT_EQ(complaint("only = 3"),
            "x.toml:4: only must be tables [[only]], each with values of keys, such as policy = \"hlf\"");
  EXPECT_EQ(complaint("[[only]]"),
            "x.toml:4: a table [[only]] is empty, but must name values, such as policy = \"hlf\"");
  EXPECT_EQ(complaint("[[skip]]\npolicy = {}"),
            "x.toml:5: [[skip]] has the empty table \"policy\", but must name values, such as policy = \"hlf\"");
  EXPECT_EQ(complaint("[[skip]]\njob.worker = 4"),
            "x.toml:5: [[skip]] names \"job.worker\", but must name keys of the experiment; did you mean "
            "\"job.workers\"?");
  EXPECT_EQ(complaint("[[skip]]\npolicy = 'flow'").substr(0, 43), "x.toml:5: policy is \"flow\", but must be one");
  EXPECT_EQ(complaint("[[only]]\njob.workers = 5"),
            "x.toml:5: [[only]] and [[skip]] leave none of 18 rows, but must leave at least one");
  EXPECT_EQ(refusal([] { resolved(axes, {"zip=policy"}); }),
            "--set zip=policy: zip chooses rows and must stand in the experiment file");
  EXPECT_EQ(refusal([] {
              read_settings("'zip#1' = {}\n", "x.toml");
              resolved("'zip#1' = {}\n");
            }),
            "x.toml:1: zip must have at least two keys in each of its lists");
}

}  // namespace
}  // namespace ocs
