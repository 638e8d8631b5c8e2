// A process that this one starts and that never outlives it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "testbed/coordinator/processes/process_keeper.hpp"

namespace ocs {

class ChildProcess {
 public:
  /// The open file that a child finds in place of `inherit`.
  static constexpr int inherited_descriptor = 3;

  /// Open files of this process that become the child's; -1: it gets /dev/null.
  struct Standard {
    int in = -1, out = -1;
  };

  /// Starts `command` (path and arguments). It gets standard error, `standard` and `inherit` (-1: nothing) of this
  /// process and no other open file; it is in a process group of its own, so that Ctrl-C is for this process alone; and
  /// the kernel kills it when the thread that called this ends. @throws Error (run)
  explicit ChildProcess(const std::vector<std::string>& command, int inherit = -1)
      : ChildProcess(command, inherit, Standard{}) {}
  /// @param limits of a program that isn't trusted: a keeper ends all that it has started (process_keeper.hpp).
  ChildProcess(const std::vector<std::string>& command, int inherit, Standard standard,
               std::optional<ProcessLimits> limits = {});
  ~ChildProcess();  ///< kills it and its group, or with a keeper all its descendants, if it still runs
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  pid_t id() const { return id_; }
  /// What it has started is killed once it has ended itself.
  /// "was ended by signal 9 (Killed)", "ended with exit code 3"; nothing while it runs.
  const std::optional<std::string>& ended();
  /// Waits for its end, at most so long.
  bool wait(std::chrono::milliseconds patience);

 private:
  pid_t id_ = -1;
  bool kept_ = false;
  std::optional<std::string> ended_;
};

}  // namespace ocs
