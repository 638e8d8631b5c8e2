// One number over everything that a database keeps of a row: what it holds is what was written, or it is damaged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "host/core/fnv.hpp"
#include "testbed/results/database/sqlite.hpp"

namespace ocs {

inline constexpr const char* table_checksum =
    "CREATE TABLE IF NOT EXISTS checksum (row_id INTEGER PRIMARY KEY REFERENCES row, hash TEXT NOT NULL)";

/// What is kept in the place of a checksum of rows that lightloop wrote before there were checksums.
inline constexpr const char* without_checksum = "none";

/// Checksums of many rows of one database: its statements are prepared once.
class RowChecksums {
 public:
  /// Refers to the file, whose tables must be there.
  explicit RowChecksums(Sqlite& file);

  /// Of a row's run, its columns, its resolved experiment, its curve, its jobs and its events.
  std::string checksum(std::int64_t row);
  /// Adds the checksum of a row that has been written whole.
  void write(std::int64_t row);
  /// @return whether the row has a checksum; one that an older version wrote without passes.
  /// @throws Error (input): the row isn't what was written.
  bool check(std::int64_t row);
  /// The hash, by the last check(), of what was measured, wherever the row is: without its numbers, its run, its events,
  /// and the columns that differ each time or depend on the rows beside it.
  std::uint64_t measured() const { return measured_; }

 private:
  /// What one table has of a row.
  struct Part {
    Sqlite::Statement statement;
    std::vector<std::string> names{};  ///< of its columns
    std::vector<bool> measured{};      ///< whether measured() counts them
  };
  void hash(std::int64_t row, Fnv1a& all, Fnv1a& measured);
  Part part(const std::string& sql) const;
  static void name_columns(Part& part);

  Sqlite& file_;
  std::vector<Part> parts_;  ///< of the run first, of the events last
  Sqlite::Statement kept_;
  std::uint64_t measured_ = 0;
};

/// Marks the rows of a database of an older version that have no checksum, so that a checksum that is lost later is
/// noticed.
void mark_rows_without_checksum(Sqlite& file);

/// Whether the tables are whole, and each checksum has a row. Reads the whole file. @throws Error (input)
void check_structure(Sqlite& file);

/// The same, and RowChecksums::check() of all rows.
/// @return the rows that have no checksum. @throws Error (input)
std::set<std::int64_t> check_all_rows(Sqlite& file);

}  // namespace ocs
