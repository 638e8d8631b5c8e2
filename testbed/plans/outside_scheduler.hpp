// What the experiment key `scheduler` names besides schedulers of the catalogue: a program, or a file of plans.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/plans/exec_settings.hpp"
#include "testbed/plans/plan_file.hpp"

namespace ocs {

struct OutsideScheduler {
  std::string name;                  ///< means the same wherever it is read: paths are whole
  std::string hash;                  ///< FNV-1a-64 of the program or the file, 16 hexadecimal digits
  std::vector<std::string> command;  ///< "exec:": the program's whole path, and its arguments
  std::optional<FiledPlan> plan;     ///< "plan:"
  std::string sha256 = {};           ///< "exec:": of the program, as sha256sum(1) prints it
  std::vector<std::string> start{};  ///< what starts it: `command`, in a sandbox if one was asked for
  ProcessLimits limits = {};
  /// "python:": makes the one that plans a row, in this process. @param latest no plan may end later. @param patience
  /// wall time for one plan.
  std::function<std::unique_ptr<Scheduler>(Ticks latest, std::chrono::milliseconds patience)> make = {};
};

/// The prefix of the name of a function of the Python program that runs the experiment (docs/python.md).
inline constexpr std::string_view python_prefix = "python:";

/// Whether `name` is one of those.
bool names_outside_scheduler(std::string_view name);
/// Whether it is one that is asked for each plan when the row runs: a program, or a function of Python.
bool names_program(std::string_view name);

/// "exec:PROGRAM ARGUMENTS", in words that blanks part: a PROGRAM with a slash is relative to `base`, any other one is
/// looked for in `search`, a list of folders as PATH has it. "plan:FILE#2": the second plan of a file, relative to
/// `base`; without a number the file must have one plan.
/// @throws Error (input): there is no such program or plan, or no bubblewrap in `search` for a sandbox.
OutsideScheduler load_outside_scheduler(std::string_view name, const std::filesystem::path& base,
                                        std::string_view search, const ExecSettings& settings = {});

/// What would be executed, with its hashes: "the program "/x/mine.py" (SHA-256 ...) with the arguments "--fast"
/// (SHA-256 ...)". The second hash is of all arguments, each followed by a zero byte.
std::string describe_program(const OutsideScheduler& scheduler);

/// One for each plan of a file.
std::vector<OutsideScheduler> load_plans(const std::filesystem::path& file);

}  // namespace ocs
