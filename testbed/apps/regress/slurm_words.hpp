// The options of Slurm, which `lightloop sweep` and `lightloop regress` share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "testbed/cluster/slurm.hpp"

namespace ocs {

/// As they are written, before they are checked.
struct SlurmWords {
  bool slurm = false;
  std::string arguments, task_time = "3600 s";
  std::size_t tasks = 0;
  unsigned poll_seconds = 10;

  /// @param what --slurm does. @param costs where measured costs are from. @param items "rows".
  void add_to(CLI::App& command, const std::string& what, const std::string& costs, const std::string& items);
  /// @throws Error (input): --task-time is none.
  SlurmSettings settings() const;
};

}  // namespace ocs
