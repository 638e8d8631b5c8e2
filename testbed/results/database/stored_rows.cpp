// Queries on a results database.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database/stored_rows.hpp"

#include <charconv>

#include "host/core/printable.hpp"
#include "testbed/results/database/schema.hpp"
#include "testbed/results/events/event_log.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {
namespace {

constexpr const char* select_rows =
    "SELECT row.row_id, policy, device, version, pst_mean_ps, events, event_log_hash, resolved.experiment, error, "
    "iteration_ps, sim_time_ps FROM row LEFT JOIN resolved USING (row_id) ";

std::string name_of(std::int64_t row, const std::string& file) {
  return "row " + std::to_string(row) + " of \"" + file + "\"";
}

std::uint64_t hash_of(const std::string& digits, const std::string& row) {
  std::uint64_t hash = 0;
  const char* end = digits.data() + digits.size();
  if (digits.size() != 16 || std::from_chars(digits.data(), end, hash, 16).ptr != end)
    throw Error(ErrorKind::input, row + " has an event_log_hash that isn't 16 hexadecimal digits");
  return hash;
}

StoredRow read(const Sqlite::Statement& statement, const std::string& file) {
  StoredRow row;
  row.id = statement.whole(0);
  const std::string name = name_of(row.id, file);
  if (!statement.is_null(8)) throw Error(ErrorKind::input, name + " failed: " + printable(statement.text(8)));
  row.policy = statement.text(1);
  row.device = statement.text(2);
  row.version = statement.text(3);
  if (!statement.is_null(4)) row.pst_mean_ps = statement.whole(4);  // a row without phases has none
  row.events = statement.whole(5);
  if (!statement.is_null(6)) row.event_log_hash = hash_of(statement.text(6), name);
  if (statement.is_null(7))
    throw Error(ErrorKind::input, name + " was written by lightloop " + printable(row.version) +
                                      ", which didn't keep its resolved experiment");
  row.resolved = record_from_json(statement.text(7), name);
  if (!statement.is_null(9)) row.iteration_ps = statement.whole(9);
  if (!statement.is_null(10)) row.sim_time_ps = statement.whole(10);
  return row;
}

}  // namespace

StoredRows::StoredRows(const std::string& file) : file_(file, Sqlite::Access::read) { check_schema(file_); }

void StoredRows::check(std::int64_t id) {
  if (!checksums_) checksums_.emplace(file_);
  try {
    if (!checksums_->check(id)) unchecked_.insert(id);
  } catch (...) {
    checksums_.reset();  // a statement may have ended in the middle of a row
    throw;
  }
}

StoredRow StoredRows::row(std::int64_t id) {
  Sqlite::Statement statement(file_, std::string(select_rows) + "WHERE row.row_id = ?");
  statement.bind(id);
  if (statement.step()) {
    check(id);
    return read(statement, file_.name());
  }
  refuse_missing(id);
}

void StoredRows::refuse_missing(std::int64_t id) {
  const std::int64_t last = file_.number("SELECT ifnull(max(row_id), 0) FROM row");
  throw Error(ErrorKind::input, "row " + std::to_string(id) + " does not exist in \"" + file_.name() +
                                    "\" (rows: " + (last == 0 ? "none" : "1 to " + std::to_string(last)) + ")");
}

std::optional<std::string> StoredRows::charges(std::int64_t id) {
  row(id);
  Sqlite::Statement statement(file_, "SELECT planning_charges FROM row WHERE row_id = ?");
  statement.bind(id);
  if (!statement.step() || statement.is_null(0)) return std::nullopt;
  return statement.text(0);
}

std::vector<std::pair<std::string, std::string>> StoredRows::values(const StoredRow& row) {
  if (!values_) {
    std::string names;
    for (const Column& column : row_columns())
      names.append(names.empty() ? "\"" : ", \"").append(column.name).append("\"");
    values_.emplace(file_, "SELECT " + names + " FROM row WHERE row_id = ?");
  }
  values_->reset();
  values_->bind(row.id);
  if (!values_->step()) refuse_missing(row.id);
  std::vector<std::pair<std::string, std::string>> values;
  for (const Column& column : row_columns()) {
    const int number = static_cast<int>(values.size());
    values.emplace_back(column.name, values_->is_null(number) ? std::string{} : values_->as_text(number));
  }
  values_->reset();  // what stays in the middle of a row keeps the file locked
  return values;
}

std::vector<StoredRow> StoredRows::sound_rows(const std::string& version) {
  unchecked_.merge(check_all_rows(file_));
  Sqlite::Statement statement(file_,
                              std::string(select_rows) +
                                  "WHERE version = ? AND error IS NULL AND crc_errors = 0 AND sum_errors = 0 AND "
                                  "resolved.experiment IS NOT NULL ORDER BY row.row_id");
  statement.bind(version);
  std::vector<StoredRow> rows;
  while (statement.step()) {
    try {
      rows.push_back(read(statement, file_.name()));
    } catch (const Error& damaged) {
      if (damaged.kind() != ErrorKind::input) throw;
    }
  }
  return rows;
}

std::vector<Event> StoredRows::events(const StoredRow& row) {
  Sqlite::Statement statement(
      file_, "SELECT number, at, plane, kind, port, burst, first, words FROM event WHERE row_id = ? ORDER BY number");
  statement.bind(row.id);
  std::vector<Event> log;
  while (statement.step()) {
    if (statement.whole(0) != static_cast<std::int64_t>(log.size()))
      throw Error(ErrorKind::input,
                  "the event log of " + name_of(row.id, file_.name()) + " lacks event " + std::to_string(log.size()));
    EventNumbers numbers{};
    for (int k = 0; k < static_cast<int>(numbers.size()); ++k)
      numbers[static_cast<std::size_t>(k)] = statement.whole(k + 1);
    log.push_back(event_of(numbers));
  }
  return log;
}

std::string StoredRows::warning() const {
  if (unchecked_.empty()) return "";
  const bool one = unchecked_.size() == 1;
  const std::string which =
      one ? "row " + std::to_string(*unchecked_.begin()) : std::to_string(unchecked_.size()) + " rows";
  return which + " of \"" + file_.name() + (one ? "\" has" : "\" have") +
         " no checksum, because an older lightloop wrote " + (one ? "it" : "them") + ": damage would not be noticed";
}

}  // namespace ocs
