// Nights, results and measures as tables.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/history.hpp"

#include <charconv>

#include "host/core/error.hpp"

namespace ocs::regress {
namespace {

constexpr std::int64_t application_id = 0x4c4c5247, history_version = 1;  // "LLRG"

constexpr const char* tables[] = {
    "CREATE TABLE night (night INTEGER PRIMARY KEY, started TEXT NOT NULL, finished TEXT, suite TEXT NOT NULL, "
    "suite_hash TEXT NOT NULL, version TEXT NOT NULL, seed TEXT NOT NULL)",
    "CREATE TABLE result (night INTEGER NOT NULL REFERENCES night, name TEXT NOT NULL, suite_table TEXT NOT NULL, "
    "verdict TEXT NOT NULL, seconds REAL NOT NULL, attempts INTEGER NOT NULL, sentence TEXT NOT NULL, cause TEXT NOT "
    "NULL, folder TEXT NOT NULL, PRIMARY KEY (night, name)) WITHOUT ROWID",
    "CREATE TABLE measure (night INTEGER NOT NULL REFERENCES night, name TEXT NOT NULL, row INTEGER NOT NULL, "
    "measured TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (night, name, row, measured)) WITHOUT ROWID"};

void check_owner(Sqlite& file) {
  if (file.number("SELECT count(*) FROM sqlite_master") == 0) return;
  if (file.number("PRAGMA application_id") != application_id)
    refuse("\"" + file.name() + "\" is a database of another program; name another folder");
  if (file.number("PRAGMA user_version") > history_version)
    refuse("\"" + file.name() + "\" was written by a newer lightloop");
}

double real_of(const Sqlite::Statement& row, int column, Sqlite& file) {
  const std::string text = row.text(column);
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size())
    refuse("database \"" + file.name() + "\" is damaged: \"" + row.name(column) + "\" must hold a number");
  return value;
}

std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (failed != std::errc() || end != text.data() + text.size()) refuse("the seed of a night must be a whole number");
  return seed;
}

constexpr const char* night_columns = "SELECT night, started, finished, suite, suite_hash, version, seed FROM night ";

Night night_of(const Sqlite::Statement& row) {
  return {.number = row.whole(0),
          .started = row.text(1),
          .finished = row.is_null(2) ? "" : row.text(2),
          .suite = row.text(3),
          .suite_hash = row.text(4),
          .version = row.text(5),
          .seed = seed_of(row.text(6))};
}

}  // namespace

History::History(const std::string& file) : file_(file, Sqlite::Access::write) {
  check_owner(file_);
  file_.execute_when_free("PRAGMA journal_mode = WAL");
  file_.execute("PRAGMA synchronous = NORMAL");
  file_.execute("BEGIN IMMEDIATE");
  if (file_.number("PRAGMA user_version") == 0) {
    file_.execute("PRAGMA application_id = " + std::to_string(application_id));
    for (const char* table : tables) file_.execute(table);
    file_.execute("PRAGMA user_version = " + std::to_string(history_version));
  }
  file_.execute("COMMIT");
}

std::int64_t History::begin(const Night& night) {
  file_.begin_run();
  Sqlite::Statement insert(file_,
                           "INSERT INTO night (started, suite, suite_hash, version, seed) VALUES (?, ?, ?, ?, ?)");
  insert.bind(night.started).bind(night.suite).bind(night.suite_hash).bind(night.version);
  insert.bind(std::to_string(night.seed)).step();
  return insert.last_row();
}

void History::finish(std::int64_t night, const std::string& when) {
  Sqlite::Statement(file_, "UPDATE night SET finished = ? WHERE night = ?").bind(when).bind(night).step();
}

std::vector<Night> History::nights() {
  std::vector<Night> out;
  Sqlite::Statement rows(file_, std::string(night_columns) + "ORDER BY night");
  while (rows.step()) out.push_back(night_of(rows));
  return out;
}

std::optional<Night> History::unfinished() {
  Sqlite::Statement row(file_, std::string(night_columns) + "ORDER BY night DESC LIMIT 1");
  if (!row.step()) return std::nullopt;
  Night night = night_of(row);
  return night.finished.empty() ? std::optional(night) : std::nullopt;
}

