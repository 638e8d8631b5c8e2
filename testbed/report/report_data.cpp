// Reads rows in bulk: a report may have ten thousand.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/report/report_data.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/results/database/row_checksum.hpp"
#include "testbed/results/database/schema.hpp"
#include "testbed/results/database/sqlite.hpp"
#include "testbed/results/print/estimate.hpp"
#include "testbed/results/rows/record.hpp"
#include "testbed/results/rows/row.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

using Json = nlohmann::json;

constexpr std::size_t many_values = 1000;

/// Columns that the charts are made of.
constexpr const char* measured[] = {"iteration_ps",
                                    "pst_mean_ps",
                                    "bound_ps",
                                    "cct_mean_ps",
                                    "cct_p99_ps",
                                    "slowdown_mean",
                                    "accuracy",
                                    "loss",
                                    "time_to_accuracy_ps",
                                    "node_compute_ps",
                                    "node_communication_ps",
                                    "node_dark_ps",
                                    "node_waiting_ps",
                                    "port_up_cycles",
                                    "port_tuning_cycles",
                                    "port_locking_cycles",
                                    "port_held_cycles",
                                    "port_idle_cycles",
                                    "words_passed",
                                    "words_lost",
                                    "retransmissions",
                                    "planning_ps",
                                    "sim_time_ps",
                                    "wall_time_s",
                                    "delta_ps",
                                    "workload_bytes"};

struct ReadRow {
  std::int64_t id, run;
  std::map<std::string, Json> keys;
  std::vector<Json> columns;
};

Json json_of(const ExperimentRecord::Written& value) {
  return std::visit([](const auto& one) { return Json(one); }, value);
}

class Reader {
 public:
  Reader(const std::string& database, const std::vector<std::int64_t>& rows)
      : file_(database, Sqlite::Access::read), wanted_(rows.begin(), rows.end()) {
    check_schema(file_);
    const std::set<std::int64_t> unchecked = check_all_rows(file_);
    if (!unchecked.empty())
      data_.warnings.push_back(counted(static_cast<std::int64_t>(unchecked.size()), "row") + " of \"" + database +
                               "\" without a checksum, because an older lightloop wrote them: damage would not be "
                               "noticed");
  }

  ReportData read() {
    read_rows();
    data_.json["file"] = printable(file_.name());
    data_.json["runs"] = runs();
    data_.json["axes"] = axes();
    data_.json["rows"] = rows_json();
    data_.json["groups"] = groups();
    data_.json["failed"] = failed_;
    data_.json["curves"] = curves();
    return std::move(data_);
  }

 private:
  bool is_wanted(std::int64_t row) { return wanted_.empty() || wanted_.contains(row); }

  void read_rows() {
    for (const char* name : measured)
      if (std::ranges::any_of(row_columns(), [&](const Column& column) { return column.name == name; }))
        columns_.emplace_back(name);
    std::string sql = "SELECT row.row_id, run_id, resolved.experiment, error";
    for (const std::string& column : columns_) sql += ", CAST(" + column + " AS TEXT)";
    Sqlite::Statement statement(file_, sql + " FROM row LEFT JOIN resolved USING (row_id) ORDER BY row.row_id");
    std::set<std::int64_t> known;
    while (statement.step()) {
      const std::int64_t id = statement.whole(0);
      if (!is_wanted(id)) continue;
      known.insert(id);
      read_row(statement, id);
    }
    for (const std::int64_t row : wanted_)
      if (!known.contains(row))
        throw Error(ErrorKind::input, "row " + std::to_string(row) + " does not exist in \"" + file_.name() + "\"");
    if (rows_.empty())
      throw Error(ErrorKind::input, "\"" + file_.name() + "\" has no row to report: " +
                                        (failed_.empty() ? "it is empty" : "all rows failed"));
  }

