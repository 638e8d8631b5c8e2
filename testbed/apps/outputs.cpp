// Writes each row everywhere it is wanted.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/outputs.hpp"

#include <chrono>
#include <ctime>
#include <iostream>

#include "testbed/results/table.hpp"

namespace ocs {
namespace {

/// For the database alone; no result depends on it.
std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

RowOutputs::RowOutputs(const OutputArguments& arguments, const ExperimentRecord& record) : arguments_(arguments) {
  if (!arguments.database.empty()) database_.emplace(arguments.database, record, utc_now());
  if (!arguments.json.empty()) json_.emplace(arguments.json, record, stdout);
  if (json_ && !json_->kept().empty())
    std::cerr << "lightloop: " << arguments.json << " held earlier results; they are kept as " << json_->kept().string()
              << '\n';
  table_to_ = arguments.json == "-" ? &std::cerr : &std::cout;
}

void RowOutputs::add(Row row, const ExperimentRecord& resolved, std::span<const Event> log) {
  compare_with_psscheduler(row, earlier_);
  const auto fields = to_fields(row);
  const std::vector<CurveEntry> curve = row.learning ? row.learning->curve : std::vector<CurveEntry>{};
  earlier_.push_back(row);
  rows_.push_back(std::move(row));
  std::optional<Error> failure;
  if (database_) {
    database_->resolved(resolved);
    database_->events(log);
    database_->curve(curve);
    try {
      database_->row(fields);
    } catch (const Error& error) {  // the row must not be lost with it
      failure = error;
    }
  }
  if (json_) json_->curve(curve);
  if (json_) json_->row(fields);
  if (!failure) return;
  std::string where = arguments_.quiet ? "" : "in the table";
  if (json_) where += (where.empty() ? "in " : " and in ") + arguments_.json;
  throw Error(failure->kind(), std::string(failure->what()) + (where.empty() ? "" : "; this row is only " + where));
}

void RowOutputs::finish() {
  if (json_) json_->finish();
  if (!arguments_.quiet) print_table(*table_to_, rows_);
}

}  // namespace ocs
