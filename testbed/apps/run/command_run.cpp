// lightloop run: every row of an experiment, to a table, a database and JSON.
// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/run/experiment_arguments.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/apps/run/live_sweep.hpp"
#include "testbed/apps/run/outputs.hpp"
#include "testbed/apps/run/progress.hpp"
#include "testbed/apps/run/row_run.hpp"
#include "testbed/apps/run/row_selection.hpp"
#include "testbed/apps/run/row_workers.hpp"
#include "testbed/apps/run/run_experiment.hpp"
#include "testbed/experiment/fit/expected_memory.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/experiment/point_record.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/experiment/shown_settings.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/results/database/snapshot.hpp"
#include "testbed/results/text/human.hpp"
#include "testbed/run/exact_rows.hpp"
#include "testbed/run/paper.hpp"
#include "testbed/run/run.hpp"
#include "testbed/session/node_runners.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

Experiment experiment_of(const RunArguments& arguments, const Environment& environment) {
  Experiment experiment = arguments.experiment_read != nullptr
                              ? *arguments.experiment_read
                              : load(arguments.experiment, environment, arguments.outputs.database);
  if (arguments.plans.empty()) {
    check_exact(experiment);
    return experiment;
  }
  experiment = with_plans(std::move(experiment), arguments.plans);
  for (const Point& point : experiment.points)  // none runs if one of them breaks a rule
    if (planned_in_phases(point))
      plan_job(point);
    else
      run_on_paper(on_paper(point, 1));
  return experiment;
}

/// Whether each row is one of the shard's. @throws Error (input)
std::vector<bool> rows_of(const RunArguments& arguments, const Experiment& experiment) {
  return rows_of_shard(parse_shard(arguments.shard),
                       costs_of_rows(experiment, arguments.experiment.file, arguments.costs));
}

std::size_t cores() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? static_cast<std::size_t>(CPU_COUNT(&allowed)) : 1;
}

/// What only one row can have at a time. @throws Error (input)
void check_parallel(const RunArguments& arguments, const Experiment& experiment) {
  if (arguments.firmware.any())
    throw Error(ErrorKind::input, "--firmware-log and --firmware-trace have one file for all rows: they need -j 1");
  for (const Point& point : experiment.points) {
    if (const std::string& device = point.fabric.device; device.find(':') != std::string::npos)
      throw Error(ErrorKind::input, "fabric.device is " + in_quotes(device) + ", which is one device: it needs -j 1");
    if (!point.nodes.listen.empty() && point.nodes.transport != "inproc")
      throw Error(ErrorKind::input, "nodes.listen is " + in_quotes(point.nodes.listen) +
                                        ", where one row at a time can listen: it needs -j 1");
  }
}

/// How many rows may run at the same time. @throws Error (input) as check_parallel()
std::size_t jobs_of(const RunArguments& arguments, const Experiment& experiment) {
  const std::size_t jobs = arguments.jobs == 0 ? cores() : arguments.jobs;
  if (jobs > 1) check_parallel(arguments, experiment);
  return jobs;
}

/// Whole megabytes, rounded up.
std::string megabytes(Bytes bytes) {
  constexpr std::int64_t one = 1'000'000;
  return to_text((bytes.n + one - 1) / one * one, Dimension::size);
}

/// @throws Error (input)
void make_trace_folder(const std::string& folder) {
  std::error_code failure;
  if (!folder.empty()) std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error(ErrorKind::input, "--trace: the folder " + in_quotes(folder) + " can't be made: " + failure.message());
}

