// Reads runs.toml, runs, hashes.
// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/guarded_runs.hpp"

#include <toml++/toml.h>

#include <array>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <variant>

#include "host/core/fnv.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "tests/common/places.hpp"
#include "tests/learning/support.hpp"
#include "tests/rtl/built_ahead.hpp"

namespace ocs::test {
namespace {

const std::filesystem::path root = ocs::test::source_dir();

/// What `lightloop` names, with files relative to the experiment's; the pictures are drawn.
Names names_at(const std::filesystem::path& base) {
  Names names = all_schemes();
  names.load_workload = [base](std::string_view name) {
    return load_workload(name, root / "testbed" / "workloads", base);
  };
  names.load_trace = [base](std::string_view name) { return load_coflow_trace(name, base); };
  names.load_phases = [base](std::string_view name) { return load_phased_input(name, base); };
  names.load_bandwidth_trace = [base](std::string_view name) {
    return load_bandwidth_trace(base / name.substr(std::string_view("file:").size()));
  };
  names.load_dataset = [](std::string_view) {
    static const Dataset pictures = drawn_pictures(600, 200);
    return pictures;
  };
  return names;
}

std::string text(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* words = std::get_if<std::string>(&value)) return *words;
  if (!std::holds_alternative<double>(value)) return {};
  std::array<char, 40> digits{};  // the shortest that reads back as the same number
  return {digits.data(), std::to_chars(digits.begin(), digits.end(), std::get<double>(value)).ptr};
}

/// A line a column that has a value; what the machine, the program or the device alone decides is left out.
std::string columns_of(const Row& row) {
  static const std::set<std::string_view> others{"version", "device", "edges"};
  std::string lines;
  for (const auto& [name, value] : to_fields(row))
    if (!std::holds_alternative<std::monostate>(value) && !differs_each_time(name) && !others.contains(name))
      lines += name + " = " + text(value) + "\n";
  for (const JobFields& job : to_fields(row.jobs))
    for (const auto& [name, value] : job.fields)
      if (!std::holds_alternative<std::monostate>(value)) lines += "job " + name + " = " + text(value) + "\n";
  if (row.learning)
    for (const CurveEntry& entry : row.learning->curve)
      lines += "curve = " + std::to_string(entry.updates) + " " + std::to_string(entry.at.n) + " " + text(entry.loss) +
               " " + text(entry.accuracy) + "\n";
  return lines;
}

std::string hex(std::string_view words) {
  Fnv1a hash;
  hash.add(words);
  return hash.hex();
}

}  // namespace

std::vector<GuardedRun> guarded_runs() {
  const toml::table file = toml::parse_file((root / "tests" / "engine" / "runs.toml").string());
  std::vector<GuardedRun> runs;
  for (const toml::node& each : *file["run"].as_array()) {
    const toml::table& table = *each.as_table();
    GuardedRun& run = runs.emplace_back(GuardedRun{
        .name = table["name"].value<std::string>().value(),
        .experiment = table["experiment"].value<std::string>().value(),
        .overrides = {},
        .fast = table["fast"].value_or(false),
    });
    for (const toml::node& setting : *table["set"].as_array())
      run.overrides.push_back(setting.value<std::string>().value());
  }
  return runs;
}

std::vector<Point> points_of(const GuardedRun& run, const std::string& device) {
  const std::filesystem::path file = root / "testbed" / "experiments" / run.experiment;
  std::vector<std::string> overrides = run.overrides;
  overrides.push_back("fabric.device=" + device);
  return load_experiment(file, overrides, names_at(file.parent_path())).points;
}

std::string heading() { return "run,row,events,event_log,columns"; }

std::vector<std::string> committed(const GuardedRun& run) {
  std::ifstream file(root / "tests" / "engine" / "hashes.csv");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(run.name + ",")) lines.push_back(line);
  return lines;
}

std::vector<GuardedRow> rows_of_run(const GuardedRun& run, const std::string& device, const RunOptions& options) {
  std::vector<GuardedRow> rows;
  for (const Point& point : points_of(run, device)) {
    const Row row = run_point(point, options);
    GuardedRow one{.line = {}, .columns = columns_of(row)};
    std::string log = "-";
    if (row.event_log_hash) {
      std::array<char, 17> digits{};
      std::snprintf(digits.data(), digits.size(), "%016" PRIx64, *row.event_log_hash);
      log = digits.data();
    }
    one.line = run.name + "," + std::to_string(rows.size() + 1) + "," + std::to_string(row.events) + "," + log + "," +
               hex(one.columns);
    rows.push_back(std::move(one));
  }
  return rows;
}

bool fast_is_built(const GuardedRun& run) {
  for (const Point& point : points_of(run, "verilated"))
    if (!built_ahead({.core = rtl::Core::fast, .ports = point.fabric.ports, .lanes = 0})) return false;
  return true;
}

}  // namespace ocs::test
