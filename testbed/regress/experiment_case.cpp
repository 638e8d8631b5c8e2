// An experiment: its rows against expectations, golden rows, and one another.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/cluster/started_program.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/regress/run_case.hpp"
#include "testbed/results/rows/row.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

using nlohmann::json;

constexpr std::size_t max_rows_bytes = std::size_t{1} << 30;

std::vector<std::string> command_of(const CaseTable& table, const Case& one, const Place& place,
                                    const std::string& device) {
  std::vector<std::string> command{place.lightloop.string(), "run", table.experiment.string()};
  const auto set = [&](const std::string& text) { command.insert(command.end(), {"--set", text}); };
  for (const std::string& text : table.overrides) set(text);
  for (const auto& [key, value] : one.matrix) set(std::string(key).append("=").append(value));
  if (!device.empty()) set("fabric.device=" + device);
  command.insert(command.end(), {"--quiet", "--json", "-"});
  return command;
}

/// The rows of one device, and what each is called in a sentence.
struct DeviceRows {
  json rows;
  std::vector<std::string> places;  ///< "model: row 3 (policy=hlf): "
};

json parsed_document(const std::string& text, const std::string& origin) {
  json all = json::parse(text, nullptr, false);
  if (!all.is_object() || !all.contains("rows") || !all["rows"].is_array())
    refuse(origin, "must hold rows as `lightloop run --json` writes them");
  for (const json& row : all["rows"])
    if (!row.is_object()) refuse(origin, "must hold rows as `lightloop run --json` writes them");
  return all;
}

/// The value that a row has of a key, in words; empty: rows have no column of it.
std::string value_of_key(const json& row, const std::string& key) {
  const std::string name = key.substr(key.rfind('.') + 1);
  for (const char* ending : {"", "_requested_ps", "_ps", "_bytes", "_bps"}) {
    const auto at = row.find(name + ending);
    if (at == row.end() || at->is_null()) continue;
    if (at->is_string()) return at->get<std::string>();
    const bool time = std::string_view(ending).ends_with("_ps") && at->is_number_unsigned();
    return time ? to_text(at->get<std::int64_t>(), Dimension::time) : at->dump();
  }
  return "";
}

/// Rows of several values of a key are told apart by it.
DeviceRows named_rows(json document, const std::string& who) {
  DeviceRows out{std::move(document["rows"]), {}};
  const json experiment = document.value("experiment", json::object());
  const json keys = experiment.is_object() ? experiment.value("keys", json::object()) : json::object();
  for (const json& row : out.rows) {
    std::string axes;
    for (const auto& [key, value] : keys.items()) {
      if (!value.is_array() || value.size() < 2) continue;
      const std::string words = value_of_key(row, key);
      if (!words.empty()) axes.append(axes.empty() ? "" : ", ").append(key).append("=").append(words);
    }
    std::string& place = out.places.emplace_back(who).append("row ").append(std::to_string(out.places.size()));
    place.append(axes.empty() ? "" : " (" + axes + ")").append(": ");
  }
  return out;
}

Value value_in(const json& row, const std::string& column) {
  const auto at = row.find(column);
  if (at == row.end() || at->is_null()) return std::monostate{};
  if (at->is_string()) return at->get<std::string>();
  if (at->is_number_float()) return at->get<double>();
  if (at->is_number_integer()) return at->get<std::int64_t>();
  return std::monostate{};
}

/// Adds what is wrong; the first finding gives the outcome its sentence.
void add_failure(Outcome& outcome, const std::string& sentence, const std::string& cause) {
  if (outcome.verdict == Verdict::passed) {
    outcome.verdict = Verdict::failed;
    outcome.sentence = sentence;
    outcome.cause = cause;
  }
  outcome.log += sentence + "\n";
}

void judge_expectations(const CaseTable& table, const DeviceRows& got, Outcome& outcome) {
  for (const Expectation& expectation : table.expectations)
    for (std::size_t k = 0; k < got.rows.size(); ++k) {
      const std::string wrong = violation(expectation, value_in(got.rows[k], expectation.column));
      if (wrong.empty()) continue;
      add_failure(outcome, got.places[k] + wrong, table.name + ": " + expectation.text);
    }
}

