// Coverage of nights: kept with results, summed, compared with the last night that counted, by rule of the contract.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/night_coverage.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "host/core/error.hpp"
#include "testbed/regress/night.hpp"
#include "testbed/regress/night_tasks.hpp"

namespace ocs::regress {
namespace {

using rtl::CoverCounts;
using rtl::CoverPoint;
using rtl::PointKind;

const CoverPoint line_a{PointKind::line, "ocs_core.sv", "7:3 block"};
const CoverPoint line_b{PointKind::line, "ocs_core.sv", "9:3 if"};
const CoverPoint range{PointKind::named, "ocs_core_checks.sv", "see_range"};
const CoverPoint own{PointKind::named, "mine.sv", "see_mine"};

class NightCoverageTest : public testing::Test {
 protected:
  NightCoverageTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("lightloop-coverage-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~NightCoverageTest() override { std::filesystem::remove_all(folder_); }

  std::string database(const std::string& name = "history.db") const { return (folder_ / name).string(); }

  static Result result(const std::string& name, const CoverCounts& counts) {
    Result out{.name = name, .table = "t", .outcome = {}, .folder = ""};
    out.outcome.counts = counts;
    return out;
  }
  /// A finished night with one case.
  static std::int64_t night(History& history, const CoverCounts& counts) {
    const std::int64_t number = history.begin({});
    history.add(number, result("a", counts));
    if (const auto coverage = coverage_of(history, number, {})) history.set_totals(number, totals_of(*coverage));
    history.finish(number, "2026-01-01T00:00:00Z");
    return number;
  }

  std::filesystem::path folder_;
};

TEST_F(NightCoverageTest, IsTheSumOfAllCasesAfterEachOfThem) {
  std::int64_t number = 0;
  {
    History history(database());
    number = history.begin({});
    history.add(number, result("a", {{line_a, 2}, {line_b, 0}}));
    history.add(number, result("nothing counted", {}));
  }
  History again(database());  // as after kill -9: --resume opens the file once more
  EXPECT_EQ(again.counts(number), (CoverCounts{{line_a, 2}, {line_b, 0}}));
  again.add(number, result("b", {{line_a, 3}, {range, 1}}));
  EXPECT_EQ(again.counts(number), (CoverCounts{{line_a, 5}, {line_b, 0}, {range, 1}}));
  EXPECT_EQ(History(database()).counts(number), (CoverCounts{{line_a, 5}, {line_b, 0}, {range, 1}}));
  EXPECT_THROW(again.add(number, result("b", {{line_a, 3}})), Error);  // a result is there once
}

TEST_F(NightCoverageTest, OfTasksIsTakenOverOnceForEachCase) {
  const NightTasks tasks(folder_ / "tasks");
  tasks.write({"a", "b"}, {0, 0});
  {
    History task((folder_ / "tasks/1/history.db").string());
    const std::int64_t number = task.begin({});
    task.add(number, result("a", {{line_b, 4}}), History::Counts::apart);
    task.add(number, result("b", {{range, 2}, {line_b, 0}}), History::Counts::apart);
    EXPECT_EQ(task.counts(number), CoverCounts{});
  }
  History history(database());
  const std::int64_t number = history.begin({});
  history.add(number, result("here", {{line_a, 1}}));
  std::set<std::string> waiting{"a", "b"};
  for (int look = 0; look < 3; ++look)  // partial results are collected again and again
    tasks.collect([&](const std::string& name) { return waiting.contains(name); },
                  [&](const Result& taken, const std::filesystem::path&) {
                    history.add(number, taken);
                    waiting.erase(taken.name);
                  });
  EXPECT_EQ(history.counts(number), (CoverCounts{{line_a, 1}, {line_b, 4}, {range, 2}}));
}

TEST_F(NightCoverageTest, SaysWhatOpenedAndClosedSinceTheLastNightThatCounted) {
  History history(database());
  EXPECT_EQ(coverage_of(history, night(history, {}), {}), std::nullopt);
  night(history, {{line_a, 1}, {line_b, 0}});
  night(history, {});  // counts nothing
  const std::int64_t last = night(history, {{line_a, 0}, {line_b, 7}, {range, 1}});
  const NightCoverage coverage = coverage_of(history, last, {}).value();
  EXPECT_EQ(coverage.before, 2);
  EXPECT_EQ(coverage.opened, (std::vector{line_a}));
  EXPECT_EQ(coverage.closed, (std::vector{line_b, range}));
  EXPECT_EQ(coverage_sentence(coverage),
            "coverage: 50.00 % of 2 line points, 100.00 % of 1 named points; holes since night 2: 1 opened, 2 closed");
  const std::string page = coverage_section(coverage);
  EXPECT_NE(page.find("<td>line points</td><td class=n>2</td><td class=n>0</td><td class=n>1</td><td class=n>50.00 "
                      "%</td><td class=n>1</td><td class=n>1</td>"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("<li>line, ocs_core.sv: 7:3 block</li>"), std::string::npos) << page;
}

TEST_F(NightCoverageTest, LeavesOutWhatIsExcluded) {
  History history(database());
  night(history, {{line_a, 1}, {line_b, 0}});
  const std::int64_t last = night(history, {{line_a, 0}, {line_b, 1}});
  const auto exclusions =
      rtl::parse_exclusions("line ocs_core.sv 7:3_block # r\nline ocs_core.sv 1:1_if # r\n", "list");
  const NightCoverage coverage = coverage_of(history, last, exclusions).value();
  EXPECT_EQ(coverage.opened, std::vector<CoverPoint>{});
  EXPECT_EQ(totals_of(coverage).front().value, 100);
  EXPECT_NE(coverage_section(coverage).find("exclusion &quot;line ocs_core.sv 1:1_if&quot; meets no point"),
            std::string::npos)
      << coverage_section(coverage);
}

TEST_F(NightCoverageTest, IsAMetricOfFinishedNights) {
  History history(database());
  night(history, {{line_a, 1}, {line_b, 0}});
  night(history, {});
  night(history, {{line_a, 1}, {line_b, 1}});
  history.set_totals(history.begin({}), {{.row = 0, .column = "coverage_line", .value = 12}});  // goes on
  const std::vector<NightValue> values = history.metric("coverage_line", "");
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].night.number, 1);
  EXPECT_EQ(values[0].value, 50);
  EXPECT_EQ(values[1].value, 100);
  EXPECT_EQ(coverage_metrics(), (std::vector<std::string>{"coverage_line", "coverage_toggle", "coverage_named"}));
}

TEST_F(NightCoverageTest, NamesRulesOfTheContract) {
  EXPECT_EQ(name_in_rules(range), "core.see_range");
  EXPECT_EQ(name_in_rules({PointKind::named, "axil_checker.sv", "see_no_strobe"}), "axil.see_no_strobe");
  NightCoverage coverage;
  coverage.summary =
      rtl::summary_of({{range, 0}, {{PointKind::named, "ocs_core_checks.sv", "see_conflict"}, 2}, {own, 0}}, {});
  const std::string page = coverage_section(coverage);
  EXPECT_NE(page.find("<tr><td>3.4</td><td>"), std::string::npos) << page;
  EXPECT_NE(page.find("<td class=\"n bad\">1 of 2</td><td>core.see_range</td></tr>"), std::string::npos) << page;
  EXPECT_NE(page.find("<td>no rule</td><td class=\"n bad\">0 of 1</td><td>mine.see_mine</td></tr>"), std::string::npos)
      << page;
  EXPECT_EQ(page.find("<tr><td>2.5</td>"), std::string::npos) << "a rule without a point that exists";
}

TEST_F(NightCoverageTest, ContinuesAHistoryOfTheFirstVersion) {
  {
    Sqlite file(database(), Sqlite::Access::write);
    file.execute(
        "CREATE TABLE night (night INTEGER PRIMARY KEY, started TEXT NOT NULL, finished TEXT, suite TEXT NOT NULL, "
        "suite_hash TEXT NOT NULL, version TEXT NOT NULL, seed TEXT NOT NULL)");
    file.execute(
        "CREATE TABLE result (night INTEGER NOT NULL REFERENCES night, name TEXT NOT NULL, suite_table TEXT NOT NULL, "
        "verdict TEXT NOT NULL, seconds REAL NOT NULL, attempts INTEGER NOT NULL, sentence TEXT NOT NULL, cause TEXT "
        "NOT NULL, folder TEXT NOT NULL, PRIMARY KEY (night, name)) WITHOUT ROWID");
    file.execute(
        "CREATE TABLE measure (night INTEGER NOT NULL REFERENCES night, name TEXT NOT NULL, row INTEGER NOT NULL, "
        "measured TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (night, name, row, measured)) WITHOUT ROWID");
    file.execute("INSERT INTO night VALUES (1, 'then', 'later', 's', 'h', 'v', '5')");
    file.execute("PRAGMA application_id = " + std::to_string(0x4c4c5247));
    file.execute("PRAGMA user_version = 1");
  }
  History history(database());
  EXPECT_EQ(night(history, {{line_a, 1}}), 2);
  EXPECT_EQ(history.nights().front().started, "then");
}

TEST_F(NightCoverageTest, RefusesDamagedCounts) {
  {
    History history(database());
    night(history, {{line_a, 1}, {line_b, 0}});
  }
  for (const std::string counts : {"1 x ", "1 0", "1 0 3 ", "-1 0 ", "1  "}) {
    Sqlite(database(), Sqlite::Access::write).execute("UPDATE counted SET counts = '" + counts + "'");
    EXPECT_THROW(History(database()).counts(1), Error) << counts;
  }
}

}  // namespace
}  // namespace ocs::regress
