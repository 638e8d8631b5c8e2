// Options and their checks.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/regress/slurm_words.hpp"

#include <sstream>

#include "host/core/error.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

double seconds_of(const std::string& text) {
  constexpr double ps_in_s = 1e12;
  try {
    const std::int64_t time = parse_quantity(text, Dimension::time);
    if (time <= 0) refuse("must be above 0");
    return static_cast<double>(time) / ps_in_s;
  } catch (const Error& failure) {
    refuse("--task-time is " + in_quotes(text) + ", but " + failure.what());
  }
}

}  // namespace

void SlurmWords::add_to(CLI::App& command, const std::string& what, const std::string& costs,
                        const std::string& items) {
  constexpr const char* group = "Slurm";
  CLI::Option* const flag = command.add_flag("--slurm", slurm, what)->group(group);
  command
      .add_option("--slurm-args", arguments,
                  "arguments of sbatch, divided by spaces, such as --slurm-args='--partition=long --mem=4G'; default: "
                  "none")
      ->type_name("TEXT")
      ->group(group)
      ->needs(flag);
  constexpr std::size_t most_tasks = 100'000;
  command
      .add_option("--tasks", tasks,
                  "number of tasks; default: by --task-time, if there are costs (" + costs +
                      "), else one for each 100 " + items)
      ->check(CLI::Range(std::size_t{1}, most_tasks))
      ->type_name("N")
      ->group(group)
      ->needs(flag);
  command.add_option("--task-time", task_time, "time that each task takes, by the costs of its " + items)
      ->type_name("TIME")
      ->capture_default_str()
      ->group(group)
      ->needs(flag);
  constexpr unsigned longest_poll = 3600;
  command.add_option("--poll", poll_seconds, "seconds between two questions to Slurm")
      ->check(CLI::Range(1U, longest_poll))
      ->type_name("N")
      ->capture_default_str()
      ->group(group)
      ->needs(flag);
}

SlurmSettings SlurmWords::settings() const {
  SlurmSettings settings{.tasks = tasks, .task_seconds = seconds_of(task_time), .poll_seconds = poll_seconds};
  std::istringstream list(arguments);
  for (std::string each; list >> each;) settings.arguments.push_back(each);
  return settings;
}

}  // namespace ocs
