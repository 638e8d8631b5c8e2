// Runs whose results are committed: what they are, and the hashes of what they give.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "testbed/run/run.hpp"

namespace ocs::test {

/// A run of runs.toml: all rows of an experiment.
struct GuardedRun {
  std::string name, experiment;        ///< file of testbed/experiments
  std::vector<std::string> overrides;  ///< "key=value"
  bool fast = false;                   ///< also on verilated
};

/// For GoogleTest.
inline std::ostream& operator<<(std::ostream& out, const GuardedRun& run) { return out << run.name; }

/// What a row gave.
struct GuardedRow {
  std::string line;     ///< of hashes.csv: run, row, events, hash of the event log, hash of the columns
  std::string columns;  ///< those that are hashed, for a message
};

std::vector<GuardedRun> guarded_runs();
/// The points of its experiment on a device.
std::vector<Point> points_of(const GuardedRun& run, const std::string& device);
/// The file's first line.
std::string heading();
/// The lines of hashes.csv that it has.
std::vector<std::string> committed(const GuardedRun& run);
/// Runs all rows. @throws Error
std::vector<GuardedRow> rows_of_run(const GuardedRun& run, const std::string& device, const RunOptions& options = {});
/// The switches of a run that a compiled device needs are those that the build has made.
bool fast_is_built(const GuardedRun& run);

}  // namespace ocs::test
