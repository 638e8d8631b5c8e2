// FILE.db.shards beside the database FILE.db holds what the shards leave: K-of-N.db, logs, the job of Slurm.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/regress/sweep.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/shell_word.hpp"
#include "testbed/apps/regress/merged.hpp"
#include "testbed/apps/run/experiment_arguments.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/apps/run/row_selection.hpp"
#include "testbed/cluster/file_lock.hpp"
#include "testbed/cluster/slurm.hpp"
#include "testbed/experiment/point_record.hpp"
#include "testbed/results/database/row_settings.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

using std::filesystem::path;

/// The folder of the shards' databases.
path shards_folder(const std::string& database) { return database + ".shards"; }

path made(const path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) refuse("folder \"" + folder.string() + "\" can't be made: " + failed.message());
  return folder;
}

FileLock locked(const path& file, const std::string& what) {
  return {file.string() + ".lock",
          "another `lightloop sweep` runs " + what + "; wait for its end, or name another database"};
}

/// The databases of all shards, in the order of their names.
std::vector<std::string> databases_in(const path& folder) {
  std::vector<std::string> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.is_regular_file() && entry.path().extension() == ".db" && entry.path().filename() != "costs.db")
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

/// Merges what the shards have finished until now; some may have just begun. @return nothing was there: no databases.
MergeCounts merge_shards(const std::string& database, const std::vector<std::string>& files,
                         const Interruption& interruption) {
  if (files.empty()) return {};
  return merge_databases(
      database, files, [&] { interruption.check(); }, NewInputs::left_out);
}

std::vector<bool> rows_there(const Experiment& experiment, const SweepArguments& arguments,
                             const std::string& version) {
  const std::string& database = arguments.run.outputs.database;
  std::vector<bool> there(experiment.points.size());
  if (!std::filesystem::exists(database)) return there;
  const auto times = wall_times(database, version);
  const ExperimentRecord whole = record_of(experiment, arguments.run.experiment.file, version);
  for (std::size_t k = 0; k < there.size(); ++k)
    there[k] = times.contains(settings_hash(record_of_row(experiment, k, whole)));
  return there;
}

std::string missing_text(const std::vector<bool>& there, const std::string& database) {
  const auto count = static_cast<std::size_t>(std::ranges::count(there, true));
  return std::to_string(count) + " of " + std::to_string(there.size()) + (there.size() == 1 ? " row is" : " rows are") +
         " in " + database;
}

/// `lightloop sweep --merge`.
void merge_what_there_is(const SweepArguments& arguments, const Environment& environment) {
  const std::string& database = arguments.run.outputs.database;
  const std::vector<std::string> files = databases_in(shards_folder(database));
  if (files.empty()) refuse("\"" + shards_folder(database).string() + "\" has no databases of shards yet");
  const Experiment experiment = load(arguments.run.experiment, environment, "");
  const Interruption interruption;
  std::cout << merged_text(database, files.size(), merge_shards(database, files, interruption)) << '\n';
  const std::vector<bool> there = rows_there(experiment, arguments, environment.version);
  std::cout << missing_text(there, database) << '\n';
}

/// `lightloop sweep --shard K/N`.
void run_shard(const SweepArguments& arguments, const Environment& environment) {
  const RowShard shard = parse_shard(arguments.run.shard);
  const path folder = made(shards_folder(arguments.run.outputs.database));
  const path own = folder / (std::to_string(shard.part + 1) + "-of-" + std::to_string(shard.of) + ".db");
  const FileLock lock = locked(own, "shard " + arguments.run.shard + " of this sweep");
  RunArguments run = arguments.run;
  run.known = std::exchange(run.outputs.database, own.string());
  run_experiment(run, environment);
}

/// `lightloop sweep --slurm`.
class SlurmSweep {
 public:
  SlurmSweep(const SweepArguments& arguments, const Environment& environment)
      : arguments_(arguments),
        version_(environment.version),
        database_(arguments.run.outputs.database),
        folder_(made(shards_folder(database_))),
        lock_(locked(folder_ / "sweep", "this sweep")),
        experiment_(load(arguments.run.experiment, environment, "")) {}

  void run() {
    merge();
    std::vector<bool> there = rows_there(experiment_, arguments_, version_);
    if (std::ranges::count(there, false) == 0) return say(missing_text(there, database_));
    SlurmJob job(folder_, array(there));
    say((job.found() ? "waits for job " : "submitted job ") + job.id() + ": " + job.summary());
    wait(job);
    for (const std::string& sentence : job.failures()) std::cerr << "lightloop: " + sentence + "\n";
    there = rows_there(experiment_, arguments_, version_);
    const std::string text = missing_text(there, database_);
    if (std::ranges::count(there, false) != 0)
      throw Error(ErrorKind::run, text + "; the same command runs those that are missing");
    say(text);
  }

