// Nights, results and measures as tables.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/history.hpp"

#include <charconv>

#include "host/core/error.hpp"

namespace ocs::regress {
namespace {

constexpr std::int64_t application_id = 0x4c4c5247, history_version = 2;  // "LLRG"

constexpr const char* first_tables[] = {
    "CREATE TABLE night (night INTEGER PRIMARY KEY, started TEXT NOT NULL, finished TEXT, suite TEXT NOT NULL, "
    "suite_hash TEXT NOT NULL, version TEXT NOT NULL, seed TEXT NOT NULL)",
    "CREATE TABLE result (night INTEGER NOT NULL REFERENCES night, name TEXT NOT NULL, suite_table TEXT NOT NULL, "
    "verdict TEXT NOT NULL, seconds REAL NOT NULL, attempts INTEGER NOT NULL, sentence TEXT NOT NULL, cause TEXT NOT "
    "NULL, folder TEXT NOT NULL, PRIMARY KEY (night, name)) WITHOUT ROWID",
    "CREATE TABLE measure (night INTEGER NOT NULL REFERENCES night, name TEXT NOT NULL, row INTEGER NOT NULL, "
    "measured TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (night, name, row, measured)) WITHOUT ROWID"};

/// Since version 2. A point's count stands at its number in `counts`, "-" if the night doesn't have it.
constexpr const char* coverage_tables[] = {
    "CREATE TABLE point (point INTEGER PRIMARY KEY, kind TEXT NOT NULL, file TEXT NOT NULL, name TEXT NOT NULL, UNIQUE "
    "(kind, file, name))",
    "CREATE TABLE counted (night INTEGER NOT NULL REFERENCES night, name TEXT NOT NULL, counts TEXT NOT NULL, PRIMARY "
    "KEY (night, name)) WITHOUT ROWID",
    "CREATE TABLE total (night INTEGER NOT NULL REFERENCES night, measured TEXT NOT NULL, value REAL NOT NULL, PRIMARY "
    "KEY (night, measured)) WITHOUT ROWID"};

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

[[noreturn]] void damaged(const Sqlite& file, const std::string& what) {
  refuse("database \"" + file.name() + "\" is damaged: " + what);
}

/// Counts by the number of their point; none of those that are not among a night's points.
using PointCounts = std::vector<std::optional<std::uint64_t>>;

std::string text_of(const PointCounts& counts) {
  std::string out;
  for (const auto& each : counts) out += each ? std::to_string(*each) + " " : "- ";
  return out;
}

PointCounts counts_in(const std::string& text, std::size_t points, const Sqlite& file) {
  PointCounts out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find(' ', at);
    std::uint64_t count = 0;
    const auto [rest, failed] = std::from_chars(text.data() + at, text.data() + std::min(end, text.size()), count);
    const bool number = failed == std::errc() && end != std::string::npos && rest == text.data() + end;
    if (!number && text.substr(at, 2) != "- ") damaged(file, "counts of coverage must be numbers");
    out.push_back(number ? std::optional(count) : std::nullopt);
    at = end + 1;
  }
  if (out.size() > points) damaged(file, "it has counts of points that it doesn't have");
  out.resize(points);
  return out;
}

std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (failed != std::errc() || end != text.data() + text.size()) refuse("the seed of a night must be a whole number");
  return seed;
}

constexpr const char* finished = "finished IS NOT NULL AND finished <> 'given up'";
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

std::vector<std::string> coverage_metrics() {
  std::vector<std::string> names;
  names.reserve(rtl::point_kinds);
  for (std::size_t kind = 0; kind < rtl::point_kinds; ++kind)
    names.push_back(std::string(coverage_columns) + std::string(name_of(static_cast<rtl::PointKind>(kind))));
  return names;
}

