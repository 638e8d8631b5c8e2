// What is read back from a database: resolved experiments, event logs, older and damaged files.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <random>

#include "testbed/experiment/point_record.hpp"
#include "testbed/results/database/database.hpp"
#include "testbed/results/database/stored_rows.hpp"
#include "testbed/results/events/event_log.hpp"
#include "tests/common/places.hpp"
#include "tests/experiment/results_support.hpp"
#include "tests/experiment/support.hpp"

namespace ocs::test {
namespace {

Event event(std::int64_t at, std::uint16_t port, EventKind kind = EventKind::up) {
  return {.at = Cycles{at}, .plane = {}, .kind = kind, .port = port, .burst = Id{7}, .words = {Words{2}, Words{3}}};
}

std::vector<Event> log_of(std::size_t count) {
  std::vector<Event> log;
  for (std::size_t k = 0; k < count; ++k) log.push_back(event(static_cast<std::int64_t>(10 * k), 3));
  return log;
}

/// A row of an experiment of today with its event log.
void write(const std::string& file, const std::string& text = "policy = 'hlf'", std::size_t events = 20) {
  const Experiment experiment = resolved(text);
  const ExperimentRecord whole = record_of(experiment, ocs::test::source_dir() + "/x.toml", "0");
  Database database(file, whole, "");
  for (std::size_t k = 0; k < experiment.points.size(); ++k) {
    database.resolved(record_of_row(experiment, k, whole));
    database.events(log_of(events));
    Row one = row(experiment.points[k].policy, 7);
    one.version = "0";
    one.events = static_cast<std::int64_t>(events);
    database.row(to_fields(one));
  }
}

TEST_F(Results, StoredRowComesBackWithItsExperimentAndItsEvents) {
  write(path("r.db"), "policy = ['sunflow', 'hlf']\nseed = [3, 4]\n[fabric]\ntuning = '11.5 us'");
  StoredRows stored(path("r.db"));
  const StoredRow third = stored.row(3);
  EXPECT_EQ(third.policy, "sunflow");
  EXPECT_EQ(third.event_log_hash, 0xabcULL);
  const Point point = point_of(third.resolved, few_names(), "row 3");
  EXPECT_EQ(point.seed, 4u);
  EXPECT_EQ(point.fabric.tuning, Picos{11'500'000});
  EXPECT_EQ(point.name, "x");
  const std::vector<Event> log = stored.events(third);
  ASSERT_EQ(log.size(), 20u);
  EXPECT_EQ(numbers_of(log[19]), numbers_of(event(190, 3)));
}

TEST_F(Results, StoredRowsAreReadWhileAnotherProcessAddsColumns) {
  write(path("r.db"));
  StoredRows stored(path("r.db"));
  const auto before = stored.values(stored.row(1));
  execute(path("r.db"), "ALTER TABLE row ADD COLUMN empty INTEGER");
  EXPECT_EQ(stored.values(stored.row(1)), before);
  execute(path("r.db"), "ALTER TABLE row ADD COLUMN filled INTEGER DEFAULT 5");
  EXPECT_THAT(refusal([&] { stored.row(1); }), testing::HasSubstr("its checksum is "));
}

TEST_F(Results, StoredRowsThatAreNotThereOrNotWholeAreRefused) {
  write(path("r.db"));
  const std::string name = "row 1 of \"" + path("r.db") + "\"";
  const auto complaint = [&] {
    return refusal([&] {
      StoredRows stored(path("r.db"));
      stored.events(stored.row(1));
    });
  };
  EXPECT_EQ(refusal([&] { StoredRows(path("r.db")).row(2); }),
            "row 2 does not exist in \"" + path("r.db") + "\" (rows: 1 to 1)");
  execute(path("r.db"), "UPDATE checksum SET hash = 'none'; UPDATE event SET kind = 11 WHERE number = 4");
  EXPECT_EQ(complaint(), "a kept event has kind = 11, but must have 0 to 10");
  execute(path("r.db"), "UPDATE event SET kind = 'up' WHERE number = 4");
  EXPECT_EQ(complaint(), "database \"" + path("r.db") + "\" is damaged: column \"kind\" must hold a whole number");
  execute(path("r.db"), "DELETE FROM event WHERE number = 4");
  EXPECT_EQ(complaint(), "the event log of " + name + " lacks event 4");
  execute(path("r.db"), "UPDATE row SET event_log_hash = 'abc'");
  EXPECT_EQ(complaint(), name + " has an event_log_hash that isn't 16 hexadecimal digits");
  execute(path("r.db"), "UPDATE resolved SET experiment = '{}'");
  execute(path("r.db"), "UPDATE row SET event_log_hash = NULL");
  EXPECT_EQ(complaint(), name + " holds no record of an experiment: it has no text \"name\"");
  execute(path("r.db"), "DELETE FROM resolved");
  EXPECT_EQ(complaint(), name + " was written by lightloop 0, which didn't keep its resolved experiment");
}

TEST_F(Results, StoredFilesThatAreNoneOfItsAreRefused) {
  EXPECT_EQ(
      refusal([&] { StoredRows(path("none.db")); }),
      "database \"" + path("none.db") + "\" can't be read: unable to open database file: No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(path("none.db")));
  std::ofstream(path("empty.db")).flush();
  EXPECT_EQ(refusal([&] { StoredRows(path("empty.db")); }),
            "\"" + path("empty.db") + "\" holds no results of lightloop");
  std::ofstream(path("text.db")) << std::string(4096, 'x');
  EXPECT_EQ(refusal([&] { StoredRows(path("text.db")); }),
            "\"" + path("text.db") + "\" is not an SQLite database; name another file");
  write(path("newer.db"));
  execute(path("newer.db"), "PRAGMA user_version = 99");
  EXPECT_NE(refusal([&] { StoredRows(path("newer.db")); }).find("has schema version 99, from a newer lightloop"),
            std::string::npos);
  execute(path("newer.db"), "PRAGMA user_version = -1");
  for (const auto& open : {std::function<void()>([&] { StoredRows(path("newer.db")); }),
                           std::function<void()>([&] { Database(path("newer.db"), record(), ""); })})
    EXPECT_NE(refusal(open).find("has schema version -1, which no lightloop writes"), std::string::npos);
  EXPECT_EQ(query(path("newer.db"), "PRAGMA user_version"), "-1");
}

/// Byte 18 is the version that a writer must know: above 2, SQLite reads the file and refuses to write to it.
TEST_F(Results, DatabaseRefusesAHeaderThatForbidsWriting) {
  write(path("flipped.db"));
  std::fstream file(path("flipped.db"), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(18);
  file.put('\x11');
  file.close();
  EXPECT_EQ(refusal([&] { Database(path("flipped.db"), record(), ""); }),
            "\"" + path("flipped.db") + "\" is damaged or was altered: its header forbids writing to it");
}

/// Rows are written by the place of a column, and read by its name.
TEST_F(Results, DatabaseRefusesColumnsWhoseNamesAreDamaged) {
  for (const auto& [table, column] :
       {std::pair<std::string, std::string>{"row", "seed"}, {"job", "workers"}, {"event", "port"}}) {
    const std::string file = path(table + ".db");
    write(file);
    execute(file, "ALTER TABLE " + table + " RENAME COLUMN " + column + " TO sedd");
    const std::string sentence =
        "\"" + file + "\" is damaged or was altered: its table \"" + table + "\" has no column \"" + column + "\"";
    EXPECT_EQ(refusal([&] { StoredRows{file}; }), sentence);
    EXPECT_EQ(refusal([&] { Database(file, record(), ""); }), sentence);
  }
}

/// A number with a fraction becomes another one where its column doesn't hold such numbers any more.
TEST_F(Results, DatabaseRefusesColumnsWhoseTypesAreDamaged) {
  for (const auto& [table, column] :
       {std::pair<std::string, std::string>{"row", "pst_over_bound"}, {"curve", "loss"}}) {
    const std::string file = path(table + ".db");
    write(file);
    execute(file, "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace(replace(sql, '" + column +
                      "\" REAL', '" + column + "\" RDAL'), '" + column + " REAL', '" + column + " RDAL')");
    const std::string sentence = "\"" + file + "\" is damaged or was altered: its table \"" + table +
                                 "\" has a column \"" + column + "\" that holds RDAL instead of REAL";
    EXPECT_EQ(refusal([&] { StoredRows{file}; }), sentence);
    EXPECT_EQ(refusal([&] { Database(file, record(), ""); }), sentence);
  }
}

/// A view could go on for ever, a virtual table run code, and a trigger change rows as they are written.
TEST_F(Results, DatabaseExecutesNothingThatItsSchemaNames) {
  write(path("view.db"));
  execute(path("view.db"),
          "ALTER TABLE row RENAME TO kept; CREATE VIEW row AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
          "FROM n) SELECT kept.* FROM kept, n WHERE n.i < 0");
  write(path("virtual.db"));
  execute(path("virtual.db"), "DROP TABLE event; CREATE VIRTUAL TABLE event USING fts5(row_id)");
  const auto expect_refused = [this](const std::string& file, const std::string& what) {
    const std::string sentence = "\"" + file + "\" is damaged or was altered: its \"" + what + "\" isn't a table";
    EXPECT_EQ(refusal([&] { StoredRows{file}; }), sentence);
    EXPECT_EQ(refusal([&] { Database(file, record(), ""); }), sentence);
  };
  expect_refused(path("view.db"), "row");
  expect_refused(path("virtual.db"), "event");
  write(path("trigger.db"));
  execute(path("trigger.db"),
          "CREATE TRIGGER faster AFTER INSERT ON row BEGIN UPDATE row SET pst_mean_ps = 1 WHERE row_id = NEW.row_id; "
          "END");
  write(path("trigger.db"));
  EXPECT_EQ(query(path("trigger.db"), "SELECT pst_mean_ps FROM row WHERE row_id = 2"), "7000000000");
}

TEST_F(Results, DatabaseOfTheFirstVersionIsBroughtUpAndKeepsItsRows) {
  write(path("old.db"));
  for (const Column& column : row_columns())
    if (column.name.starts_with("node_") || column.name.starts_with("port_"))
      execute(path("old.db"), "ALTER TABLE row DROP COLUMN " + std::string(column.name));
  execute(path("old.db"), "DROP TABLE resolved; DROP TABLE checksum");
  execute(path("old.db"), "PRAGMA user_version = 1");
  EXPECT_NE(refusal([&] { StoredRows(path("old.db")); }).find("has schema version 1, from an older lightloop"),
            std::string::npos);
  write(path("old.db"));
  StoredRows stored(path("old.db"));
  EXPECT_EQ(stored.row(2).policy, "hlf");
  EXPECT_NE(refusal([&] { stored.row(1); }).find("didn't keep its resolved experiment"), std::string::npos);
  EXPECT_EQ(stored.sound_rows("0").size(), 1u);
  EXPECT_EQ(query(path("old.db"), "SELECT count(*) FROM checksum WHERE hash = 'none'"), "1");
  EXPECT_EQ(stored.warning(),
            "row 1 of \"" + path("old.db") +
                "\" has no checksum, because an older lightloop wrote it: damage would not be noticed");
}

TEST_F(Results, DamagedDatabaseIsReadOrRefusedButNeverCrashes) {
  write(path("good.db"));
  const std::string good = read(path("good.db"));
  constexpr std::uint64_t seed = 11;
  std::mt19937_64 random(seed);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string bad = good;
    for (std::uint64_t flips = 1 + random() % 40; flips > 0; --flips)
      bad[random() % bad.size()] = static_cast<char>(random());
    if (round % 10 == 0) bad.resize(random() % bad.size());
    std::ofstream(path("bad.db"), std::ios::binary) << bad;
    try {
      StoredRows stored(path("bad.db"));
      const StoredRow one = stored.row(1);
      stored.events(one);
      stored.sound_rows("0");
      point_of(one.resolved, few_names(), "row 1");
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "") << "seed " << seed;
      ++refused;
    }
    std::filesystem::remove(path("bad.db-wal"));
    std::filesystem::remove(path("bad.db-shm"));
  }
  EXPECT_GT(refused, 20);
  EXPECT_LT(refused, 300);
}

/// All that is read of a database with two rows, as text.
std::string all_of(const std::string& file) {
  StoredRows stored(file);
  std::string text;
  for (const StoredRow& row : stored.sound_rows("0")) text += std::to_string(row.id) + to_json(row.resolved);
  for (const std::int64_t id : {1, 2}) {
    const StoredRow row = stored.row(id);
    for (const auto& [name, value] : stored.values(row)) text += name + "=" + value + "\n";
    for (const Event& event : stored.events(row)) text += to_text(event) + "\n";
  }
  return text;
}

TEST_F(Results, EverySingleBitThatFlipsIsNoticedOrChangesNothing) {
  write(path("good.db"), "policy = ['sunflow', 'hlf']");
  const std::string good = read(path("good.db")), all = all_of(path("good.db"));
  constexpr std::uint64_t seed = 5;
  std::mt19937_64 random(seed);
  int refused = 0;
  for (int round = 0; round < 600; ++round) {
    const std::size_t bit = random() % (8 * good.size());
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    std::ofstream(path("bad.db"), std::ios::binary) << bad;
    try {
      EXPECT_TRUE(all_of(path("bad.db")) == all) << "bit " << bit;
    } catch (const Error&) {
      ++refused;
    }
    for (const char* name : {"bad.db", "bad.db-wal", "bad.db-shm"}) std::filesystem::remove(path(name));
  }
  EXPECT_GT(refused, 20);
}

TEST_F(Results, RowThatWasAlteredAnywhereIsRefused) {
  for (const char* change : {"UPDATE run SET started = 'x'", "UPDATE row SET bytes_delivered = bytes_delivered + 1",
                             "UPDATE row SET wall_time_s = wall_time_s * 1.000000001", "UPDATE row SET bound_ps = NULL",
                             "UPDATE resolved SET experiment = experiment || ' '", "DELETE FROM resolved",
                             "UPDATE event SET at = at + 1 WHERE number = 4", "DELETE FROM event WHERE number = 19",
                             "UPDATE checksum SET hash = '0123456789abcdef'", "DELETE FROM checksum",
                             "UPDATE checksum SET row_id = 9 WHERE row_id = 1"}) {
    std::filesystem::remove(path("r.db"));
    write(path("r.db"));
    execute(path("r.db"), change);
    for (const auto& act : {std::function<void(StoredRows&)>([](StoredRows& stored) { stored.row(1); }),
                            std::function<void(StoredRows&)>([](StoredRows& stored) { stored.sound_rows("0"); })})
      EXPECT_NE(refusal([&] {
                  StoredRows stored(path("r.db"));
                  act(stored);
                }).find("is damaged or was altered: it"),
                std::string::npos)
          << change;
  }
}

TEST_F(Results, DatabaseLosesNothingElseWithARowThatFails) {
  write(path("r.db"));
  Database database(path("r.db"), record(), "");
  const std::pair<std::string, Value> wrong{"no such column", std::int64_t{1}};
  database.events(log_of(2));
  EXPECT_THROW(database.row({&wrong, 1}), Error);
  database.row(to_fields(row("hlf", 9)));  // without the events of the row that failed
  EXPECT_EQ(query(path("r.db"), "SELECT group_concat(row_id) FROM row"), "1,2");
  EXPECT_EQ(query(path("r.db"), "SELECT max(row_id) || count(*) FROM event"), "120");
}

TEST(Record, ComesBackFromItsJson) {
  ExperimentRecord record = test::record();
  record.keys.push_back({"x", {0.5, std::int64_t{-3}, "\"quoted\"\n", false}, true});
  record.workload_hash = "0123456789abcdef";
  EXPECT_EQ(to_json(record_from_json(to_json(record), "it")), to_json(record));
}

TEST(Record, RefusesWhatIsNone) {
  const auto complaint = [](const std::string& text) {
    const std::string sentence = refusal([&] { record_from_json(text, "it"); });
    EXPECT_EQ(sentence.substr(0, 38), "it holds no record of an experiment: i") << sentence;
    return sentence.substr(std::min<std::size_t>(37, sentence.size()));
  };
  for (const std::string text : {"", "[", "7", "null", "{", "\xff"}) EXPECT_EQ(complaint(text), "it is no JSON object");
  EXPECT_EQ(complaint(std::string(1 << 20, '[')), "it is no JSON object");
  EXPECT_EQ(complaint(R"({"name":"n","file":1})"), "it has no text \"file\"");
  EXPECT_EQ(complaint(R"({"name":"n","file":"f","version":"v"})"), "it has no object \"keys\"");
  const std::string head = R"({"name":"n","file":"f","version":"v","keys":{"k":)";
  for (const std::string value : {"null", "{}", "[[1]]", "18446744073709551615"})
    refusal([&] { record_from_json(head + value + "}}", "it"); });
  refusal([&] { record_from_json(head + "[]}}", "it"); });
}

TEST(Record, OfARowMeansThatRowWhereverItIsRead) {
  const Experiment experiment = resolved(
      "policy = ['sunflow', 'hlf']\nfabric.ports = [8, 9]\njob.workers = 3\njob.servers = 2\n"
      "job.workload = 'file:testbed/experiments/tiny.csv'");
  const ExperimentRecord whole = record_of(experiment, ocs::test::source_dir() + "/x.toml", "0");
  for (std::size_t k = 0; k < 4; ++k) {
    Point point = point_of(record_of_row(experiment, k, whole), few_names(), "it");
    EXPECT_EQ(point.job.workload_name, "file:" + ocs::test::source_dir() + "/testbed/experiments/tiny.csv");
    point.job.workload_name = experiment.points[k].job.workload_name;
    point.job.workload = experiment.points[k].job.workload;
    EXPECT_TRUE(point == experiment.points[k]) << k;
  }
}

TEST(Record, OfAnotherTableIsRefused) {
  const Experiment experiment = resolved("policy = 'hlf'");
  ExperimentRecord record = record_of_row(experiment, 0, record_of(experiment, "x.toml", "0"));
  Names names = few_names();
  names.load_workload = [](std::string_view name) {
    return load_workload(name == "resnet50" ? "resnet101" : name, ocs::test::source_dir() + "/testbed/workloads", "");
  };
  EXPECT_EQ(
      refusal([&] { point_of(record, names, "row 3"); }),
      "row 3 was run with another table \"resnet50\" than the one of that name now; only the same tensors give the "
      "same result");
  for (auto& key : record.keys)
    if (key.key == "policy") key = {"policy", {"hlf", "sunflow"}, true};
  EXPECT_EQ(refusal([&] { point_of(record, few_names(), "row 3"); }),
            "row 3 has the experiment of 2 rows, but must have that of one");
}

TEST_F(Results, RowsThereAreFoundHoweverTheirQuantitiesAreWritten) {
  write(path("r.db"), "policy = ['sunflow', 'hlf']\n[fabric]\ntuning = '1 us'");
  const Names names = few_names();
  const RowsThere there(StoredRows(path("r.db")).sound_rows("0"), names);
  const auto find = [&](const std::string& text, const std::vector<std::string>& set = {}) {
    const Experiment experiment = resolved(text, set);
    const StoredRow* row = there.find(record_of_row(experiment, 0, record_of(experiment, "x.toml", "0")));
    return row == nullptr ? 0 : row->id;
  };
  EXPECT_EQ(find("policy = 'hlf'\nfabric.tuning = '1000 ns'"), 2);
  EXPECT_EQ(find("policy = 'sunflow'\nfabric.tuning = '0.001 ms'\njob.workers = 12"), 1);
  EXPECT_EQ(find("policy = 'hlf'"), 0);
  for (const char* other : {"seed=2", "name=y", "policy=psscheduler", "job.payload=none", "nodes.timeout=29 s"})
    EXPECT_EQ(find("policy = 'hlf'\nfabric.tuning = '1 us'", {other}), 0) << other;
  EXPECT_EQ(StoredRows(path("r.db")).sound_rows("1").size(), 0u);  // of another version
  execute(path("r.db"),
          "UPDATE row SET sum_errors = 1 WHERE row_id = 1; UPDATE checksum SET hash = 'none' WHERE row_id = 1");
  EXPECT_EQ(StoredRows(path("r.db")).sound_rows("0").size(), 1u);
}

TEST(EventLog, ComesBackFromItsNumbersAndRefusesOthers) {
  for (int kind = 0; kind <= 10; ++kind) {
    const Event one{.at = Cycles{1'000'000'007},
                    .plane = Plane{2},
                    .kind = static_cast<EventKind>(kind),
                    .port = 255,
                    .burst = Id{0xffff'ffff},
                    .words = {Words{5}, Words{6}}};
    EXPECT_EQ(numbers_of(event_of(numbers_of(one))), numbers_of(one));
    EXPECT_EQ(to_text(one).substr(0, 26), "cycle 1000000007  plane 2 ");
  }
  const EventNumbers most = {
      std::numeric_limits<std::int64_t>::max(), 255, 10, 255, 0xffff'ffff, 0xffff'ffff, 0xffff'ffff};
  event_of(most);
  for (std::size_t k = 0; k < most.size(); ++k) {
    EventNumbers wrong = most;
    wrong[k] = -1;
    refusal([&] { event_of(wrong); });
    if (k > 0) wrong[k] = most[k] + 1;
    refusal([&] { event_of(wrong); });
  }
}

std::string difference(const std::vector<Event>& then, const std::vector<Event>& now) {
  LogComparison comparison(then);
  for (const Event& one : now) comparison.add(one);
  return comparison.finish() ? "" : comparison.report();
}

TEST(EventLog, ShowsTheFirstDifferenceWithTheTenBeforeIt) {
  const std::vector<Event> log = log_of(30);
  EXPECT_EQ(difference(log, log), "");
  std::vector<Event> other = log;
  other[14].port = 4;
  other[20].port = 5;
  std::string expected = "first difference: event 14 of 30 then and 30 now\n";
  for (int k = 4; k < 14; ++k)
    expected += std::string("              ") + (k < 10 ? " " : "") + std::to_string(k) + "  cycle " +
                std::to_string(10 * k) + "  output 3 up\n";
  EXPECT_EQ(difference(log, other),
            expected + "  then        14  cycle 140  output 3 up\n  now         14  cycle 140  output 4 up\n");
}

TEST(EventLog, ShowsWhereALogEndsEarlier) {
  const std::vector<Event> longer = log_of(2), shorter = log_of(1);
  const std::string before = "               0  cycle 0  output 3 up\n";
  EXPECT_EQ(difference(longer, shorter),
            "first difference: event 1 of 2 then and 1 now\n" + before +
                "  then         1  cycle 10  output 3 up\n  now          1  (the log has ended)\n");
  EXPECT_EQ(difference(shorter, longer),
            "first difference: event 1 of 1 then and 2 now\n" + before +
                "  then         1  (the log has ended)\n  now          1  cycle 10  output 3 up\n");
  EXPECT_EQ(difference({}, {}), "");
}

TEST(EventLog, NoticesEveryNumberOfAnEvent) {
  const std::vector<Event> log = log_of(1);
  for (std::size_t k = 0; k < EventNumbers{}.size(); ++k) {
    EventNumbers numbers = numbers_of(log[0]);
    ++numbers[k];
    EXPECT_NE(difference(log, {event_of(numbers)}), "") << k;
  }
}

}  // namespace
}  // namespace ocs::test
