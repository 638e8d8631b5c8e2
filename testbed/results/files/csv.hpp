// Results as CSV (RFC 4180): a line of column names, then a line a row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "host/core/error.hpp"
#include "host/core/results.hpp"

namespace ocs {

/// Writes line by line. A line that doesn't fit the disk is taken away again, so that a regular file has whole lines.
/// Curves and event logs are not in it.
class CsvSink : public ResultSink {
 public:
  /// @param target a file, or "-" for `standard_output`. What a regular file held before is kept as FILE.1, FILE.2, ...
  /// @throws Error (input) when the target can't be written.
  CsvSink(const std::string& target, std::FILE* standard_output);

  /// @throws Error (run) when it can't be written; the rows before it stay.
  void row(std::span<const std::pair<std::string, Value>> fields) override;
  void events(std::span<const Event>) override {}

  /// Where what the file held before is now; empty if there was nothing.
  const std::filesystem::path& kept() const { return kept_; }

 private:
  void put(const std::string& line);

  std::string target_;
  std::filesystem::path kept_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::FILE* out_;
  ErrorKind kind_ = ErrorKind::input;  ///< of an error; once open: run
  bool regular_ = false;
  long end_ = 0;  ///< of a regular file: where the last whole line ends
};

}  // namespace ocs
