// The arguments that say which experiment is meant, and the experiment that they mean.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/experiment_arguments.hpp"

#include <algorithm>
#include <iostream>
#include <limits>

#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/plans/outside_scheduler.hpp"

namespace ocs {

void warn_of_settings_without_effect(const Experiment& experiment) {
  for (const std::string& sentence : without_effect(experiment)) std::cerr << "lightloop: warning: " + sentence + "\n";
}

Experiment load(const ExperimentArguments& arguments, const Environment& environment, const std::string& database) {
  const std::filesystem::path file = arguments.file;
  const ExecSettings& exec = arguments.exec.settings;
  Experiment experiment =
      load_experiment(file, arguments.overrides, known_names(environment, file.parent_path(), database, exec),
                      arguments.yes ? std::numeric_limits<std::size_t>::max() : usual_rows);
  const auto executes = [](const Point& point) { return point.planning.outside && !point.planning.outside->plan; };
  if (exec != ExecSettings{} && std::ranges::none_of(experiment.points, executes))
    std::cerr << "lightloop: warning: --sandbox and the limits of programs have no effect: no scheduler is \"exec:\"\n";
  return experiment;
}

void ExecArguments::add_to(CLI::App& command) {
  constexpr const char* group = "Programs of schedulers (exec:)";
  constexpr std::uint64_t most = 1'000'000, mib = std::uint64_t{1} << 20;
  command
      .add_flag("--sandbox", settings.sandbox,
                "executes the programs under bubblewrap: without network, without home folders, and with an empty /tmp "
                "as the "
                "only folder to write to; default: no sandbox")
      ->group(group);
  const auto limit = [&](const char* name, std::uint64_t& value, std::uint64_t unit, const char* what) {
    command
        .add_option_function<std::uint64_t>(
            name, [&value, unit](std::uint64_t given) { value = given * unit; },
            std::string(what) + "; default: " + std::to_string(value / unit))
        ->check(CLI::Range(std::uint64_t{1}, most))
        ->type_name("NUMBER")
        ->group(group);
  };
  limit("--exec-cpu", settings.limits.cpu_s, 1, "most processor time of each process, in seconds");
  limit("--exec-memory", settings.limits.memory_bytes, mib, "most address space of each process, in MiB");
  limit("--exec-file", settings.limits.file_bytes, mib, "largest file that a process may write, in MiB");
  limit("--exec-files", settings.limits.files, 1, "most open files of each process");
  limit("--exec-processes", settings.limits.processes, 1,
        "it starts no process or thread while you have so many; without effect for root");
}

void ExperimentArguments::add_to(CLI::App& command) {
  command.add_option("EXPERIMENT", file, "experiment file (TOML); `lightloop list keys` lists the keys")->required();
  command
      .add_option("--set", overrides,
                  "replaces the value of one key, such as fabric.ports=8 or policy=[sunflow,hlf]; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  exec.add_to(command);
  command.add_flag("--yes", yes, "allows an experiment of more than " + std::to_string(usual_rows) + " rows");
}

}  // namespace ocs
