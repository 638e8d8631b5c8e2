// Logins and refusals in a file that doesn't grow without end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "host/control_plane/server_context.hpp"

namespace ocs::serve {

/// A file that takes lines.
class LineFile {
 public:
  virtual ~LineFile() = default;
  /// @throws Error (run): it can't be written any more.
  virtual void write(const std::string& line) = 0;
};

/// A line each: time (UTC), dialect, address, what. Of a flood of refusals a few lines a second are written, and how
/// many were left out; logins are all written.
class AccessLog {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t most_bytes = std::size_t{1}
                                            << 20;  ///< of a file, which is then FILE.1, that one FILE.2 ...
  static constexpr std::size_t most_files = 4;      ///< besides the present one
  static constexpr std::uint64_t refusals_a_second = 20;

  explicit AccessLog(std::unique_ptr<LineFile> file) : file_(std::move(file)) {}
  /// In files of this machine. @throws Error (input): the file can't be written.
  explicit AccessLog(const std::filesystem::path& file);
  /// @throws Error (run): the file can't be written any more.
  void note(const Peer& peer, const std::string& what, Clock::time_point now = Clock::now());

 private:
  std::unique_ptr<LineFile> file_;
  Clock::time_point second_{};  ///< when the present second of refusals began
  std::uint64_t refusals_ = 0;  ///< in it
};

}  // namespace ocs::serve
