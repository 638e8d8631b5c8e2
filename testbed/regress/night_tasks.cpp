// Lists of cases, and copies of histories.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/night_tasks.hpp"

#include <map>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/regress/failure_folder.hpp"
#include "testbed/regress/night.hpp"
#include "testbed/results/database/snapshot.hpp"

namespace ocs::regress {

using std::filesystem::path;

NightTasks::NightTasks(path folder) : folder_(std::move(folder)) {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  if (failed) refuse("folder \"" + folder_.string() + "\" can't be made: " + failed.message());
}

std::vector<std::size_t> NightTasks::write(const std::vector<std::string>& names,
                                           const std::vector<std::size_t>& shares) const {
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    if (entry.is_directory()) std::filesystem::remove_all(entry.path());
  std::map<std::size_t, std::string> lists;
  for (std::size_t k = 0; k < names.size(); ++k) lists[shares[k] + 1] += names[k] + "\n";
  std::vector<std::size_t> numbers;
  for (const auto& [number, list] : lists) {
    const path task = folder_ / std::to_string(number);
    std::filesystem::create_directories(task);
    write_text(task / "cases", list);
    numbers.push_back(number);
  }
  return numbers;
}

void NightTasks::collect(const std::function<bool(const std::string&)>& wanted,
                         const std::function<void(Result, const path&)>& take) const {
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    const path file = entry.path() / "history.db";
    if (!std::filesystem::exists(file)) continue;
    const DatabaseSnapshot snapshot(file.string(), true);
    History history(snapshot.readable());
    for (const Night& night : history.nights())
      for (Result& result : history.results(night.number)) {
        if (!wanted(result.name)) continue;
        result.outcome.counts = history.counts(night.number, result.name);
        result.outcome.measures = history.measures(night.number, result.name);
        const path failure =
            result.folder.empty() ? path() : entry.path() / name_of_night(night.number) / result.folder;
        take(std::move(result), failure);
      }
  }
}

}  // namespace ocs::regress
