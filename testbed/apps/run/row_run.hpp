// One row of an experiment from its start to its outcome, in the process that runs it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/apps/run/row_waves.hpp"
#include "testbed/apps/run/run_experiment.hpp"
#include "testbed/engine/profile.hpp"
#include "testbed/live/live_page.hpp"
#include "testbed/run/run.hpp"
#include "testbed/session/node_runners.hpp"

namespace ocs {

struct RowOutcome {
  Row row;
  std::vector<Event> log;           ///< if it is asked for
  std::optional<Profile> profile;   ///< still going: writing the row is a part of it
  std::string profile_text;         ///< of one that went in another process
  std::optional<GanttChart> chart;  ///< if it is asked for
  WavesOutcome waves;               ///< if they are asked for
  std::optional<Error> failure;     ///< then the rest says nothing, but for waves
};

/// Runs rows one after the other.
class RowRunner {
 public:
  /// @param firmware none: no row is watched. @param page none: nobody looks on. All outlive the object.
  RowRunner(const RunArguments& arguments, const Experiment& experiment, std::string version, FirmwareWatch* firmware,
            LivePage* page);

  /// @param pause as RunOptions::pause. What goes wrong with the row is in the outcome. @throws Interrupted
  RowOutcome run(std::size_t row, Progress& progress, const std::function<void()>& pause, NodeRunners& runners) const;

 private:
  class Watches;
  void run(std::size_t row, RunOptions& options, RowOutcome& outcome) const;
  Row run_with_waves(std::size_t row, RunOptions& options, WavesOutcome& outcome) const;

  const RunArguments& arguments_;
  const Experiment& experiment_;
  std::string version_;
  FirmwareWatch* firmware_;
  LivePage* page_;
};

}  // namespace ocs
