// lightloop run: every row of an experiment, to a table, a database and JSON.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/crews.hpp"
#include "testbed/apps/interruption.hpp"
#include "testbed/apps/names.hpp"
#include "testbed/apps/outputs.hpp"
#include "testbed/apps/progress.hpp"
#include "testbed/apps/row_selection.hpp"
#include "testbed/apps/run_experiment.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/experiment/point_record.hpp"
#include "testbed/experiment/run.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/results/human.hpp"

namespace ocs {
namespace {

Experiment experiment_of(const RunArguments& arguments, const Environment& environment) {
  Experiment experiment = load(arguments.experiment, environment, arguments.outputs.database);
  if (arguments.plans.empty()) return experiment;
  experiment = with_plans(std::move(experiment), arguments.plans);
  for (const Point& point : experiment.points) plan_job(point);  // none runs if one of them breaks a rule
  return experiment;
}

/// One start of the command.
class Run {
 public:
  Run(const RunArguments& arguments, const Environment& environment)
      : arguments_(arguments),
        version_(environment.version),
        experiment_(experiment_of(arguments, environment)),
        record_(record_of(experiment_, arguments.experiment.file, version_)),
        shard_(parse_shard(arguments.shard)),
        outputs_(arguments.outputs, record_),
        firmware_(arguments.firmware),
        progress_(stderr, interruption_, arguments.outputs.quiet) {
    warn_of_settings_without_effect(experiment_);
    if (arguments.resume) find_rows_that_are_there(environment);
  }

  void all() {
    try {
      for (std::size_t k = 0; k < experiment_.points.size(); ++k) {
        interruption_.check();
        if (shard_.has(k) && (k >= there_.size() || !there_[k])) one(k);
      }
    } catch (const std::exception&) {
      progress_.clear();
      outputs_.finish();
      if (interruption_.noted() == 0) throw;
      throw Interrupted(interruption_.noted(), "interrupted: " + std::to_string(outputs_.rows().size()) + " of " +
                                                   std::to_string(shard_.size(experiment_.points.size()) - skipped_) +
                                                   " rows are finished and kept");
    }
    outputs_.finish();
    for (const Row& row : outputs_.rows())
      if (row.crc_errors != 0 || row.sum_errors != 0)
        throw Error(ErrorKind::run, "policy " + row.policy + " has " + std::to_string(row.crc_errors) +
                                        " CRC errors and " + std::to_string(row.sum_errors) +
                                        " wrong sums, but must have none: payload was damaged");
  }

 private:
  void find_rows_that_are_there(const Environment& environment) {
    const Names names = known_names(environment, {}, arguments_.outputs.database);
    std::vector<StoredRow> rows = StoredRows(arguments_.outputs.database).sound_rows(version_);
    std::erase_if(rows, [this](const StoredRow& row) {  // a program that the database alone names isn't even looked at
      const std::string program = program_of(row.resolved);
      return !program.empty() && std::ranges::none_of(experiment_.points, [&](const Point& point) {
        return point.planning.outside && point.planning.outside->name == program;
      });
    });
    const RowsThere there(std::move(rows), names);
    for (std::size_t k = 0; k < experiment_.points.size(); ++k) {
      const StoredRow* row = there.find(record_of_row(experiment_, k, record_));
      there_.push_back(row != nullptr);
      if (row == nullptr || !shard_.has(k)) continue;
      ++skipped_;
      Row known = asked_row(experiment_.points[k]);
      known.pst_mean = {row->pst_mean_ps.value_or(0)};
      outputs_.remember(std::move(known));
    }
    std::cerr << "lightloop: " + std::to_string(skipped_) + (skipped_ == 1 ? " row is" : " rows are") +
                     " there already\n";
  }

