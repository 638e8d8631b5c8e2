// Reads back what a results database holds: rows with their resolved experiments, and kept event logs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/core/switch.hpp"
#include "testbed/results/database/row_checksum.hpp"
#include "testbed/results/database/sqlite.hpp"
#include "testbed/results/rows/record.hpp"

namespace ocs {

struct StoredRow {
  std::int64_t id = 0;
  std::string policy, device, version;
  ExperimentRecord resolved;
  std::optional<std::int64_t> pst_mean_ps;   ///< none: the row has no phases
  std::optional<std::int64_t> iteration_ps;  ///< none: nothing was pushed, or an older lightloop wrote the row
  std::int64_t events = 0, sim_time_ps = 0;
  std::optional<std::uint64_t> event_log_hash;
};

/// Everything that is read is checked: what no lightloop writes is an Error (input) that names the row.
class StoredRows {
 public:
  /// @throws Error (input): no database of this lightloop's schema.
  explicit StoredRows(const std::string& file);
  StoredRows(const StoredRows&) = delete;  // statements refer to its file
  StoredRows& operator=(const StoredRows&) = delete;

  /// @throws Error (input) if there is no such row, it is damaged or failed, or its resolved experiment wasn't kept.
  StoredRow row(std::int64_t id);

  /// Rows without wrong sums or checksums that this version of lightloop wrote; ascending. One whose resolved
  /// experiment can't be read is left out. @throws Error (input) if anything in the database is damaged.
  std::vector<StoredRow> sound_rows(const std::string& version);

  /// What the plans of a row were charged, as its column says; nothing if none were. @throws Error (input) as row().
  std::optional<std::string> charges(std::int64_t id);

  /// All columns (row_columns()) of a row that was read here, and so checked, as text; empty where it has no value.
  /// @throws Error (input): it has gone since.
  std::vector<std::pair<std::string, std::string>> values(const StoredRow& row);

  /// The kept event log; empty if it wasn't kept. @throws Error (input) if events are missing from it.
  std::vector<Event> events(const StoredRow& row);

  const std::string& file() const { return file_.name(); }

  /// How many of the rows that were read so far have no checksum, in one sentence; empty: each has one.
  std::string warning() const;

 private:
  /// @throws Error (input): the row isn't what was written.
  void check(std::int64_t id);
  [[noreturn]] void refuse_missing(std::int64_t id);

  Sqlite file_;
  std::optional<RowChecksums> checksums_;    ///< prepared by the first row that is read
  std::optional<Sqlite::Statement> values_;  ///< of all columns, by the first values()
  std::set<std::int64_t> unchecked_;
};

}  // namespace ocs
