// lightloop run: every row of an experiment, to a table, a database and JSON.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>

#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/names.hpp"
#include "testbed/apps/progress.hpp"
#include "testbed/experiment/run.hpp"
#include "testbed/results/database.hpp"
#include "testbed/results/human.hpp"
#include "testbed/results/json.hpp"
#include "testbed/results/table.hpp"

namespace ocs {
namespace {

struct RunArguments {
  ExperimentArguments experiment;
  std::string database, json;
  bool quiet = false;
};

ExperimentRecord record_of(const Experiment& experiment, const std::string& file, const std::string& version) {
  ExperimentRecord record{.name = experiment.points.front().name, .file = file, .version = version, .keys = {}};
  for (const Setting& setting : experiment.settings) {
    ExperimentRecord::KeyValues& key = record.keys.emplace_back();
    key.key = setting.key;
    key.list = setting.list;
    for (const Setting::Item& item : setting.items) key.values.push_back(item.value);
  }
  return record;
}

/// For the database alone; no result depends on it.
std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// Where rows go; all of it is open before the first run starts.
class Outputs {
 public:
  Outputs(const RunArguments& arguments, const ExperimentRecord& record) : quiet_(arguments.quiet) {
    if (!arguments.database.empty()) database_.emplace(arguments.database, record, utc_now());
    if (!arguments.json.empty()) json_.emplace(arguments.json, record, stdout);
    if (json_ && !json_->kept().empty())
      std::cerr << "lightloop: " << arguments.json << " held earlier results; they are kept as "
                << json_->kept().string() << '\n';
    table_to_ = arguments.json == "-" ? &std::cerr : &std::cout;
  }

  void add(Row row) {
    compare_with_psscheduler(row, rows_);
    const auto fields = to_fields(row);
    if (database_) database_->row(fields);
    if (json_) json_->row(fields);
    rows_.push_back(std::move(row));
  }

  /// After the last row, also when a run failed: what is finished is shown.
  void finish() {
    if (json_) json_->finish();
    if (!quiet_) print_table(*table_to_, rows_);
  }

  std::span<const Row> rows() const { return rows_; }

 private:
  bool quiet_;
  std::optional<Database> database_;
  std::optional<JsonSink> json_;
  std::ostream* table_to_;
  std::vector<Row> rows_;
};

void run_all(const Experiment& experiment, Outputs& outputs, const RunArguments& arguments,
             const std::string& version) {
  TerminalProgress progress(stderr);
  for (std::size_t k = 0; k < experiment.points.size(); ++k) {
    const Point& point = experiment.points[k];
    const std::string what =
        "[" + std::to_string(k + 1) + "/" + std::to_string(experiment.points.size()) + "] " + point.policy;
    progress.begin(what);
    Row row;
    try {
      row = run_point(point, {.version = version, .progress = arguments.quiet ? nullptr : &progress, .on_event = {}});
    } catch (const Error& failure) {
      throw Error(failure.kind(), "row " + std::to_string(k + 1) + " (" + point.policy + "): " + failure.what());
    }
    outputs.add(row);
    progress.clear();
    if (!arguments.quiet)  // in one piece
      std::cerr << what + ": PST " + human_time(row.pst_mean) + ", wall " + human_time(row.wall_time_s) + "\n";
  }
}

void run(const RunArguments& arguments, const Environment& environment) {
  const Experiment experiment = load(arguments.experiment, environment);
  Outputs outputs(arguments, record_of(experiment, arguments.experiment.file, environment.version));
  try {
    run_all(experiment, outputs, arguments, environment.version);
  } catch (const Error&) {
    outputs.finish();
    throw;
  }
  outputs.finish();
  for (const Row& row : outputs.rows())
    if (row.crc_errors != 0 || row.sum_errors != 0)
      throw Error(ErrorKind::run, "policy " + row.policy + " has " + std::to_string(row.crc_errors) +
                                      " CRC errors and " + std::to_string(row.sum_errors) +
                                      " wrong sums, but must have none: payload was damaged");
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("run", "Runs an experiment: a list in place of a value is an axis, one row each.");
  const auto arguments = std::make_shared<RunArguments>();
  arguments->experiment.add_to(*command);
  command->add_option("--db", arguments->database, "appends the rows to this SQLite database (docs/results.md)")
      ->type_name("FILE");
  command
      ->add_option(
          "--json", arguments->json,
          "writes the rows as JSON to this file, or - for standard output; what the file held is kept as FILE.1")
      ->type_name("FILE|-");
  command->add_flag("--quiet", arguments->quiet, "prints no table and no progress");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { run(*arguments, given); }; });
}

}  // namespace ocs
