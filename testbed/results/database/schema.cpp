// Makes, checks and upgrades the tables.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database/schema.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "host/core/printable.hpp"
#include "testbed/results/database/row_checksum.hpp"
#include "testbed/results/events/event_log.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {
namespace {

constexpr std::int64_t application_id = 0x4c4c4f50;  // "LLOP"

template <class Type>
const char* sql_type(Type type) {
  switch (type) {
    case Type::whole:
      return "INTEGER";
    case Type::real:
      return "REAL";
    case Type::text:
      break;
  }
  return "TEXT";
}

template <class Column>
std::string declaration(const Column& column) {
  return "\"" + std::string(column.name) + "\" " + sql_type(column.type);
}

/// A view or a virtual table in the place of one would execute what the file names.
void require_tables(Sqlite& file) {
  Sqlite::Statement others(
      file,
      "SELECT name FROM sqlite_master WHERE lower(name) IN ('run', 'row', 'resolved', 'curve', "
      "'job', 'job_curve', 'event', 'event_kind', 'checksum') AND (type <> 'table' OR rootpage = 0 OR sql LIKE "
      "'%virtual%')");
  if (others.step())
    refuse("\"" + file.name() + "\" is damaged or was altered: its \"" + printable(others.text(0)) +
           "\" isn't a table");
}

/// @return the version; 0: a file without tables.
std::int64_t version_of(Sqlite& file) {
  const bool without_tables = is_new(file);
  const std::int64_t version = file.number("PRAGMA user_version");
  if (file.header_forbids_writing())
    refuse("\"" + file.name() + "\" is damaged or was altered: its header forbids writing to it");
  if (without_tables) return 0;
  if (file.number("PRAGMA application_id") != application_id)
    refuse("\"" + file.name() + "\" is a database of another program; name another file, or a new one");
  if (version < 0)
    refuse("\"" + file.name() + "\" has schema version " + std::to_string(version) +
           ", which no lightloop writes: its header is damaged");
  require_tables(file);
  if (version > schema_version)
    refuse("\"" + file.name() + "\" has schema version " + std::to_string(version) +
           ", from a newer lightloop; this one knows versions up to " + std::to_string(schema_version));
  return version;
}

constexpr const char* table_resolved =
    "CREATE TABLE IF NOT EXISTS resolved (row_id INTEGER PRIMARY KEY REFERENCES row, experiment TEXT NOT NULL)";

constexpr const char* table_curve =
    "CREATE TABLE IF NOT EXISTS curve (row_id INTEGER NOT NULL REFERENCES row, number INTEGER NOT NULL, updates "
    "INTEGER "
    "NOT NULL, at_ps INTEGER NOT NULL, loss REAL NOT NULL, accuracy REAL NOT NULL, PRIMARY KEY (row_id, number)) "
    "WITHOUT ROWID";

constexpr const char* table_job_curve =
    "CREATE TABLE IF NOT EXISTS job_curve (row_id INTEGER NOT NULL REFERENCES row, job INTEGER NOT NULL, number "
    "INTEGER "
    "NOT NULL, updates INTEGER NOT NULL, at_ps INTEGER NOT NULL, loss REAL NOT NULL, accuracy REAL NOT NULL, PRIMARY "
    "KEY (row_id, job, number)) WITHOUT ROWID";

/// Makes the table of jobs, or adds the columns that it lacks.
void create_jobs(Sqlite& file) {
  std::string columns;
  for (const JobColumn& column : job_columns()) columns += ", " + declaration(column);
  file.execute("CREATE TABLE IF NOT EXISTS job (row_id INTEGER NOT NULL REFERENCES row" + columns +
               ", PRIMARY KEY (row_id, job)) WITHOUT ROWID");
  file.execute(table_job_curve);
}

/// Every key of every row as it was asked for.
constexpr const char* view_setting =
    "CREATE VIEW IF NOT EXISTS setting AS SELECT resolved.row_id, keys.key, keys.value FROM resolved, "
    "json_each(resolved.experiment, '$.keys') AS keys";

/// Codes with their names.
void create_names(Sqlite& file) {
  file.execute("CREATE TABLE IF NOT EXISTS event_kind (kind INTEGER PRIMARY KEY, name TEXT NOT NULL)");
  Sqlite::Statement entry(file, "INSERT OR REPLACE INTO event_kind VALUES (?, ?)");
  for (const EventKind kind : event_kinds()) {
    entry.bind(std::int64_t{index(kind)}).bind(std::string(name_of(kind))).step();
    entry.reset();
  }
}

void create_tables(Sqlite& file) {
  file.execute("PRAGMA application_id = " + std::to_string(application_id));
  file.execute(
      "CREATE TABLE run (run_id INTEGER PRIMARY KEY, started TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, "
      "version TEXT NOT NULL, experiment TEXT NOT NULL)");
  std::string columns;
  for (const Column& column : row_columns()) columns += ", " + declaration(column);
  file.execute("CREATE TABLE row (row_id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run" + columns + ")");
  file.execute("CREATE INDEX row_run ON row (run_id)");
  file.execute(table_resolved);
  file.execute(table_curve);
  create_jobs(file);
  file.execute(table_checksum);
  file.execute(view_setting);
  create_names(file);
  file.execute(
      "CREATE TABLE event (row_id INTEGER NOT NULL REFERENCES row, number INTEGER NOT NULL, at INTEGER NOT NULL, plane "
      "INTEGER NOT NULL, kind INTEGER NOT NULL, port INTEGER NOT NULL, burst INTEGER NOT NULL, first INTEGER NOT NULL, "
      "words INTEGER NOT NULL, PRIMARY KEY (row_id, number)) WITHOUT ROWID");
}

using TableTexts =
    std::set<std::pair<std::string, std::string>>;  ///< names of tables and the statements that made them

TableTexts texts_of(Sqlite& file) {
  TableTexts all;
  Sqlite::Statement tables(file, "SELECT name, sql FROM sqlite_master WHERE type = 'table'");
  while (tables.step()) all.emplace(tables.text(0), tables.text(1));
  return all;
}

/// By the names of a table and of one of its columns: its type.
using TableColumns = std::map<std::pair<std::string, std::string>, std::string>;

TableColumns columns_of(Sqlite& file) {
  TableColumns all;
  Sqlite::Statement columns(file,
                            "SELECT t.name, c.name, c.type FROM sqlite_master AS t, pragma_table_info(t.name) AS c "
                            "WHERE t.type = 'table'");
  while (columns.step()) all.emplace(std::pair(columns.text(0), columns.text(1)), columns.text(2));
  return all;
}

void upgrade(Sqlite& file) {
  file.execute(table_resolved);
  file.execute(table_curve);
  create_jobs(file);
  const TableColumns known = columns_of(file);
  for (const Column& column : row_columns())
    if (!known.contains({"row", std::string(column.name)}))
      file.execute("ALTER TABLE row ADD COLUMN " + declaration(column));
  file.execute(table_checksum);
  mark_rows_without_checksum(file);
  file.execute(view_setting);
  create_names(file);
}

/// The tables that this version makes.
struct OwnTables {
  TableTexts texts;
  TableColumns columns;
};

const OwnTables& own_tables() {
  static const OwnTables made = [] {
    Sqlite memory(":memory:", Sqlite::Access::write);
    create_tables(memory);
    return OwnTables{.texts = texts_of(memory), .columns = columns_of(memory)};
  }();
  return made;
}

/// Rows are written by the place of a column and read by its name: where a name is damaged, nobody could read them.
/// Where a type is damaged, SQLite keeps other values: 0 in the place of 0.0.
/// SQLite takes the columns from the texts: equal texts are equal columns, and are compared in a fraction of the time.
void require_columns(Sqlite& file) {
  if (std::ranges::includes(texts_of(file), own_tables().texts)) return;
  const TableColumns there = columns_of(file);
  for (const auto& [own, type] : own_tables().columns) {
    const auto& [table, column] = own;
    const auto found = there.find(own);
    if (found != there.end() && found->second == type) continue;
    std::string sentence = "\"" + file.name() + "\" is damaged or was altered: its table \"" + table + "\" has ";
    if (found == there.end()) refuse(sentence.append("no column \"").append(column).append("\""));
    refuse(sentence.append("a column \"").append(column).append("\" that holds ").append(printable(found->second)) +
           " instead of " + type);
  }
}

}  // namespace

void open_schema(Sqlite& file) {
  version_of(file);  // before anything is written to a file that may be somebody else's
  file.execute_when_free("PRAGMA journal_mode = WAL");
  file.execute("PRAGMA synchronous = FULL");
  file.execute("PRAGMA foreign_keys = ON");
  file.execute("BEGIN IMMEDIATE");  // of two processes that find a new file, one makes the tables
  const std::int64_t version = version_of(file);
  if (version == 0) create_tables(file);
  if (version != 0 && version < schema_version) upgrade(file);
  require_columns(file);
  if (version != schema_version) file.execute("PRAGMA user_version = " + std::to_string(schema_version));
  file.execute("COMMIT");
}

bool is_new(Sqlite& file) { return file.number("SELECT count(*) FROM sqlite_master") == 0; }

void check_schema(Sqlite& file) {
  const std::int64_t version = version_of(file);
  if (version == 0) refuse("\"" + file.name() + "\" holds no results of lightloop");
  if (version < schema_version)
    refuse("\"" + file.name() + "\" has schema version " + std::to_string(version) +
           ", from an older lightloop; `lightloop run --db` to it brings it to version " +
           std::to_string(schema_version));
  require_columns(file);
}

}  // namespace ocs
