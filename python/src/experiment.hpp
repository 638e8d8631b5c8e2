// An experiment as Python holds it: read, resolved, and what its rows are called.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "python/src/function_call.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/results/rows/record.hpp"
#include "testbed/session/environment.hpp"

namespace ocs::python {

/// What Python says: a file or nothing, TOML text or nothing, and single keys on top, each with its value as TOML.
struct Said {
  std::string file, text;
  std::vector<std::pair<std::string, std::string>> keys;
  std::vector<std::shared_ptr<const PolicyFunction>> functions;  ///< that keys name
  std::string database;                                          ///< that "row:ID" of charge_planning is in
  bool any_rows = false;                                         ///< as --yes
};

/// Where the data of the package are, and its version.
Environment environment();
/// lightloop, beside the module: what node processes run.
std::string program();

struct LoadedExperiment {
  std::string file;
  Environment environment;
  Experiment experiment;
  ExperimentRecord record;
  std::vector<std::shared_ptr<const PolicyFunction>> functions;

  /// The record of a row, with hashes of the functions that it names.
  ExperimentRecord record_of_row(std::size_t row) const;
};

/// planning_timeout: wall time that a call of a function has.
std::chrono::milliseconds patience_of(const Point& point);

/// @throws Error (input), as `lightloop run` does.
std::shared_ptr<const LoadedExperiment> load(const Said& said);

/// The same, watched (watch_work()) if there are functions, which are asked for lists of collectives. The caller holds the
/// GIL. @throws also what watch_work() does.
std::shared_ptr<const LoadedExperiment> load_watched(Said said);

/// The switch that keys "fabric.*" mean, in an experiment that has no other purpose. @throws Error (input)
Point point_of_fabric(const std::vector<std::pair<std::string, std::string>>& keys);

}  // namespace ocs::python
