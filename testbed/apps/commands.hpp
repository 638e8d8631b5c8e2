// The commands of lightloop; each adds itself to the command line, and main() runs what was asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "testbed/plans/exec_settings.hpp"
#include "testbed/session/environment.hpp"

namespace ocs {

/// Set by the command that was named; runs it. @throws Error.
using Action = std::function<void(const Environment&)>;

void add_run(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_rerun(CLI::App& app, Action& action);
void add_gantt(CLI::App& app, Action& action);
void add_why(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_compare_runs(CLI::App& app, Action& action);
void add_node(CLI::App& app, Action& action);
void add_regs(CLI::App& app, Action& action);
void add_characterize(CLI::App& app, Action& action);
void add_serve(CLI::App& app, Action& action);
void add_reconcile(CLI::App& app, Action& action);
void add_rtl(CLI::App& app, Action& action);
void add_manual(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_regress(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_merge(CLI::App& app, Action& action);
void add_bisect(CLI::App& app, Action& action);
void add_trend(CLI::App& app, Action& action);
void add_chakra(CLI::App& app, Action& action);

/// Thrown instead of an Error by a command that has told somebody else what went wrong.
struct SilentEnd {
  int exit_code;
};

/// How programs of schedulers ("exec:") are executed.
struct ExecArguments {
  ExecSettings settings;
  void add_to(CLI::App& command);
};

/// The arguments EXPERIMENT.toml and --set, which several commands take.
struct ExperimentArguments {
  std::string file;
  std::vector<std::string> overrides;
  ExecArguments exec;
  bool yes = false;  ///< any number of rows
  void add_to(CLI::App& command);
};

}  // namespace ocs
