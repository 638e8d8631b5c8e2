// Results as JSON: {"schema_version": 1, "experiment": ..., "rows": [...]}.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/results.hpp"
#include "testbed/results/rows/record.hpp"

namespace ocs {

/// Writes row by row. In a regular file the text is whole JSON after every row, also after one that didn't fit the
/// disk; on a stream only after finish().
class JsonSink : public ResultSink {
 public:
  /// @param target a file, or "-" for `standard_output`. What a regular file held before is kept: it is renamed to the
  /// first free FILE.1, FILE.2, ...
  /// @throws Error (input) when the target can't be written.
  JsonSink(const std::string& target, const ExperimentRecord& record, std::FILE* standard_output);
  ~JsonSink() override;

  /// @throws Error (run) when it can't be written; the rows before it stay.
  void row(std::span<const std::pair<std::string, Value>> fields) override;
  /// As "curve" of the next row: a list [updates, at_ps, loss, accuracy] a point.
  void curve(std::span<const CurveEntry> points) override { curve_.assign(points.begin(), points.end()); }
  void jobs(std::span<const JobFields> jobs) override { jobs_.assign(jobs.begin(), jobs.end()); }
  void events(std::span<const Event>) override {}  ///< the database keeps event logs, this file none
  void finish();                                   ///< after the last row

  /// Where what the file held before is now; empty if there was nothing.
  const std::filesystem::path& kept() const { return kept_; }

 private:
  void put(const std::string& text);
  bool write_at(const std::string& text, std::int64_t at);

  std::string target_;
  std::filesystem::path kept_;
  std::vector<CurveEntry> curve_;
  std::vector<JobFields> jobs_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::FILE* out_;
  ErrorKind kind_ = ErrorKind::input;  ///< of an error; once open: run
  std::int64_t end_ = 0;               ///< of a regular file: where the last row ends
  bool regular_ = false, first_ = true, finished_ = false;
};

}  // namespace ocs
