// Running an experiment, for `lightloop run` and for `lightloop plan --execute`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbed/apps/commands.hpp"
#include "testbed/apps/run/firmware_watch.hpp"
#include "testbed/apps/run/outputs.hpp"
#include "testbed/apps/run/wave_arguments.hpp"
#include "testbed/coordinator/runners/runner_platform.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/gantt/chart.hpp"
#include "testbed/live/live_address.hpp"

namespace ocs {

struct RunArguments {
  ExperimentArguments experiment = {};
  OutputArguments outputs = {};
  bool resume = false, events = false, profile = false;
  bool dry_run = false;     ///< lists the rows and runs none
  bool keep_going = false;  ///< a row that fails doesn't end the run
  std::size_t jobs = 1;     ///< rows at the same time; 0: one for each core
  std::string shard = {};   ///< "K/N"; empty: all rows
  std::string costs = {};   ///< a database whose wall times size the shards; empty: they have equally many rows
  std::string known = {};   ///< a database whose rows are not run again either (resume), if it exists
  FirmwareFiles firmware = {};
  std::string trace = {};   ///< a folder that gets a timeline of each row; empty: none
  bool trace_gzip = false;  ///< compressed
  bool trace_why = false;   ///< with the chain of waits of the longest iteration
  LiveArguments live = {};  ///< a page that shows the run while it goes on
  WaveArguments waves = {};
  std::vector<GanttChart>* charts = nullptr;                  ///< gets one of each row: what its device did
  MakeRunnerPlatform runner_platform = make_system_platform;  ///< of node processes, where rows aren't side by side
  const Experiment* experiment_read = nullptr;  ///< what `experiment` means, read before; nullptr: it is read
  std::string plans = {};  ///< a file of plans, one a row; empty: rows are planned as the experiment says
};

/// Every row. @throws Error (input), Error (run), Interrupted.
void run_experiment(const RunArguments& arguments, const Environment& environment);

/// The experiment with the plans of `file`, the n-th of them in row n. @throws Error (input): not as many as rows.
Experiment with_plans(Experiment experiment, const std::string& file);

}  // namespace ocs
