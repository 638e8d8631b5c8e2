// The SQLite sink: schema, checks of what is there already, one transaction a row.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "host/core/error.hpp"
#include "testbed/results/row.hpp"

namespace ocs {
namespace {

constexpr std::int64_t application_id = 0x4c4c4f50;  // "LLOP"
constexpr int patience_ms = 10'000;                  // for another process that writes

const char* sql_type(Column::Type type) {
  switch (type) {
    case Column::Type::whole:
      return "INTEGER";
    case Column::Type::real:
      return "REAL";
    case Column::Type::text:
      break;
  }
  return "TEXT";
}

}  // namespace

/// A prepared statement; values are bound in order.
class Database::Statement {
 public:
  Statement(const Database& database, const std::string& sql)
      : database_(database), statement_(nullptr, sqlite3_finalize) {
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v2(database.handle_.get(), sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) database_.fail(sql);
    statement_.reset(raw);
  }

  Statement& bind(const Value& value) {
    sqlite3_stmt* to = statement_.get();
    const int at = ++bound_;
    int result = SQLITE_OK;
    if (const auto* whole = std::get_if<std::int64_t>(&value))
      result = sqlite3_bind_int64(to, at, *whole);
    else if (const auto* real = std::get_if<double>(&value))
      result = sqlite3_bind_double(to, at, *real);
    else if (const auto* text = std::get_if<std::string>(&value))
      result = sqlite3_bind_text64(to, at, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    else
      result = sqlite3_bind_null(to, at);
    if (result != SQLITE_OK) database_.fail("bind");
    return *this;
  }

  /// @return whether there is a row; its first column, if any, is then in number().
  bool step() {
    const int result = sqlite3_step(statement_.get());
    if (result != SQLITE_ROW && result != SQLITE_DONE) database_.fail("step");
    return result == SQLITE_ROW;
  }

  void reset() {
    sqlite3_reset(statement_.get());
    bound_ = 0;
  }

  std::int64_t number() { return sqlite3_column_int64(statement_.get(), 0); }

 private:
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
  int bound_ = 0;
};

Database::Database(const std::string& file, const ExperimentRecord& record, const std::string& started)
    : file_(file), handle_(nullptr, sqlite3_close) {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  handle_.reset(raw);
  if (opened != SQLITE_OK) fail("open");
  prepare_file();
  execute("BEGIN IMMEDIATE");
  Statement(*this, "INSERT INTO run (started, name, file, version, experiment) VALUES (?, ?, ?, ?, ?)")
      .bind(started)
      .bind(record.name)
      .bind(record.file)
      .bind(record.version)
      .bind(to_json(record))
      .step();
  run_ = sqlite3_last_insert_rowid(handle_.get());
  execute("COMMIT");
  running_ = true;
}

Database::~Database() = default;

void Database::prepare_file() {
  sqlite3_busy_timeout(handle_.get(), patience_ms);
  sqlite3_extended_result_codes(handle_.get(), 1);
  const std::int64_t owner = number("PRAGMA application_id");
  const std::int64_t version = number("PRAGMA user_version");
  const std::int64_t tables = number("SELECT count(*) FROM sqlite_master");
  if (tables != 0 && owner != application_id)
    throw Error(ErrorKind::input,
                "\"" + file_ + "\" is a database of another program; name another file, or a new one");
  if (version > schema_version)
    throw Error(ErrorKind::input, "\"" + file_ + "\" has schema version " + std::to_string(version) +
                                      ", from a newer lightloop; this one writes version " +
                                      std::to_string(schema_version));
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = FULL");
  execute("PRAGMA foreign_keys = ON");
  execute("BEGIN IMMEDIATE");  // of two processes that find a new file, one makes the tables
  if (number("PRAGMA user_version") == 0) create_tables();
  execute("COMMIT");
}

void Database::create_tables() {
  execute("PRAGMA application_id = " + std::to_string(application_id));
  execute("PRAGMA user_version = " + std::to_string(schema_version));
  execute(
      "CREATE TABLE run (run_id INTEGER PRIMARY KEY, started TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, "
      "version TEXT NOT NULL, experiment TEXT NOT NULL)");
  std::string columns;
  for (const Column& column : row_columns())
    columns += ", \"" + std::string(column.name) + "\" " + sql_type(column.type);
  execute("CREATE TABLE row (row_id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run" + columns + ")");
  execute("CREATE INDEX row_run ON row (run_id)");
  execute(
      "CREATE TABLE event (row_id INTEGER NOT NULL REFERENCES row, number INTEGER NOT NULL, at INTEGER NOT NULL, plane "
      "INTEGER NOT NULL, kind INTEGER NOT NULL, port INTEGER NOT NULL, burst INTEGER NOT NULL, first INTEGER NOT NULL, "
      "words INTEGER NOT NULL, PRIMARY KEY (row_id, number)) WITHOUT ROWID");
}

void Database::row(std::span<const std::pair<std::string, Value>> fields) {
  std::string names = "run_id", places = "?";
  for (const auto& [name, value] : fields) {
    names += ", \"" + name + "\"";
    places += ", ?";
  }
  execute("BEGIN IMMEDIATE");
  Statement insert(*this, "INSERT INTO row (" + names + ") VALUES (" + places + ")");
  insert.bind(run_);
  for (const auto& [name, value] : fields) insert.bind(value);
  insert.step();
  const std::int64_t row = sqlite3_last_insert_rowid(handle_.get());
  Statement log(*this, "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t k = 0; k < events_.size(); ++k) {
    const Event& event = events_[k];
    for (const std::int64_t number : {row, static_cast<std::int64_t>(k), event.at.n, std::int64_t{index(event.plane)},
                                      std::int64_t{index(event.kind)}, std::int64_t{event.port},
                                      std::int64_t{index(event.burst)}, event.words.first.n, event.words.count.n})
      log.bind(number);
    log.step();
    log.reset();
  }
  execute("COMMIT");
  events_.clear();
}

void Database::events(std::span<const Event> log) { events_.insert(events_.end(), log.begin(), log.end()); }

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(sql);
}

std::int64_t Database::number(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.number() : 0;
}

void Database::fail(const std::string& what) const {
  const int code = handle_ ? sqlite3_errcode(handle_.get()) & 0xff : SQLITE_NOMEM;
  const std::string why = handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory";
  if (code == SQLITE_ERROR || code == SQLITE_MISUSE || code == SQLITE_RANGE)  // our SQL doesn't fit the tables
    throw Error(ErrorKind::run, "database \"" + file_ + "\" doesn't have the tables of schema version " +
                                    std::to_string(schema_version) + ": " + why + " (" + what + ")");
  const std::string sentence = code == SQLITE_NOTADB ? "\"" + file_ + "\" is no SQLite database; name another file"
                                                     : "database \"" + file_ + "\" can't be written: " + why;
  throw Error(running_ ? ErrorKind::run : ErrorKind::input, sentence);
}

}  // namespace ocs
