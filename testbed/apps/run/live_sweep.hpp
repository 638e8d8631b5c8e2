// What `lightloop run` says of its rows on the page of --live.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "testbed/experiment/experiment.hpp"
#include "testbed/live/live_page.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {

void add_live(CLI::App& command, LiveArguments& arguments);
/// @throws Error (input): what belongs to a page is given, and there is none, or no run to show
void check_live(const LiveArguments& arguments, bool dry_run);

/// What is run.
struct SweepShape {
  std::string experiment;
  std::size_t rows = 0;  ///< that are run, of all those of the experiment
  std::size_t jobs = 1;  ///< rows at the same time
  std::string version;   ///< of lightloop
};

/// Without a page nothing happens.
class LiveSweep {
 public:
  /// Starts the page and says where it is. @param experiment outlives it. @throws Error as LivePage
  LiveSweep(const LiveArguments& arguments, const Experiment& experiment);

  LivePage* page() { return page_ ? &*page_ : nullptr; }
  void begin(const SweepShape& shape);
  void ended(std::size_t row, const Row& result);
  void failed(std::size_t row, const std::string& why);
  /// @param why the run ends before its last row; nullptr: it doesn't
  void end(const char* why);

 private:
  void say(std::size_t row, const std::string& json);

  const Experiment& experiment_;
  std::optional<LivePage> page_;
  std::size_t failed_ = 0;
  bool warned_ = false;
};

}  // namespace ocs