/// One start of the command.
class ExperimentRun {
 public:
  ExperimentRun(const RunArguments& arguments, const Environment& environment)
      : arguments_(arguments),
        version_(environment.version),
        experiment_(experiment_of(arguments, environment)),
        record_(record_of(experiment_, arguments.experiment.file, version_)),
        mine_(rows_of(arguments, experiment_)),
        jobs_(jobs_of(arguments, experiment_)),
        live_(arguments.live, experiment_),
        outputs_(arguments.outputs, record_),
        firmware_(arguments.firmware),
        progress_(stderr, interruption_, arguments.outputs.quiet) {
    check_waves(arguments_.waves, experiment_);
    warn_of_settings_without_effect(experiment_);
    std::vector<bool> there(experiment_.points.size());
    if (arguments.resume) there = rows_that_are_there(environment);
    for (std::size_t k = 0; k < experiment_.points.size(); ++k)
      if (mine_[k] && !there[k]) rows_.push_back(k);
    jobs_ = std::min(jobs_, rows_.size());
    progress_.expect(rows_.size());
    make_trace_folder(arguments_.trace);
    live_.begin({.experiment = record_.name, .rows = rows_.size(), .jobs = jobs_, .version = version_});
  }

  void all() {
    try {
      if (jobs_ > 1)
        side_by_side();
      else
        one_by_one();
      live_.end(nullptr);
    } catch (const std::exception& failure) {
      live_.end(interruption_.noted() == 0 ? failure.what() : "interrupted");
      progress_.clear();
      outputs_.finish();
      if (interruption_.noted() == 0) throw;
      throw Interrupted(interruption_.noted(), "interrupted: " + std::to_string(outputs_.rows().size()) + " of " +
                                                   std::to_string(rows_.size()) +
                                                   (rows_.size() == 1 ? " row is" : " rows are") +
                                                   " finished and kept");
    }
    outputs_.finish();
    for (const Row& row : outputs_.rows())
      if (row.crc_errors != 0 || row.sum_errors != 0)
        throw Error(ErrorKind::run, "policy " + row.policy + " has " + counted(row.crc_errors, "CRC error") + " and " +
                                        counted(row.sum_errors, "wrong sum") +
                                        ", but must have none: payload was damaged");
    if (failed_ > 0)
      throw Error(ErrorKind::run, std::to_string(failed_) + " of " + std::to_string(rows_.size()) +
                                      (rows_.size() == 1 ? " row failed" : " rows failed"));
    if (waves_failed_ > 0)
      throw Error(ErrorKind::run, counted(static_cast<std::int64_t>(waves_failed_), "waveform") +
                                      (waves_failed_ == 1 ? " was" : " were") + " not written; the rows are kept");
  }

 private:
  std::vector<StoredRow> sound_rows_of(const std::string& database) const {
    StoredRows stored(database);
    std::vector<StoredRow> rows = stored.sound_rows(version_);
    warn_of_rows_without_checksum(stored);
    return rows;
  }

  std::vector<bool> rows_that_are_there(const Environment& environment) {
    const Names names = known_names(environment, {}, arguments_.outputs.database);
    std::vector<StoredRow> rows = sound_rows_of(arguments_.outputs.database);
    if (std::filesystem::exists(arguments_.known)) {
      const DatabaseSnapshot known(arguments_.known);
      std::ranges::move(sound_rows_of(known.readable()), std::back_inserter(rows));
    }
    std::erase_if(rows, [this](const StoredRow& row) {  // a program that the database alone names isn't even looked at
      const std::string program = program_of(row.resolved);
      return !program.empty() && std::ranges::none_of(experiment_.points, [&](const Point& point) {
        return point.planning.outside && point.planning.outside->name == program;
      });
    });
    const RowsThere known_rows(std::move(rows), names);
    std::vector<bool> there;
    std::size_t skipped = 0;
    for (std::size_t k = 0; k < experiment_.points.size(); ++k) {
      const StoredRow* row = known_rows.find(record_of_row(experiment_, k, record_));
      there.push_back(row != nullptr);
      if (row == nullptr || !mine_[k]) continue;
      ++skipped;
      Row known = requested_row(experiment_.points[k]);
      known.settings = shown_settings(experiment_, k);
      known.pst_mean = {row->pst_mean_ps.value_or(0)};
      if (row->iteration_ps) known.know_iteration({*row->iteration_ps});
      outputs_.remember(std::move(known));
    }
    std::cerr << "lightloop: " + std::to_string(skipped) + (skipped == 1 ? " row is" : " rows are") +
                     " there already\n";
    return there;
  }