/// Whether a golden row says nothing of this column: it measures the machine, or depends on the device that is named.
bool left_out(const CaseTable& table, const std::string& column) {
  const bool of_device = column == "device" || column == "edges";
  return differs_each_time(column) || column == "version" || (of_device && !table.devices.empty());
}

void judge_golden(const CaseTable& table, const DeviceRows& got, const std::string& who, Outcome& outcome) {
  const json& rows = got.rows;
  const std::string name = table.golden.string();
  const json golden = parsed_document(read_text_file(table.golden, "golden rows", max_rows_bytes), name)["rows"];
  if (golden.size() != rows.size())
    add_failure(outcome,
                who + std::to_string(rows.size()) + " rows, but the golden file has " + std::to_string(golden.size()),
                table.name + ": number of rows");
  for (std::size_t k = 0; k < std::min(golden.size(), rows.size()); ++k)
    for (const auto& [column, value] : golden[k].items()) {
      if (left_out(table, column) || value == rows[k].value(column, json())) continue;
      add_failure(outcome,
                  std::string(got.places[k])
                      .append(column)
                      .append(" is ")
                      .append(rows[k].value(column, json()).dump())
                      .append("; the golden row has ")
                      .append(value.dump()),
                  table.name + ": golden " + column);
    }
}

/// Every number of every row, for trends; the rows of all devices count on.
void add_measures(const json& rows, Outcome& outcome) {
  std::int64_t number = outcome.measures.empty() ? 0 : outcome.measures.back().row;
  for (const json& row : rows) {
    ++number;
    for (const auto& [column, value] : row.items())
      if (value.is_number()) outcome.measures.push_back({number, column, value.get<double>()});
  }
}

void judge_hashes(const CaseTable& table, const std::map<std::string, DeviceRows>& rows_of, Outcome& outcome) {
  const json& first = rows_of.at(table.devices.front()).rows;
  for (const std::string& device : table.devices) {
    const json& rows = rows_of.at(device).rows;
    if (rows.size() != first.size())
      add_failure(outcome, device + " has another number of rows", table.name + ": rows");
    for (std::size_t k = 0; k < std::min(rows.size(), first.size()); ++k) {
      const json expected = first[k].value("event_log_hash", json()), got = rows[k].value("event_log_hash", json());
      if (expected == got && !expected.is_null()) continue;
      add_failure(outcome,
                  rows_of.at(device).places[k] + "the hash of the event log is " + got.dump() + "; " +
                      table.devices.front() + " has " + expected.dump(),
                  table.name + ": hashes of " + device);
    }
  }
}

}  // namespace

Outcome run_experiment_case(const CaseTable& table, const Case& one, const Place& place) {
  std::filesystem::create_directories(place.folder);
  const std::filesystem::path out = place.folder / "rows.json", err = place.folder / "output.txt";
  Outcome outcome;
  std::map<std::string, DeviceRows> rows_of;
  const std::vector<std::string> unnamed{""};
  for (const std::string& device : table.devices.empty() ? unnamed : table.devices) {
    const std::string who = device.empty() ? "" : device + ": ";
    const ProgramEnd end = run_program(command_of(table, one, place, device), table.experiment.parent_path(), out, err);
    if (end.exit_code != 0 || end.signal != 0) {
      const std::string said = end_of_file(err);
      const std::string sentence = said.empty() ? "lightloop run " + end.how() : said.substr(0, said.find('\n'));
      constexpr int wrong_input = 2;
      outcome = {.verdict = end.exit_code == wrong_input ? Verdict::broken : Verdict::failed,
                 .sentence = who + sentence,
                 .log = said};
      return outcome;
    }
    rows_of[device] = named_rows(parsed_document(read_text_file(out, "rows", max_rows_bytes), out.string()), who);
    add_measures(rows_of[device].rows, outcome);
    judge_expectations(table, rows_of[device], outcome);
    if (!table.golden.empty()) judge_golden(table, rows_of[device], who, outcome);
  }
  if (table.equal_hashes) judge_hashes(table, rows_of, outcome);
  return outcome;
}

}  // namespace ocs::regress
