// The database: rows once written stay, several runs share it, files that are something else are refused.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database/database.hpp"

#include <sqlite3.h>

#include <nlohmann/json.hpp>

#include "testbed/results/database/schema.hpp"
#include "testbed/results/database/sqlite.hpp"
#include "tests/experiment/results_support.hpp"
#include "tests/experiment/support.hpp"

namespace ocs::test {
namespace {

TEST_F(Results, DatabaseHoldsRowsOnceTheyAreWritten) {
  Database database(path("r.db"), record(), "2026-01-31T12:00:00Z");
  database.row(to_fields(row("hlf", 7)));  // another connection sees it while this one is open
  EXPECT_EQ(query(path("r.db"), "SELECT policy || pst_mean_ps || event_log_hash FROM row"),
            "hlf70000000000000000000000abc");
  EXPECT_EQ(query(path("r.db"), "SELECT pst_over_psscheduler FROM row"), "null");
  EXPECT_EQ(query(path("r.db"), "SELECT started || run.name || file FROM run JOIN row USING (run_id)"),
            "2026-01-31T12:00:00Znn.toml");
  EXPECT_EQ(nlohmann::json::parse(query(path("r.db"), "SELECT experiment FROM run"))["keys"]["seed"], 1);
  EXPECT_EQ(query(path("r.db"), "PRAGMA user_version"), std::to_string(schema_version));
  EXPECT_EQ(query(path("r.db"), "PRAGMA journal_mode"), "wal");
}

TEST_F(Results, DatabaseHasAColumnForEveryField) {
  Database database(path("r.db"), record(), "");
  for (const Column& column : row_columns()) query(path("r.db"), "SELECT " + std::string(column.name) + " FROM row");
}

TEST_F(Results, DatabaseTakesRowsOfDifferentColumnsInTurn) {
  Database database(path("r.db"), record(), "");
  const auto fields = to_fields(row("hlf", 7));
  const std::vector<std::pair<std::string, Value>> few = {{"policy", "few"}, {"pst_mean_ps", std::int64_t{5}}};
  const std::vector<std::pair<std::string, Value>> turned = {{"pst_mean_ps", std::int64_t{6}}, {"policy", "turned"}};
  for (int round = 0; round < 2; ++round) {
    database.row(fields);
    database.row(few);
    database.row(turned);
  }
  EXPECT_EQ(query(path("r.db"), "SELECT group_concat(policy || pst_mean_ps) FROM row"),
            "hlf7000000000,few5,turned6,hlf7000000000,few5,turned6");
  EXPECT_EQ(query(path("r.db"), "SELECT count(events) FROM row"), "2");
}

TEST_F(Results, DatabaseNamesTheKindsOfEvents) {
  const auto names = [&] { return query(path("r.db"), "SELECT kind || name FROM event_kind ORDER BY kind"); };
  { Database database(path("r.db"), record(), ""); }
  EXPECT_EQ(names(), "0idle1tuning2locking3up4held5failed6run7burst_done8committed9refused10wrapped");
  execute(path("r.db"), "DROP TABLE event_kind; DROP VIEW setting; PRAGMA user_version = 15");
  { Database database(path("r.db"), record(), ""); }
  EXPECT_EQ(names(), "0idle1tuning2locking3up4held5failed6run7burst_done8committed9refused10wrapped");
  EXPECT_EQ(query(path("r.db"), "SELECT count(*) FROM setting"), "0");
  EXPECT_EQ(query(path("r.db"), "PRAGMA user_version"), std::to_string(schema_version));
}

TEST_F(Results, DatabaseKeepsEachRequestedValueBesideTheRoundedOne) {
  Row one = row("hlf", 1);
  one.tuning = {10'004'480};
  one.requested = {.tuning = Picos{10'000'000},
                   .locking = Picos{2},
                   .guard = Picos{3},
                   .lead = Picos{4},
                   .fibre = Picos{5},
                   .clock_spread = Picos{6}};
  Database database(path("r.db"), record(), "");
  ExperimentRecord resolved = record();
  resolved.keys = {{.key = "fabric.tuning", .values = {"10 us"}, .list = false},
                   {.key = "seed", .values = {std::int64_t{7}}, .list = false}};
  database.resolved(resolved);
  database.row(to_fields(one));
  EXPECT_EQ(query(path("r.db"),
                  "SELECT tuning_ps || ' ' || tuning_requested_ps || ' ' || locking_requested_ps || "
                  "guard_requested_ps || lead_requested_ps || fibre_requested_ps || "
                  "clock_spread_requested_ps FROM row"),
            "10004480 10000000 23456");
  EXPECT_EQ(query(path("r.db"), "SELECT row_id || key || value || ';' FROM setting"), "1fabric.tuning10 us;1seed7;");
}

TEST_F(Results, DatabaseTakesSeveralRunsAtOnce) {
  Database first(path("r.db"), record(), "1");
  Database second(path("r.db"), record(), "2");
  first.row(to_fields(row("hlf", 1)));
  second.row(to_fields(row("hlf", 2)));
  first.row(to_fields(row("hlf", 3)));
  EXPECT_EQ(query(path("r.db"), "SELECT started FROM row JOIN run USING (run_id) ORDER BY row_id"), "121");
}

TEST_F(Results, DatabaseKeepsEventsWithTheirRowAndDropsThemWithARunThatFailed) {
  const Event event{.at = Cycles{9}, .plane = {}, .kind = EventKind::up, .port = 3, .burst = Id{}, .words = {}};
  {
    Database database(path("r.db"), record(), "");
    database.events({&event, 1});
    database.row(to_fields(row("hlf", 1)));
    database.row(to_fields(row("hlf", 2)));
    database.events({&event, 1});
  }
  EXPECT_EQ(query(path("r.db"), "SELECT count(*) || max(row_id) || max(at) || max(port) FROM event"), "1193");
}

TEST_F(Results, DatabaseRefusesWhatIsNoDatabaseOfIts) {
  std::ofstream(path("text")) << std::string(4096, 'x');
  EXPECT_EQ(refusal([&] { Database(path("text"), record(), ""); }),
            "\"" + path("text") + "\" is not an SQLite database; name another file");
  EXPECT_EQ(read(path("text")), std::string(4096, 'x'));

  sqlite3* raw = nullptr;
  sqlite3_open(path("other").c_str(), &raw);
  sqlite3_exec(raw, "CREATE TABLE t (a)", nullptr, nullptr, nullptr);
  sqlite3_close(raw);
  EXPECT_EQ(refusal([&] { Database(path("other"), record(), ""); }),
            "\"" + path("other") + "\" is a database of another program; name another file, or a new one");

  { Database database(path("newer"), record(), ""); }
  sqlite3_open(path("newer").c_str(), &raw);
  const std::string next = std::to_string(schema_version + 1);
  sqlite3_exec(raw, ("PRAGMA user_version = " + next).c_str(), nullptr, nullptr, nullptr);
  sqlite3_close(raw);
  EXPECT_EQ(refusal([&] { Database(path("newer"), record(), ""); }),
            "\"" + path("newer") + "\" has schema version " + next +
                ", from a newer lightloop; this one knows versions up to " + std::to_string(schema_version));

  EXPECT_EQ(
      refusal([&] { Database(path("no/r.db"), record(), ""); }),
      "database \"" + path("no/r.db") + "\" can't be written: unable to open database file: No such file or directory");
}

TEST_F(Results, DatabaseQuotesNoMoreOfAStatementThanASentenceHolds) {
  Sqlite file(path("quoted"), Sqlite::Access::write);
  const std::string said =
      refusal([&] { file.execute("INSERT INTO nowhere VALUES (" + std::string(5000, '1') + ")"); });
  EXPECT_NE(said.find("no such table: nowhere (INSERT INTO nowhere VALUES (111"), std::string::npos) << said;
  EXPECT_LT(said.size(), 300U);
}

}  // namespace
}  // namespace ocs::test
