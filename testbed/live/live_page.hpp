// The page of a run, as the run's own processes see it: they say what happens, and wait for nobody.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>

#include "testbed/live/live_address.hpp"
#include "testbed/live/live_log.hpp"

namespace ocs {

/// Its clients are served by a process of its own, of lower priority: neither a slow nor a hostile one reaches the
/// run. Copies of this process (run -j) may use their copies of the object to say how their rows are.
class LivePage {
 public:
  /// Starts the process. This one must have no other threads. @throws Error (input): the address is wrong or in use, or
  /// the logins are; Error (run): no process can be started
  explicit LivePage(const LiveArguments& arguments);
  /// If end() wasn't called, clients are told that the run has ended without a word.
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  const LiveAddress& where() const { return where_; }

  /// @param json an object
  void sweep(const std::string& json) { keep(LiveKind::sweep, json); }
  /// Is lost if the page's process is behind: the next one says the same, and more. @param row from 1
  void running(std::size_t row, const std::string& json);
  void ended(std::size_t row, const std::string& json) { keep(LiveKind::ended, std::to_string(row) + " " + json); }
  /// Says how the run ended, and waits until the address is free again, a second at most.
  void end(const std::string& json);
  /// The page's process has ended before the run.
  bool is_lost() const { return lost_; }

 private:
  /// What is kept until it is sent.
  void keep(LiveKind kind, const std::string& text);
  void flush();
  bool send(const std::string& message);
  std::string first_word() const;

  LiveAddress where_;
  pid_t server_ = -1, owner_;
  int socket_ = -1;
  std::deque<std::string> waiting_;
  bool lost_ = false, ended_ = false;
};

}  // namespace ocs