  std::string title(std::size_t row) const {
    return "[" + std::to_string(row + 1) + "/" + std::to_string(experiment_.points.size()) + "] " +
           name_of_row(experiment_, row);
  }

  void one_by_one() {
    const RowRunner runner(arguments_, experiment_, version_, &firmware_, live_.page());
    for (const std::size_t row : rows_) {
      interruption_.check();
      progress_.begin(title(row));
      write(row, runner.run(
                     row, progress_, [this] { progress_.pause(); }, runners_));
    }
  }

  /// Rows are written in their order, each as soon as all before it are.
  void side_by_side() {
    say_expected_memory();
    const RowRunner runner(arguments_, experiment_, version_, nullptr, live_.page());
    RowWorkers workers(
        jobs_,
        [&](std::size_t row, Progress& progress, const std::function<void()>& pause, NodeRunners& runners) {
          RowOutcome outcome = runner.run(row, progress, pause, runners);
          if (outcome.profile && !outcome.failure) {
            outcome.profile->stop();
            outcome.profile_text = profile_text(*outcome.profile, title(row));
          }
          return outcome;
        },
        interruption_);
    std::map<std::size_t, RowOutcome> ended;
    try {
      run_all(workers, ended);
    } catch (const std::exception&) {
      for (auto& [row, outcome] : ended)  // what is finished is kept
        if (!outcome.failure) write(row, std::move(outcome));
      throw;
    }
  }

  void run_all(RowWorkers& workers, std::map<std::size_t, RowOutcome>& ended) {
    std::size_t next = 0, written = 0, end = rows_.size();
    while (written < end) {
      // Rows start before others are written: no worker waits for the disk.
      while (next < end && workers.has_free()) workers.start(rows_[next++]);
      for (; written < end && ended.contains(rows_[written]); ++written)
        write(rows_[written], std::move(ended.extract(rows_[written]).mapped()));
      if (written == end) break;
      show(workers, written);
      for (RowWorkers::Finished& one : workers.wait(std::chrono::milliseconds(100))) {
        // The first row in order that fails ends the run: rows before it still have to end.
        if (one.outcome.failure && !arguments_.keep_going)
          end = std::min(end, static_cast<std::size_t>(std::ranges::lower_bound(rows_, one.row) - rows_.begin()) + 1);
        ended.insert_or_assign(one.row, std::move(one.outcome));
      }
    }
  }

  void show(const RowWorkers& workers, std::size_t written) {
    interruption_.check();
    const auto first = workers.first();
    if (!first) return;
    const std::size_t others = workers.running() - 1;
    const std::string what = title(first->row) + (others == 0 ? "" : ", and " + std::to_string(others) + " more");
    if (what != shown_) progress_.begin(shown_ = what);
    progress_.ended(written);
    progress_.tick({first->now, first->fraction, first->waiting_for, {}});
  }

  void say_expected_memory() const {
    if (arguments_.outputs.quiet) return;
    std::vector<Bytes> each;
    each.reserve(rows_.size());
    for (const std::size_t row : rows_) each.push_back(expected_memory(experiment_.points[row]));
    std::ranges::sort(each, std::ranges::greater());
    Bytes sum;
    for (std::size_t k = 0; k < jobs_; ++k) sum += each[k];
    std::cerr << "lightloop: " + std::to_string(jobs_) + " rows at the same time, about " + megabytes(sum) +
                     " of memory expected, " + megabytes(each.front()) + " for the largest row\n";
  }

  /// A sentence a line.
  void say_waves(const WavesOutcome& waves) {
    waves_failed_ += waves.failed;
    if (waves.text.empty() || (arguments_.outputs.quiet && waves.failed == 0)) return;
    progress_.clear();
    std::istringstream lines(waves.text);
    for (std::string line; std::getline(lines, line);) std::cerr << "lightloop: " + line + "\n";
  }