void History::add(std::int64_t night, const Result& result) {
  file_.begin_run();
  file_.execute("BEGIN IMMEDIATE");
  Sqlite::Statement insert(file_, "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(night).bind(result.name).bind(result.table).bind(std::string(name_of(result.outcome.verdict)));
  insert.bind(result.outcome.seconds).bind(result.attempts).bind(result.outcome.sentence);
  insert.bind(result.outcome.cause).bind(result.folder).step();
  Sqlite::Statement measure(file_, "INSERT INTO measure VALUES (?, ?, ?, ?, ?)");
  for (const Measure& each : result.outcome.measures) {
    measure.bind(night).bind(result.name).bind(each.row).bind(each.column).bind(each.value).step();
    measure.reset();
  }
  file_.execute("COMMIT");
}

std::vector<Result> History::results(std::int64_t night) {
  std::vector<Result> out;
  Sqlite::Statement rows(file_,
                         "SELECT name, suite_table, verdict, cast(seconds AS TEXT), attempts, sentence, cause, folder "
                         "FROM result WHERE night = ? ORDER BY folder, name");
  rows.bind(night);
  while (rows.step()) {
    Result& result = out.emplace_back();
    result.name = rows.text(0);
    result.table = rows.text(1);
    result.outcome.verdict = verdict_named(rows.text(2));
    result.outcome.seconds = real_of(rows, 3, file_);
    result.attempts = rows.whole(4);
    result.outcome.sentence = rows.text(5);
    result.outcome.cause = rows.text(6);
    result.folder = rows.text(7);
  }
  return out;
}

std::vector<Measure> History::measures(std::int64_t night, const std::string& name) {
  std::vector<Measure> out;
  Sqlite::Statement rows(file_,
                         "SELECT row, measured, cast(value AS TEXT) FROM measure WHERE night = ? AND name = ? ORDER BY "
                         "row, measured");
  rows.bind(night).bind(name);
  while (rows.step()) out.push_back({rows.whole(0), rows.text(1), real_of(rows, 2, file_)});
  return out;
}

std::map<std::string, double> History::last_seconds() {
  std::map<std::string, double> out;
  Sqlite::Statement rows(file_, "SELECT name, cast(seconds AS TEXT), max(night) FROM result GROUP BY name");
  while (rows.step()) out[rows.text(0)] = real_of(rows, 1, file_);
  return out;
}

std::int64_t History::failures(std::int64_t night) {
  return file_.number("SELECT count(*) FROM result WHERE folder <> '' AND night = " + std::to_string(night));
}

std::set<std::string> History::last_failed() {
  std::set<std::string> out;
  Sqlite::Statement rows(file_,
                         "SELECT name FROM (SELECT name, verdict, max(night) FROM result GROUP BY name) WHERE verdict "
                         "<> 'passed'");
  while (rows.step()) out.insert(rows.text(0));
  return out;
}

std::vector<NightValue> History::metric(const std::string& column, const std::string& table) {
  const bool seconds = column == "seconds";
  const std::string value = seconds ? "sum(seconds)" : "avg(measure.value)";
  const std::string source =
      seconds ? "result" : "result JOIN measure ON measure.night = result.night AND measure.name = result.name";
  Sqlite::Statement rows(
      file_,
      "SELECT night.night, started, finished, suite, suite_hash, version, seed, cast(" + value + " AS TEXT) FROM " +
          source +
          " JOIN night ON night.night = result.night WHERE finished IS NOT NULL AND finished <> 'given up' AND verdict "
          "= 'passed' AND (? = '' OR suite_table = ?)" +
          (seconds ? "" : " AND measured = ?") + " GROUP BY night.night ORDER BY night.night");
  rows.bind(table).bind(table);
  if (!seconds) rows.bind(column);
  std::vector<NightValue> out;
  while (rows.step()) out.push_back({night_of(rows), real_of(rows, 7, file_)});
  return out;
}

}  // namespace ocs::regress
