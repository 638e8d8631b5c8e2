// What a page knows of a run: the sweep, the rows that have ended, and those that run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace ocs {

/// What the processes of a run say, a message each: its kind, for some the number of a row and a blank, then JSON.
enum class LiveKind : char {
  sweep = 's',    ///< what is run; the first message
  running = 'p',  ///< of a row: how far it is; empty: it runs no more, and is told as ended when those before it are
  ended = 'r',    ///< of a row: its result or its error
  end = 'e',      ///< of the run: how it ended; the last message
};

/// Memory is bounded: of rows that have ended the last ones are kept. JSON goes through as it is.
class LiveLog {
 public:
  static constexpr std::size_t most_rows = 2000;

  /// @param message of this program's own processes
  void receive(std::string_view message);
  /// The run's processes are gone. If none has said how the run ended, it didn't by itself.
  void close();

  const std::string& sweep() const { return sweep_; }
  bool has_ended() const { return !end_.empty(); }
  const std::string& end() const { return end_; }
  std::uint64_t rows() const { return dropped_ + rows_.size(); }  ///< that have ended
  std::uint64_t first() const { return dropped_; }                ///< the number of the oldest one that is kept
  const std::string& row(std::uint64_t number) const { return rows_[number - dropped_]; }
  /// Changes with whatever state() says.
  std::uint64_t version() const { return version_; }
  /// How many rows have ended, of these how many aren't kept, and the rows that run, in order.
  /// @param elapsed_s since the run began
  std::string state(double elapsed_s) const;

 private:
  std::string sweep_, end_;
  std::deque<std::string> rows_;
  std::uint64_t dropped_ = 0, version_ = 1;
  std::map<std::uint64_t, std::string> running_;
};

}  // namespace ocs