  void write(std::size_t row, RowOutcome outcome) {
    say_waves(outcome.waves);
    if (outcome.failure) return fail(row, *outcome.failure);
    outcome.row.settings = shown_settings(experiment_, row);
    if (outcome.chart) arguments_.charts->push_back(std::move(*outcome.chart));
    Profile* const profile = outcome.profile ? &*outcome.profile : nullptr;
    try {
      const Profile::In in(profile, Part::database);
      outputs_.add(outcome.row, record_of_row(experiment_, row, record_), outcome.log);
    } catch (const Error& failure) {
      throw Error(failure.kind(), name_in_errors(experiment_, row) + failure.what());
    }
    progress_.clear();
    if (profile) {
      profile->stop();
      outcome.profile_text = profile_text(*profile, title(row));
    }
    const Row& done = outcome.row;
    live_.ended(row, done);
    if (!arguments_.outputs.quiet)  // in one piece
      std::cerr << title(row) + ": " + headline_text(done) + ", wall " + human_time(done.wall_time_s) + "\n";
    if (arguments_.profile) std::cerr << outcome.profile_text;
  }

  void fail(std::size_t row, const Error& failure) {
    interruption_.check();  // what failed may have, because it was interrupted
    const std::string sentence = name_in_errors(experiment_, row) + failure.what();
    live_.failed(row, failure.what());
    if (!arguments_.keep_going) throw Error(failure.kind(), sentence);
    Row failed = requested_row(experiment_.points[row]);
    failed.version = version_;
    failed.settings = shown_settings(experiment_, row);
    failed.error = failure.what();
    outputs_.add_failed(failed, record_of_row(experiment_, row, record_));
    progress_.clear();
    std::cerr << "lightloop: " + sentence + "\n";
    ++failed_;
  }

  const RunArguments& arguments_;
  std::string version_;
  Experiment experiment_;  ///< while it is read, Ctrl-C ends the program at once: nothing is lost, a pipe may never end
  ExperimentRecord record_;
  Interruption interruption_;
  std::vector<bool> mine_;  ///< rows of the shard; refused, if it has to be, before a file is opened
  std::size_t jobs_;
  LiveSweep live_;  ///< its process is started before a file is opened
  RowOutputs outputs_;
  FirmwareWatch firmware_;
  TerminalProgress progress_;
  NodeRunners runners_{progress_, "/proc/self/exe", arguments_.runner_platform};
  std::vector<std::size_t> rows_;  ///< that are to be run, ascending
  std::size_t failed_ = 0, waves_failed_ = 0;
  std::string shown_;  ///< as progress of rows side by side
};

}  // namespace

/// The rows that would be run, by number.
void list_rows(const RunArguments& arguments, const Environment& environment) {
  const Experiment experiment = experiment_of(arguments, environment);
  const std::vector<bool> mine = rows_of(arguments, experiment);
  warn_of_settings_without_effect(experiment);
  for (std::size_t k = 0; k < experiment.points.size(); ++k)
    if (mine[k]) std::cout << std::to_string(k + 1) + "  " + name_of_row(experiment, k) + "\n";
}

void run_experiment(const RunArguments& arguments, const Environment& environment) {
  for (const auto& [name, given] : {std::pair{"--resume", arguments.resume}, std::pair{"--events", arguments.events}})
    if (given && arguments.outputs.database.empty())
      throw Error(ErrorKind::input, std::string(name) + " needs --db FILE: rows and event logs are in a database");
  if (arguments.trace_gzip && arguments.trace.empty())
    throw Error(ErrorKind::input, "--trace-gzip needs --trace DIR: there is nothing to compress");
  if (arguments.trace_why && arguments.trace.empty())
    throw Error(ErrorKind::input, "--trace-why needs --trace DIR: the chain is a track of a timeline");
  check_live(arguments.live, arguments.dry_run);
  if (arguments.dry_run) return list_rows(arguments, environment);
  ExperimentRun(arguments, environment).all();
}

