// What the tasks of a night, on other hosts, are given and leave behind: DIR/night-0007/tasks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "testbed/regress/history.hpp"

namespace ocs::regress {

/// Task K has the folder K: a list "cases", and what `lightloop regress --cases` makes of it. Only the task writes there
/// while it runs.
class NightTasks {
 public:
  explicit NightTasks(std::filesystem::path folder);
  const std::filesystem::path& folder() const { return folder_; }

  /// Removes what earlier tasks left, and lists the names of share k as cases of task k + 1.
  /// @return the tasks that have some, ascending. @throws Error (run): it can't be written.
  std::vector<std::size_t> write(const std::vector<std::string>& names, const std::vector<std::size_t>& shares) const;

  /// All results of cases that are wanted, with what they measured and counted; the folder of a failure, or none. Tasks
  /// may be running.
  void collect(const std::function<bool(const std::string& name)>& wanted,
               const std::function<void(Result result, const std::filesystem::path& failure)>& take) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace ocs::regress
