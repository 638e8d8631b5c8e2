// Writes each row everywhere it is wanted.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/outputs.hpp"

#include <chrono>
#include <ctime>
#include <iostream>

#include "testbed/apps/run/baseline.hpp"
#include "testbed/apps/run/terminal_style.hpp"
#include "testbed/results/print/table.hpp"
#include "testbed/results/rows/failed_row.hpp"

namespace ocs {
namespace {

/// The present time, for the database alone; no result depends on it.
std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

RowOutputs::RowOutputs(const OutputArguments& arguments, const ExperimentRecord& record)
    : arguments_(arguments), baseline_(baseline_of(arguments.baseline, record)) {
  if (arguments.json == "-" && arguments.csv == "-")
    throw Error(ErrorKind::input, "--json and --csv are both \"-\", but only one can be standard output");
  if (!arguments.database.empty()) database_.emplace(arguments.database, record, utc_now());
  if (!arguments.json.empty()) json_.emplace(arguments.json, record, stdout);
  if (!arguments.csv.empty()) csv_.emplace(arguments.csv, stdout);
  const auto say_kept = [](const std::string& file, const std::filesystem::path& kept) {
    if (!kept.empty())
      std::cerr << "lightloop: " << file << " held earlier results; they are kept as " << kept.string() << '\n';
  };
  if (json_) say_kept(arguments.json, json_->kept());
  if (csv_) say_kept(arguments.csv, csv_->kept());
  table_to_ = arguments.json == "-" || arguments.csv == "-" ? &std::cerr : &std::cout;
}

void RowOutputs::remember(Row row) {
  remembered_.push_back(row);
  earlier_.push_back(std::move(row));
}

void RowOutputs::add(Row row, const ExperimentRecord& resolved, std::span<const Event> log) {
  compare_with_psscheduler(row, earlier_);
  const auto fields = to_fields(row);
  const std::vector<CurveEntry> curve = row.learning ? row.learning->curve : std::vector<CurveEntry>{};
  const std::vector<JobFields> jobs = to_fields(row.jobs);
  earlier_.push_back(row);
  rows_.push_back(std::move(row));
  write(fields, resolved, log, curve, jobs);
}

void RowOutputs::add_failed(const Row& row, const ExperimentRecord& resolved) {
  write(failed_fields(row), resolved, {}, {}, {});
}

void RowOutputs::write(const std::vector<std::pair<std::string, Value>>& fields, const ExperimentRecord& resolved,
                       std::span<const Event> log, std::span<const CurveEntry> curve, std::span<const JobFields> jobs) {
  std::optional<Error> failure;
  std::string where = arguments_.quiet ? "" : "in the table";
  const auto attempt = [&](const std::string& file, const auto& put) {
    try {
      put();
      where += (where.empty() ? "in " : " and in ") + file;
    } catch (const Error& error) {  // the row must not be lost with it
      if (!failure) failure = error;
    }
  };
  if (database_)
    attempt(arguments_.database, [&] {
      database_->resolved(resolved);
      database_->events(log);
      database_->curve(curve);
      database_->jobs(jobs);
      database_->row(fields);
    });
  if (json_)
    attempt(arguments_.json, [&] {
      json_->curve(curve);
      json_->jobs(jobs);
      json_->row(fields);
    });
  if (csv_) attempt(arguments_.csv, [&] { csv_->row(fields); });
  if (failure)
    throw Error(failure->kind(), std::string(failure->what()) + (where.empty() ? "" : "; this row is only " + where));
}

void RowOutputs::finish() {
  if (json_) json_->finish();
  if (!arguments_.quiet)
    print_table(*table_to_, rows_, {.width = terminal_style().width, .baseline = baseline_, .earlier = remembered_});
}

}  // namespace ocs
