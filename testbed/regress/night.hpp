// A night: all cases of a suite, run in parallel, kept one by one, resumed after whatever ended it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testbed/cluster/slurm.hpp"
#include "testbed/regress/history.hpp"
#include "testbed/regress/suite.hpp"

namespace ocs::regress {

struct NightOptions {
  std::filesystem::path out;  ///< the folder of all nights
  std::size_t jobs = 1;
  std::int64_t memory_bytes = 0;  ///< of all processes together
  bool resume = false;
  std::optional<std::uint64_t> seed;  ///< of what is drawn; none: from the system
  std::filesystem::path lightloop;    ///< the program, which runs experiments
  std::string version;
  /// Of these names alone, in a folder of their own: a night that is there goes on, or stays as it is if it is finished.
  std::optional<std::set<std::string>> only;
  std::optional<SlurmSettings> slurm;  ///< cases are run by tasks of Slurm
  std::string memory_text;             ///< --memory of the tasks; empty: their default
};

/// What is seen while it goes on.
struct NightProgress {
  std::size_t cases = 0, done = 0, failed = 0, running = 0;
  std::string slowest;  ///< the case that has run longest
  std::string tasks;    ///< of Slurm: "4 tasks: 1 waits, ..."
};

/// Called several times a second. @throws whatever shall end the night; what is finished stays.
using Watch = std::function<void(const NightProgress&)>;

struct NightEnd {
  Night night;
  std::filesystem::path folder;
  std::vector<Result> results;
  std::size_t resumed = 0;  ///< results that were there before
  std::string coverage;     ///< what all cases have reached of the RTL, in a line; empty: nothing was counted
};

/// @throws Error (input): the suite or a device is wrong, another runner has the folder, nothing to resume. Error
/// (run): the history can't be written.
NightEnd run_night(const Suite& suite, const NightOptions& options, const Watch& watch);

/// Its folder among those of all nights: "night-0007".
std::string name_of_night(std::int64_t number);

/// Failures that share a cause.
struct Bucket {
  std::string cause;
  std::vector<const Result*> results;  ///< the first one is shown
};
std::vector<Bucket> buckets_of(const std::vector<Result>& results);

/// Runs the case of a failure's folder once more. @throws Error (input): it is no such folder.
struct Reproduction {
  std::string name;
  Outcome outcome;
};
/// @param begins gets the name of the case and its time-out, which is not applied here.
Reproduction reproduce(const std::filesystem::path& folder, const std::filesystem::path& lightloop,
                       const std::function<void(const std::string&, std::chrono::milliseconds)>& begins);

}  // namespace ocs::regress