History::History(const std::string& file) : file_(file, Sqlite::Access::write) {
  check_owner(file_);
  file_.execute_when_free("PRAGMA journal_mode = WAL");
  file_.execute("PRAGMA synchronous = NORMAL");
  file_.execute("BEGIN IMMEDIATE");
  const std::int64_t version = file_.number("PRAGMA user_version");
  if (version == 0) {
    file_.execute("PRAGMA application_id = " + std::to_string(application_id));
    for (const char* table : first_tables) file_.execute(table);
  }
  if (version < history_version) {
    for (const char* table : coverage_tables) file_.execute(table);
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

void History::add(std::int64_t night, const Result& result, Counts counts) {
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
  if (!result.outcome.counts.empty())
    write_counts(night, counts == Counts::apart ? result.name : "", result.outcome.counts);
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

void History::load_points() {
  Sqlite::Statement rows(file_, "SELECT point, kind, file, name FROM point WHERE point > ? ORDER BY point");
  rows.bind(static_cast<std::int64_t>(points_.size()));
  while (rows.step()) {
    if (rows.whole(0) != static_cast<std::int64_t>(points_.size()) + 1) damaged(file_, "points have no gaps");
    points_.push_back({rtl::point_kind_named(rows.text(1)), rows.text(2), rows.text(3)});
    numbers_.emplace(points_.back(), points_.size() - 1);
  }
}

std::size_t History::number_of(const rtl::CoverPoint& point) {
  const auto [known, added] = numbers_.emplace(point, points_.size());
  if (!added) return known->second;
  points_.push_back(point);
  Sqlite::Statement insert(file_, "INSERT INTO point VALUES (?, ?, ?, ?)");
  insert.bind(static_cast<std::int64_t>(points_.size())).bind(std::string(name_of(point.kind)));
  insert.bind(point.file).bind(point.name).step();
  return known->second;
}

void History::write_counts(std::int64_t night, const std::string& name, const rtl::CoverCounts& counts) {
  load_points();
  PointCounts all(points_.size());
  Sqlite::Statement before(file_, "SELECT counts FROM counted WHERE night = ? AND name = ?");
  before.bind(night).bind(name);
  if (before.step()) all = counts_in(before.text(0), points_.size(), file_);
  for (const auto& [point, count] : counts) {
    const std::size_t number = number_of(point);
    all.resize(points_.size());
    all[number] = all[number].value_or(0) + count;
  }
  Sqlite::Statement(file_, "INSERT OR REPLACE INTO counted VALUES (?, ?, ?)")
      .bind(night)
      .bind(name)
      .bind(text_of(all))
      .step();
}

rtl::CoverCounts History::counts(std::int64_t night, const std::string& name) {
  load_points();
  rtl::CoverCounts out;
  Sqlite::Statement row(file_, "SELECT counts FROM counted WHERE night = ? AND name = ?");
  row.bind(night).bind(name);
  if (!row.step()) return out;
  const PointCounts all = counts_in(row.text(0), points_.size(), file_);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k]) out.emplace(points_[k], *all[k]);
  return out;
}

std::optional<std::int64_t> History::counted_before(std::int64_t night) {
  const std::int64_t last =
      file_.number("SELECT coalesce(max(night.night), 0) FROM total JOIN night ON night.night = total.night WHERE " +
                   std::string(finished) + " AND night.night < " + std::to_string(night));
  return last == 0 ? std::nullopt : std::optional(last);
}

void History::set_totals(std::int64_t night, const std::vector<Measure>& totals) {
  file_.execute("BEGIN IMMEDIATE");
  Sqlite::Statement insert(file_, "INSERT OR REPLACE INTO total VALUES (?, ?, ?)");
  for (const Measure& each : totals) {
    insert.bind(night).bind(each.column).bind(each.value).step();
    insert.reset();
  }
  file_.execute("COMMIT");
}

std::vector<NightValue> History::night_totals(const std::string& column) {
  Sqlite::Statement rows(file_,
                         "SELECT night.night, started, finished, suite, suite_hash, version, seed, cast(value AS TEXT) "
                         "FROM total JOIN night ON night.night = total.night WHERE measured = ? AND " +
                             std::string(finished) + " ORDER BY night.night");
  rows.bind(column);
  std::vector<NightValue> out;
  while (rows.step()) out.push_back({night_of(rows), real_of(rows, 7, file_)});
  return out;
}

std::vector<NightValue> History::metric(const std::string& column, const std::string& table) {
  if (column.starts_with(coverage_columns)) return night_totals(column);
  const bool seconds = column == "seconds";
  const std::string value = seconds ? "sum(seconds)" : "avg(measure.value)";
  const std::string source =
      seconds ? "result" : "result JOIN measure ON measure.night = result.night AND measure.name = result.name";
  // A case that ran out of time took as long as it was given, which is no number of the night.
  Sqlite::Statement rows(
      file_, "SELECT night.night, started, finished, suite, suite_hash, version, seed, cast(" + value +
                 " AS TEXT), count(DISTINCT CASE WHEN verdict <> 'passed' THEN result.name END) FROM " + source +
                 " JOIN night ON night.night = result.night WHERE " + std::string(finished) +
                 " AND (? = '' OR suite_table = ?)" + (seconds ? " AND verdict = 'passed'" : " AND measured = ?") +
                 " GROUP BY night.night ORDER BY night.night");
  rows.bind(table).bind(table);
  if (!seconds) rows.bind(column);
  std::vector<NightValue> out;
  while (rows.step()) out.push_back({night_of(rows), real_of(rows, 7, file_), rows.whole(8)});
  return out;
}

std::vector<NightWithout> History::without_metric(const std::string& column, const std::string& table) {
  std::vector<NightWithout> out;
  if (column.starts_with(coverage_columns)) return out;
  const std::string has_one = column == "seconds"
                                  ? "sum(verdict = 'passed')"
                                  : "sum(EXISTS (SELECT 1 FROM measure WHERE measure.night = result.night AND "
                                    "measure.name = result.name AND measured = ?))";
  Sqlite::Statement rows(file_,
                         "SELECT night.night, started, finished, suite, suite_hash, version, seed, sum(verdict <> "
                         "'passed') AS not_passed FROM result JOIN night ON night.night = result.night WHERE " +
                             std::string(finished) +
                             " AND (? = '' OR suite_table = ?) GROUP BY night.night HAVING not_passed > 0 AND " +
                             has_one + " = 0 ORDER BY night.night");
  rows.bind(table).bind(table);
  if (column != "seconds") rows.bind(column);
  while (rows.step()) out.push_back({night_of(rows), rows.whole(7)});
  return out;
}

std::vector<std::string> History::tables() {
  std::vector<std::string> out;
  Sqlite::Statement rows(file_, "SELECT DISTINCT suite_table FROM result ORDER BY suite_table");
  while (rows.step()) out.push_back(rows.text(0));
  return out;
}

}  // namespace ocs::regress