  void read_row(const Sqlite::Statement& statement, std::int64_t id) {
    if (!statement.is_null(3)) {
      failed_.push_back({{"row", id}, {"error", printable(statement.text(3))}});
      return;
    }
    ReadRow row{.id = id, .run = statement.whole(1), .keys = {}, .columns = {}};
    if (!statement.is_null(2))
      for (const auto& [key, values, list] :
           record_from_json(statement.text(2), "row " + std::to_string(id) + " of \"" + file_.name() + "\"").keys)
        row.keys[key] = json_of(values.front());
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const int column = static_cast<int>(k) + 4;
      row.columns.push_back(statement.is_null(column) ? Json() : Json::parse(statement.text(column), nullptr, false));
      if (row.columns.back().is_discarded()) row.columns.back() = Json();
    }
    rows_.push_back(std::move(row));
  }

  Json runs() {
    std::set<std::int64_t> used;
    for (const ReadRow& row : rows_) used.insert(row.run);
    Sqlite::Statement statement(file_, "SELECT run_id, started, name, file, version FROM run ORDER BY run_id");
    Json list = Json::array();
    while (statement.step())
      if (used.contains(statement.whole(0)))
        list.push_back({{"started", printable(statement.text(1))},
                        {"name", printable(statement.text(2))},
                        {"file", printable(statement.text(3))},
                        {"version", printable(statement.text(4))}});
    return list;
  }

  /// The last one varies fastest: policy first in charts, as in the printed table.
  Json axes() {
    std::map<std::string, std::map<std::string, Json>> values;
    for (const ReadRow& row : rows_)
      for (const auto& [key, value] : row.keys) values[key].emplace(value.dump(), value);
    Json list = Json::array();
    for (const auto& [key, known] : values) {
      if (known.size() < 2) continue;
      axes_.push_back(key);
      if (known.size() > many_values)
        data_.warnings.push_back("axis " + key + " has " + human_count(static_cast<std::int64_t>(known.size())) +
                                 " values: charts show the first of them");
      Json numbers = Json::object();
      bool numeric = true;
      for (const auto& [text, value] : known) {
        const Json number = number_of(value);
        numeric = numeric && !number.is_null();
        if (numeric) numbers[value.is_string() ? value.get<std::string>() : value.dump()] = number;
      }
      list.push_back({{"key", key}, {"numbers", numeric ? numbers : Json()}});
    }
    return list;
  }

  Json rows_json() {
    Json list = Json::array();
    for (const ReadRow& row : rows_) {
      Json one = Json::array({row.id});
      for (const std::string& axis : axes_) {
        const auto found = row.keys.find(axis);
        one.push_back(found == row.keys.end() ? Json() : found->second);
      }
      for (const Json& value : row.columns) one.push_back(value);
      list.push_back(std::move(one));
    }
    data_.json["columns"] = columns_;
    return list;
  }

  /// Rows that differ in the seed alone: mean and 95 % confidence interval of each column.
  Json groups() {
    std::map<std::string, std::vector<const ReadRow*>> together;
    std::vector<std::string> order;
    for (const ReadRow& row : rows_) {
      Json name = Json::array();
      for (const std::string& axis : axes_)
        if (axis != "seed") name.push_back(row.keys.contains(axis) ? row.keys.at(axis) : Json());
      auto& list = together[name.dump()];
      if (list.empty()) order.push_back(name.dump());
      list.push_back(&row);
    }
    Json groups = Json::array();
    for (const std::string& name : order) {
      Json rows = Json::array(), estimates = Json::array();
      for (const ReadRow* row : together[name]) rows.push_back(row->id);
      for (std::size_t k = 0; k < columns_.size(); ++k) {
        std::vector<double> values;
        for (const ReadRow* row : together[name])
          if (row->columns[k].is_number()) values.push_back(row->columns[k].get<double>());
        const Estimate estimate = values.empty() ? Estimate{} : estimate_of(values);
        estimates.push_back(
            values.empty() ? Json()
                           : Json::array({estimate.mean, estimate.half_width ? Json(*estimate.half_width) : Json()}));
      }
      groups.push_back({{"axes", Json::parse(name)}, {"rows", std::move(rows)}, {"estimates", std::move(estimates)}});
    }
    return groups;
  }

  Json curves() {
    std::set<std::int64_t> shown;
    for (const ReadRow& row : rows_) shown.insert(row.id);
    Sqlite::Statement statement(
        file_, "SELECT row_id, updates, at_ps, CAST(accuracy AS TEXT) FROM curve ORDER BY row_id, number");
    Json curves = Json::object();
    while (statement.step())
      if (shown.contains(statement.whole(0)))
        curves[std::to_string(statement.whole(0))].push_back(
            {statement.whole(1), statement.whole(2), std::strtod(statement.text(3).c_str(), nullptr)});
    return curves;
  }

  Sqlite file_;
  std::set<std::int64_t> wanted_;
  ReportData data_;
  std::vector<std::string> columns_, axes_;
  std::vector<ReadRow> rows_;
  Json failed_ = Json::array();
};

}  // namespace

nlohmann::json number_of(const nlohmann::json& value) {
  if (value.is_number()) return value;
  if (!value.is_string()) return {};
  for (const Dimension dimension : {Dimension::time, Dimension::size, Dimension::rate}) {
    try {
      return parse_quantity(value.get<std::string>(), dimension);
    } catch (const Error&) {  // it is of another kind
    }
  }
  return {};
}

ReportData report_data(const std::string& database, const std::vector<std::int64_t>& rows) {
  return Reader(database, rows).read();
}

}  // namespace ocs
