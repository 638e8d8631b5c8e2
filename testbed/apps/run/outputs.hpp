// Where the rows of a run go: a database, JSON, a table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "testbed/results/database/database.hpp"
#include "testbed/results/files/csv.hpp"
#include "testbed/results/files/json.hpp"
#include "testbed/results/print/table.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {

struct OutputArguments {
  std::string database, json, csv;  ///< files; empty: none; one of json and csv may be "-"
  bool quiet = false;               ///< no table
  std::string baseline = {};  ///< "KEY=VALUE": ratios of the table are to it; empty: to policy psscheduler, if there
};

/// All of it is open before the first run starts.
class RowOutputs {
 public:
  RowOutputs(const OutputArguments& arguments, const ExperimentRecord& record);

  /// A row of an earlier run, to be compared with.
  void remember(Row row);

  /// @throws Error (run) if it can't be written somewhere; it is then in all other places.
  void add(Row row, const ExperimentRecord& resolved, std::span<const Event> log);

  /// A row that failed: it is in neither the table nor rows(). @throws as add()
  void add_failed(const Row& row, const ExperimentRecord& resolved);

  /// Shows what is finished; called after the last row, also when a run failed.
  void finish();

  std::span<const Row> rows() const { return rows_; }

 private:
  void write(const std::vector<std::pair<std::string, Value>>& fields, const ExperimentRecord& resolved,
             std::span<const Event> log, std::span<const CurveEntry> curve, std::span<const JobFields> jobs);

  OutputArguments arguments_;
  std::optional<Baseline> baseline_;  ///< refused, if it has to be, before a file is opened
  std::optional<Database> database_;
  std::optional<JsonSink> json_;
  std::optional<CsvSink> csv_;
  std::ostream* table_to_;
  std::vector<Row> remembered_;  ///< of earlier runs
  std::vector<Row> earlier_;     ///< all rows, these and those
  std::vector<Row> rows_;
};

}  // namespace ocs
