// Results in SQLite: one transaction a row, so that a row that was printed survives; docs/results.md has the schema.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/core/results.hpp"
#include "testbed/results/database/row_checksum.hpp"
#include "testbed/results/database/sqlite.hpp"
#include "testbed/results/rows/record.hpp"

namespace ocs {

/// Appends one run to a database; several processes may write to the same one.
class Database : public ResultSink {
 public:
  /// Opens or makes the database and enters the run.
  /// @param started UTC, "2026-01-31T12:00:00Z".
  /// @throws Error (input): it can't be written, is no database, one of another program, or of a newer lightloop.
  Database(const std::string& file, const ExperimentRecord& record, const std::string& started);
  Database(const Database&) = delete;  // statements refer to its file
  Database& operator=(const Database&) = delete;

  /// The resolved experiment of the next row.
  void resolved(const ExperimentRecord& record) { resolved_ = to_json(record); }
  void events(std::span<const Event> log) override;
  void curve(std::span<const CurveEntry> points) override { curve_.assign(points.begin(), points.end()); }
  void jobs(std::span<const JobFields> jobs) override { jobs_.assign(jobs.begin(), jobs.end()); }
  /// With its resolved experiment, its curve, and the events since the last row. If it throws, nothing of it is in the
  /// database.
  void row(std::span<const std::pair<std::string, Value>> fields) override;

 private:
  void insert(std::span<const std::pair<std::string, Value>> fields);
  void insert_curve(std::int64_t row);
  void insert_jobs(std::int64_t row);
  void insert_events(std::int64_t row);
  /// What was handed over for the row.
  void forget_row();

  Sqlite file_;
  std::optional<RowChecksums> checksums_;   ///< prepared by the first row
  std::optional<Sqlite::Statement> entry_;  ///< inserts a row with the columns of the one before
  std::string entry_sql_;
  std::int64_t run_ = 0;
  std::optional<std::string> resolved_;
  std::vector<Event> events_;
  std::vector<CurveEntry> curve_;
  std::vector<JobFields> jobs_;
};

}  // namespace ocs