 private:
  void say(const std::string& text) const {
    if (!arguments_.run.outputs.quiet) std::cerr << "lightloop: " + text + "\n";
  }

  MergeCounts merge() { return merge_shards(database_, databases_in(folder_), interruption_); }

  void wait(SlurmJob& job) {
    std::string said;
    const auto each = [&] {
      const MergeCounts counts = merge();
      const std::string now = job.summary() + "; " + std::to_string(counts.added) +
                              (counts.added == 1 ? " row" : " rows") + " added to " + database_;
      if (now != said) say(now);
      said = now;
    };
    try {
      wait_for(job, std::chrono::seconds(arguments_.array.poll_seconds), each, [&] { interruption_.check(); });
      merge();
    } catch (const Interrupted& wish) {
      throw Interrupted(wish.signal(), "interrupted: job " + job.id() +
                                           " goes on; the same command waits for it again, `scancel " + job.id() +
                                           "` ends it");
    }
  }

  /// Shards that lack rows. Measured costs are copied, so that all tasks see the same ones.
  SlurmArray array(const std::vector<bool>& there) {
    RunArguments run = arguments_.run;
    if (!run.costs.empty()) {
      const path copy = folder_ / "costs.db";
      std::error_code ignored;
      std::filesystem::remove(copy, ignored);
      const std::vector<std::string> from{run.costs};
      merge_databases(copy.string(), from, [&] { interruption_.check(); });
      run.costs = copy.string();
    }
    const Costs costs = costs_of_rows(experiment_, run.experiment.file, run.costs);
    const std::size_t tasks = arguments_.array.number_of_tasks(costs, run.jobs);
    const std::vector<std::size_t> shares = shares_of(costs, tasks);
    const auto numbers = [there, shares] {
      std::set<std::size_t> lacking;
      for (std::size_t k = 0; k < there.size(); ++k)
        if (!there[k]) lacking.insert(shares[k] + 1);
      return std::vector<std::size_t>(lacking.begin(), lacking.end());
    };
    return {.name = experiment_.points.front().name,
            .script = script(run, tasks),
            .numbers = numbers,
            .processors = std::max<std::size_t>(1, run.jobs),
            .arguments = arguments_.array.arguments};
  }

  std::string script(const RunArguments& run, std::size_t tasks) const {
    std::string text = "#!/bin/sh\n# A task of a sweep; $SLURM_ARRAY_TASK_ID is the number of its shard.\nexec ";
    text += shell_word(std::filesystem::read_symlink("/proc/self/exe").string()) + " sweep";
    const auto add = [&](const std::string& word) { text += " " + shell_word(word); };
    add(run.experiment.file);
    for (const std::string& each : run.experiment.overrides) {
      add("--set");
      add(each);
    }
    if (run.experiment.yes) add("--yes");
    if (run.experiment.exec.settings.sandbox) add("--sandbox");
    for (const std::string& word : {std::string("--db"), database_, std::string("-j"), std::to_string(run.jobs),
                                    std::string("--keep-going"), std::string("--quiet")})
      add(word);
    if (run.events) add("--events");
    if (!run.costs.empty()) {
      add("--costs");
      add(run.costs);
    }
    return text + " --shard \"$SLURM_ARRAY_TASK_ID/" + std::to_string(tasks) + "\"\n";
  }

  const SweepArguments& arguments_;
  std::string version_, database_;
  path folder_;
  FileLock lock_;
  Experiment experiment_;
  Interruption interruption_;
};

}  // namespace

void run_sweep(const SweepArguments& arguments, const Environment& environment) {
  const bool one_shard = !arguments.run.shard.empty();
  if (one_shard + arguments.merge + arguments.slurm > 1)
    refuse("--shard, --merge and --slurm exclude each other: a shard is one of the tasks");
  if (!arguments.run.costs.empty() && !one_shard && !arguments.slurm)
    refuse("--costs needs --shard or --slurm: it sizes the shards");
  if (arguments.merge) return merge_what_there_is(arguments, environment);
  if (arguments.slurm) return SlurmSweep(arguments, environment).run();
  if (one_shard) return run_shard(arguments, environment);
  const path database = arguments.run.outputs.database;
  const FileLock lock = locked(database, "into \"" + database.string() + "\"");
  run_experiment(arguments.run, environment);
}

}  // namespace ocs
