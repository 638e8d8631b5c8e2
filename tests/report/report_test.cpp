// What of a database is in a report: axes, groups over seeds, failures, and nothing that could end a script.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/report/report.hpp"

#include <chrono>

#include "testbed/report/report_data.hpp"
#include "testbed/results/database/database.hpp"
#include "testbed/results/rows/failed_row.hpp"
#include "tests/common/refusal.hpp"
#include "tests/experiment/results_support.hpp"

namespace ocs::test {
namespace {

class Report : public testing::Test {
 protected:
  Report() { std::filesystem::remove(file_); }
  ~Report() override { std::filesystem::remove(file_); }

  static ExperimentRecord resolved(const std::string& policy, std::int64_t seed, const std::string& tuning) {
    return {.name = "n",
            .file = "n.toml",
            .version = "0",
            .keys = {{.key = "seed", .values = {seed}, .list = false},
                     {.key = "policy", .values = {policy}, .list = false},
                     {.key = "fabric.tuning", .values = {tuning}, .list = false},
                     {.key = "job.workers", .values = {std::int64_t{12}}, .list = false}}};
  }
  static void add(Database& database, const std::string& policy, std::int64_t seed, const std::string& tuning,
                  std::int64_t pst_ms) {
    database.resolved(resolved(policy, seed, tuning));
    database.row(to_fields(row(policy, pst_ms)));
  }
  void fill(const std::string& name = "sunflow") const {
    Database database(file_, record(), "2026-01-31T12:00:00Z");
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
      add(database, name, seed, "10 ms", 100 + seed);
      add(database, "hlf", seed, "1 us", 50);
    }
  }
  const std::string file_ = testing::TempDir() + "report_" + std::to_string(getpid()) + ".db";
};

TEST_F(Report, FindsAxesAndEstimatesOverSeeds) {
  fill();
  const nlohmann::json data = report_data(file_, {}).json;
  ASSERT_EQ(data.at("axes").size(), 3U) << "job.workers is the same everywhere";
  EXPECT_EQ(data.at("axes")[0].at("key"), "fabric.tuning");
  EXPECT_EQ(data.at("axes")[0].at("numbers").at("10 ms"), 10'000'000'000);
  EXPECT_TRUE(data.at("axes")[1].at("numbers").is_null()) << "policies are no numbers";
  EXPECT_EQ(data.at("rows").size(), 6U);
  ASSERT_EQ(data.at("groups").size(), 2U);
  const auto column = std::ranges::find(data.at("columns"), "pst_mean_ps") - data.at("columns").begin();
  const nlohmann::json estimate = data.at("groups")[0].at("estimates")[static_cast<std::size_t>(column)];
  EXPECT_EQ(estimate[0], 102e9);
  EXPECT_NEAR(estimate[1].get<double>(), 2.484e9, 1e6) << "4.303 / sqrt(3), Student's t with 2 degrees of freedom";
}

TEST_F(Report, ShowsTheRowsThatAreAskedFor) {
  fill();
  EXPECT_EQ(report_data(file_, {2, 4}).json.at("rows").size(), 2U);
  EXPECT_EQ(refusal([&] { report_data(file_, {99}); }), "row 99 does not exist in \"" + file_ + "\"");
}

TEST_F(Report, NamesRowsThatFailed) {
  fill();
  {
    Database database(file_, record(), "2026-01-31T12:00:00Z");
    Row failed = row("sunflow", 1);
    failed.error = "no light";
    database.resolved(resolved("sunflow", 9, "10 ms"));
    database.row(failed_fields(failed));
  }
  EXPECT_EQ(report_data(file_, {}).json.at("failed"), nlohmann::json::parse(R"([{"row": 7, "error": "no light"}])"));
  EXPECT_EQ(refusal([&] { report_data(file_, {7}); }), "\"" + file_ + "\" has no row to report: all rows failed");
}

TEST_F(Report, RefusesWhatIsNoDatabaseOfThisSchema) {
  { Database database(file_, record(), ""); }
  EXPECT_EQ(refusal([&] { report_data(file_, {}); }), "\"" + file_ + "\" has no row to report: it is empty");
  execute(file_, "PRAGMA user_version = 3");
  EXPECT_NE(refusal([&] { report_data(file_, {}); }).find("has schema version 3, from an older lightloop"),
            std::string::npos);
}

TEST_F(Report, CantBeLeftByWhatIsInIt) {
  fill("</script><script>alert(1)");
  const std::string html = report_page(file_, {}, {{"a </script> b", "<svg/>", "text"}}).html;
  std::size_t ends = 0;
  for (std::size_t at = html.find("</script>"); at != std::string::npos; at = html.find("</script>", at + 1)) ++ends;
  EXPECT_EQ(ends, 3U);
  EXPECT_EQ(html.find("src="), std::string::npos) << "nothing is loaded";
  EXPECT_EQ(html.find("/*DATA*/"), std::string::npos);
}

TEST_F(Report, ReadsQuantitiesAsNumbers) {
  EXPECT_EQ(number_of("10 ms"), 10'000'000'000);
  EXPECT_EQ(number_of("4 MB"), 4'000'000);
  EXPECT_EQ(number_of("100 Gbit/s"), 100'000'000'000);
  EXPECT_EQ(number_of(7), 7);
  EXPECT_TRUE(number_of("sunflow").is_null());
  EXPECT_TRUE(number_of(true).is_null());
}

}  // namespace
}  // namespace ocs::test
