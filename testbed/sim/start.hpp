// One start of `lightloop run` in a simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testbed/apps/commands.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/session/environment.hpp"
#include "testbed/sim/disk.hpp"
#include "testbed/sim/fault.hpp"

namespace ocs::sim {

inline constexpr const char* database_name = "rows.db";

/// The experiment of these settings, on top of testbed/experiments/tiny.toml.
struct SimulatedExperiment {
  /// @throws Error (input): there is no such experiment
  SimulatedExperiment(const Environment& environment, const std::vector<std::string>& settings);
  ExperimentArguments arguments;
  Experiment read;  ///< once, for all starts
};

struct StartArguments {
  const SimulatedExperiment& experiment;
  std::uint64_t seed = 0;
  std::vector<Fault> faults;  ///< those of this start
  bool resume = false;
};

struct StartOutcome {
  bool killed = false;
  int exit_code = 0;
  std::string sentence;  ///< of exit codes other than 0
  std::string broken;    ///< what must never be: it hung, or something is left
  std::uint64_t messages = 0, writes = 0, faults = 0, trace = 0;
};

StartOutcome start_run(const Environment& environment, const StartArguments& arguments, Disk& disk);

/// The rows of a database: the resolved experiment of each, and its columns that don't differ from run to run.
using StoredResults = std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>;

/// @throws Error (input): it is damaged
StoredResults read_results(const Environment& environment, Disk& disk);

/// Is this one of the sentences of docs/unequal.md, with which an experiment ends a run that goes well: a port or a node
/// that is needed has gone for good?
bool ends_for_good(const std::string& sentence);

/// Is this one of the sentences of docs/nodes.md and docs/results.md? @param code the exit code that came with it
bool documented(const std::string& sentence, int code);

}  // namespace ocs::sim