  void one(std::size_t k) {
    const Point& point = experiment_.points[k];
    const std::string what = "[" + std::to_string(k + 1) + "/" + std::to_string(experiment_.points.size()) + "] " +
                             name_of_row(experiment_, k);
    progress_.begin(what);
    std::vector<Event> log;
    RunOptions options{.version = version_,
                       .progress = &progress_,
                       .pause = [this] { progress_.pause(); },
                       .on_event = {},
                       .crew = crews_.by_point()};
    if (arguments_.firmware.any()) {
      if (point.packets || point.arrivals() || point.collective() || point.peers() || point.fabric.planes > 1)
        throw Error(ErrorKind::input, "--firmware-log and --firmware-trace are for one job on one switch");
      options.on_device = [this](Device& device) { firmware_.attach(device); };
    }
    Profile profile;
    if (arguments_.profile) {
      options.profile = &profile;
      profile.start();
    }
    std::optional<ExecutedChart> chart;
    if (arguments_.charts != nullptr) {
      chart.emplace(point.policy + ", as " + point.fabric.device + " did it", point.fabric.cycle);
      options.on_carried = [&chart](const Carried& carried) { chart->on(carried); };
    }
    if (arguments_.events || chart)
      options.on_event = [&](const Event& event) {
        if (arguments_.events) log.push_back(event);
        if (chart) chart->on(event);
      };
    try {
      const Row row = run_point(point, options);
      firmware_.finish();
      if (chart) arguments_.charts->push_back(std::move(*chart).finish());
      {
        const Profile::In in(options.profile, Part::database);
        outputs_.add(row, record_of_row(experiment_, k, record_), log);
      }
      progress_.clear();
      profile.stop();
      if (!arguments_.outputs.quiet)  // in one piece
        std::cerr << what +
                         (row.arrivals ? ": CCT " + human_time(row.arrivals->cct_mean)
                          : row.eager  ? ": iteration " + human_time(row.schemes->iteration_mean)
                                       : ": PST " + human_time(row.pst_mean)) +
                         ", wall " + human_time(row.wall_time_s) + "\n";
      if (arguments_.profile) std::cerr << profile_text(profile, what);
    } catch (const Error& failure) {
      throw Error(failure.kind(), "row " + std::to_string(k + 1) + " (" + point.policy + "): " + failure.what());
    }
  }

  const RunArguments& arguments_;
  std::string version_;
  Experiment experiment_;  ///< while it is read, Ctrl-C ends the program at once: nothing is lost, a pipe may never end
  ExperimentRecord record_;
  Interruption interruption_;
  RowShard shard_;  ///< refused, if it has to be, before a file is opened
  RowOutputs outputs_;
  FirmwareWatch firmware_;
  TerminalProgress progress_;
  Crews crews_{progress_};
  std::vector<bool> there_;  ///< rows that need not be run; empty: none
  std::size_t skipped_ = 0;
};

}  // namespace

/// The rows that would be run, by number.
void list_rows(const RunArguments& arguments, const Environment& environment) {
  const Experiment experiment = experiment_of(arguments, environment);
  const RowShard shard = parse_shard(arguments.shard);
  warn_of_settings_without_effect(experiment);
  for (std::size_t k = 0; k < experiment.points.size(); ++k)
    if (shard.has(k)) std::cout << std::to_string(k + 1) + "  " + name_of_row(experiment, k) + "\n";
}

void run_experiment(const RunArguments& arguments, const Environment& environment) {
  for (const auto& [name, given] : {std::pair{"--resume", arguments.resume}, std::pair{"--events", arguments.events}})
    if (given && arguments.outputs.database.empty())
      throw Error(ErrorKind::input, std::string(name) + " needs --db FILE: rows and event logs are in a database");
  if (arguments.dry_run) return list_rows(arguments, environment);
  Run(arguments, environment).all();
}

void add_run(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("run", "Runs an experiment: a list in place of a value is an axis, one row each.");
  const auto arguments = std::make_shared<RunArguments>();
  arguments->experiment.add_to(*command);
  command->add_option("--db", arguments->outputs.database, "appends the rows to this SQLite database (docs/results.md)")
      ->type_name("FILE");
  command
      ->add_option(
          "--json", arguments->outputs.json,
          "writes the rows as JSON to this file, or - for standard output; what the file held is kept as FILE.1")
      ->type_name("FILE|-");
  command->add_flag("--resume", arguments->resume,
                    "skips the rows that this lightloop has written to the database already");
  command->add_flag("--events", arguments->events, "keeps the event log of each row in the database");
  command
      ->add_option("--firmware-log", arguments->firmware.log,
                   "writes what the firmware of device soc prints, with its cycles")
      ->type_name("FILE|-");
  command
      ->add_option("--firmware-trace", arguments->firmware.trace,
                   "writes each instruction that it fetches: cycle, address, function")
      ->type_name("FILE|-");
  command->add_flag("--profile", arguments->profile,
                    "prints, after each row, where its wall time went (docs/performance.md)");
  command->add_option("--shard", arguments->shard, "runs every N-th row from row K on: the N shards have all rows")
      ->type_name("K/N");
  command->add_flag("--dry-run", arguments->dry_run, "lists the rows, with the values of all axes, and runs none");
  command->add_flag("--quiet", arguments->outputs.quiet, "prints no table and no progress");
  command->footer(
      "Ctrl-C keeps the finished rows and ends the run; a second one ends the program at once.\n"
      "Exit codes: 0 done, 1 a run failed, 2 wrong input, 130 ended by Ctrl-C.");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { run_experiment(*arguments, given); }; });
}

}  // namespace ocs