void add_run(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "run", "Runs an experiment. A list in place of a value is an axis; the axes make one row for each combination.");
  const auto arguments = std::make_shared<RunArguments>();
  arguments->experiment.add_to(*command);
  command
      ->add_option("--db", arguments->outputs.database,
                   "appends the rows to this SQLite database (docs/results.md); default: none")
      ->type_name("FILE");
  command
      ->add_option(
          "--json", arguments->outputs.json,
          "writes the rows as JSON to this file, or to standard output (-); a file that exists is renamed to FILE.1; "
          "default: none")
      ->type_name("FILE|-");
  command
      ->add_option(
          "--csv", arguments->outputs.csv,
          "writes the rows as CSV to this file, or to standard output (-), with the columns of docs/results.md; a file "
          "that exists is renamed to FILE.1; default: none")
      ->type_name("FILE|-");
  command
      ->add_option(
          "-j,--jobs", arguments->jobs,
          "number of rows that run at the same time, each in its own process; 0: one for each core; default: 1")
      ->type_name("N")
      ->check(CLI::Range(0, 1024));
  command->add_flag(
      "--keep-going", arguments->keep_going,
      "continues after a row that fails: the error is its result, and the exit code is 1; default: the run ends");
  command->add_flag("--resume", arguments->resume,
                    "skips the rows that this version of lightloop has already written to the database; needs --db");
  command->add_flag("--events", arguments->events, "keeps the event log of each row in the database; needs --db");
  command
      ->add_option("--firmware-log", arguments->firmware.log,
                   "writes what the firmware of device soc prints, each line with its cycle, to this file or to "
                   "standard output (-); default: none")
      ->type_name("FILE|-");
  command
      ->add_option("--firmware-trace", arguments->firmware.trace,
                   "writes each instruction that this firmware fetches: cycle, address, function; default: none")
      ->type_name("FILE|-");
  command
      ->add_option("--trace", arguments->trace,
                   "writes a timeline of each row to this folder, DIR/row-1.json and so on, for ui.perfetto.dev and "
                   "chrome://tracing (docs/timeline.md); default: none")
      ->type_name("DIR");
  command->add_flag("--trace-gzip", arguments->trace_gzip,
                    "compresses the timelines: DIR/row-1.json.gz; needs --trace");
  command->add_flag("--trace-why", arguments->trace_why,
                    "adds the chain of waits of the longest iteration to each timeline, as `lightloop why` finds it; "
                    "memory then grows with the row; needs --trace");
  add_live(*command, arguments->live);
  arguments->waves.add_to(*command);
  arguments->waves.add_around_to(*command);
  command->add_flag("--profile", arguments->profile,
                    "prints after each row how its wall time was spent (docs/performance.md)");
  command
      ->add_option(
          "--shard", arguments->shard,
          "runs every N-th row, starting with row K, 1 to N; the N shards together have all rows; default: 1/1")
      ->type_name("K/N");
  command->add_flag("--dry-run", arguments->dry_run, "lists the rows with the values of all axes, and runs none");
  command
      ->add_option("--baseline", arguments->outputs.baseline,
                   "ratios in the table refer to the rows with this value of an axis, such as policy=hlf; default: "
                   "policy=psscheduler, if it is one of several policies")
      ->type_name("KEY=VALUE");
  command->add_flag("--quiet", arguments->outputs.quiet, "prints no table and no progress");
  command->footer(
      "Ctrl-C ends the run and keeps the finished rows. A second Ctrl-C ends the program at once.\n"
      "Exit codes: 0 done, 1 a run failed, 2 wrong input, 130 ended by Ctrl-C.");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { run_experiment(*arguments, given); }; });
}

}  // namespace ocs
