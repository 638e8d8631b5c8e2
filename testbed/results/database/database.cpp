// The SQLite sink: one transaction a row.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database/database.hpp"

#include <array>
#include <utility>

#include "testbed/results/database/schema.hpp"
#include "testbed/results/events/event_log.hpp"

namespace ocs {

Database::Database(const std::string& file, const ExperimentRecord& record, const std::string& started)
    : file_(file, Sqlite::Access::write) {
  open_schema(file_);
  file_.execute("BEGIN IMMEDIATE");
  Sqlite::Statement entry(file_, "INSERT INTO run (started, name, file, version, experiment) VALUES (?, ?, ?, ?, ?)");
  entry.bind(started).bind(record.name).bind(record.file).bind(record.version).bind(to_json(record));
  entry.step();
  run_ = entry.last_row();
  file_.execute("COMMIT");
  file_.begin_run();
}

void Database::events(std::span<const Event> log) { events_.insert(events_.end(), log.begin(), log.end()); }

void Database::row(std::span<const std::pair<std::string, Value>> fields) {
  file_.execute("BEGIN IMMEDIATE");
  try {
    insert(fields);
    file_.execute("COMMIT");
  } catch (...) {
    forget_row();
    checksums_.reset();  // a statement may have ended in the middle of a row
    entry_.reset();
    try {
      file_.execute("ROLLBACK");
    } catch (const Error&) {  // SQLite has rolled back by itself
    }
    throw;
  }
  forget_row();
}

void Database::forget_row() {
  events_.clear();
  resolved_.reset();
  curve_.clear();
  jobs_.clear();
}

void Database::insert(std::span<const std::pair<std::string, Value>> fields) {
  std::string names = "run_id", places = "?";
  for (const auto& [name, value] : fields) {
    names.append(", \"").append(name).append("\"");
    places += ", ?";
  }
  const std::string sql = "INSERT INTO row (" + names + ") VALUES (" + places + ")";
  if (!entry_ || sql != entry_sql_) {
    entry_.emplace(file_, sql);
    entry_sql_ = sql;
  }
  entry_->bind(run_);
  for (const auto& [name, value] : fields) entry_->bind(value);
  entry_->step();
  const std::int64_t row = entry_->last_row();
  entry_->reset();
  if (resolved_) Sqlite::Statement(file_, "INSERT INTO resolved VALUES (?, ?)").bind(row).bind(*resolved_).step();
  insert_curve(row);
  insert_jobs(row);
  insert_events(row);
  if (!checksums_) checksums_.emplace(file_);
  checksums_->write(row);
}

void Database::insert_curve(std::int64_t row) {
  if (curve_.empty()) return;
  Sqlite::Statement points(file_, "INSERT INTO curve VALUES (?, ?, ?, ?, ?, ?)");
  for (std::size_t k = 0; k < curve_.size(); ++k) {
    const CurveEntry& point = curve_[k];
    points.bind(row).bind(static_cast<std::int64_t>(k)).bind(point.updates).bind(point.at.n);
    points.bind(Value{point.loss}).bind(Value{point.accuracy}).step();
    points.reset();
  }
}

void Database::insert_events(std::int64_t row) {
  if (events_.empty()) return;
  Sqlite::Statement log(file_, "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t k = 0; k < events_.size(); ++k) {
    log.bind(row).bind(static_cast<std::int64_t>(k));
    for (const std::int64_t number : numbers_of(events_[k])) log.bind(number);
    log.step();
    log.reset();
  }
}

void Database::insert_jobs(std::int64_t row) {
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    const auto number = static_cast<std::int64_t>(k + 1);
    std::string statement = "INSERT INTO job (row_id", places = "?";
    for (const auto& [name, value] : jobs_[k].fields) {
      statement.append(", \"").append(name).append("\"");
      places += ", ?";
    }
    Sqlite::Statement entry(file_, statement.append(") VALUES (").append(places).append(")"));
    entry.bind(row);
    for (const auto& [name, value] : jobs_[k].fields) entry.bind(value);
    entry.step();
    if (jobs_[k].curve.empty()) continue;
    Sqlite::Statement points(file_, "INSERT INTO job_curve VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t p = 0; p < jobs_[k].curve.size(); ++p) {
      const CurveEntry& point = jobs_[k].curve[p];
      points.bind(row).bind(number).bind(static_cast<std::int64_t>(p)).bind(point.updates).bind(point.at.n);
      points.bind(Value{point.loss}).bind(Value{point.accuracy}).step();
      points.reset();
    }
  }
}

}  // namespace ocs
