// Results in SQLite: one transaction a row, so that a row that was printed survives; docs/results.md has the schema.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/core/results.hpp"
#include "testbed/results/record.hpp"

struct sqlite3;

namespace ocs {

/// Appends one run to a database; several processes may write to the same one.
class Database : public ResultSink {
 public:
  static constexpr int schema_version = 1;

  /// Opens or makes the database and enters the run.
  /// @param started UTC, "2026-01-31T12:00:00Z".
  /// @throws Error (input): it can't be written, is no database, one of another program, or of a newer lightloop.
  Database(const std::string& file, const ExperimentRecord& record, const std::string& started);
  ~Database() override;

  void row(std::span<const std::pair<std::string, Value>> fields) override;  ///< with the events since the last row
  void events(std::span<const Event> log) override;

 private:
  class Statement;
  void prepare_file();
  void create_tables();
  void execute(const std::string& sql);
  std::int64_t number(const std::string& sql);
  [[noreturn]] void fail(const std::string& what) const;

  std::string file_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle_;
  std::int64_t run_ = 0;
  std::vector<Event> events_;
  bool running_ = false;  ///< errors from here on are no longer about the input
};

}  // namespace ocs
