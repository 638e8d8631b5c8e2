// Reads what Python says as the command line reads its own.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/experiment.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

#include "host/rtl/places.hpp"
#include "python/src/function_collective.hpp"
#include "python/src/function_placer.hpp"
#include "python/src/function_scheduler.hpp"
#include "python/src/function_scheme.hpp"
#include "python/src/function_selection.hpp"
#include "python/src/watched_work.hpp"
#include "testbed/experiment/point_record.hpp"
#include "testbed/experiment/settings.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/run/exact_rows.hpp"
#include "testbed/session/data_folder.hpp"
#include "testbed/session/names.hpp"
#include "testbed/session/version.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::python {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;  ///< of an experiment file

/// "--set KEY=VALUE" of the command line is "KEY=VALUE" here.
void rename_origin(std::string& origin) {
  constexpr std::string_view option = "--set ";
  if (origin.starts_with(option)) origin.erase(0, option.size());
}

Setting setting_of(const std::string& key, const std::string& value) {
  Setting setting = read_override(key + "=" + value);
  rename_origin(setting.origin);
  for (Setting::Item& item : setting.items) rename_origin(item.origin);
  return setting;
}

std::vector<Setting> settings_of(const Said& said) {
  std::vector<Setting> settings, later;
  if (!said.file.empty()) settings = read_settings(read_text_file(said.file, "experiment file", most_bytes), said.file);
  if (!said.text.empty()) apply_overrides(settings, read_settings(said.text, "experiment"));
  for (const auto& [key, value] : said.keys) later.push_back(setting_of(key, value));
  apply_overrides(settings, later);
  return settings;
}

/// The experiment's planning_timeout, which is no axis. A wrong one is left to resolve(), which names its place.
std::chrono::milliseconds patience_in(const std::vector<Setting>& settings) {
  const std::string name = "planning_timeout";
  const auto key = std::ranges::find(experiment_keys(), name, &Key::name);
  Point point;
  key->apply(read_override(name + "=" + std::string(key->fallback)).items.front().value, {}, point);
  try {
    for (const Setting& setting : settings)
      if (setting.key == name) key->apply(setting.items.front().value, {}, point);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch)
  }
  return patience_of(point);
}

OutsideScheduler outside_scheduler(const std::shared_ptr<const PolicyFunction>& function) {
  OutsideScheduler outside;
  outside.name = function->name();
  outside.hash = function->hash();
  outside.make = [function](Ticks latest, std::chrono::milliseconds) {
    return make_function_scheduler(function, latest);
  };
  return outside;
}

Names names_of(const Said& said, const Environment& environment, const std::filesystem::path& base) {
  Names names = known_names(environment, base, said.database);
  std::map<std::string, std::shared_ptr<const PolicyFunction>, std::less<>> schedulers;
  for (const auto& function : said.functions) {
    const std::string &kind = function->kind(), &name = function->name();
    if (kind == "scheduler") schedulers.emplace(name, function);
    if (kind == "placer") names.own.placers.emplace(name, placer_entry(function));
    if (kind == "selection") names.own.selections.emplace(name, selection_entry(function));
    if (kind == "scheme") names.own.schemes.emplace(name, scheme_entry(function));
    if (kind == "collective") names.own.collectives.emplace(name, collective_entry(function));
  }
  names.load_scheduler = [schedulers, others = names.load_scheduler](std::string_view name) {
    const auto function = schedulers.find(name);
    return function == schedulers.end() ? others(name) : outside_scheduler(function->second);
  };
  return names;
}

}  // namespace

Environment environment() {
  const std::filesystem::path data = data_folder(std::getenv("LIGHTLOOP_DATA"));
  return {.data = data, .switches = switches_folder(data), .version = version()};
}

std::string program() { return (rtl::program_folder() / "lightloop").string(); }

std::chrono::milliseconds patience_of(const Point& point) {
  return std::chrono::milliseconds(point.planning.timeout.n / 1'000'000'000);
}

std::shared_ptr<const LoadedExperiment> load(const Said& said) {
  auto loaded = std::make_shared<LoadedExperiment>();
  loaded->file = said.file;
  loaded->functions = said.functions;
  loaded->environment = environment();
  const std::filesystem::path file = said.file.empty() ? "experiment" : said.file;
  const std::vector<Setting> settings = settings_of(said);
  set_patience(patience_in(settings));
  loaded->experiment = resolve(settings, names_of(said, loaded->environment, file.parent_path()), file,
                               said.any_rows ? std::numeric_limits<std::size_t>::max() : usual_rows);
  check_exact(loaded->experiment);
  loaded->record = record_of(loaded->experiment, said.file, loaded->environment.version);
  return loaded;
}

std::shared_ptr<const LoadedExperiment> load_watched(Said said) {
  if (said.functions.empty()) return load(said);
  const auto loaded = std::make_shared<std::shared_ptr<const LoadedExperiment>>();
  watch_work([loaded, said = std::move(said)] { *loaded = load(said); }, ErrorKind::input);
  return std::move(*loaded);
}

ExperimentRecord LoadedExperiment::record_of_row(std::size_t row) const {
  ExperimentRecord of_row = ocs::record_of_row(experiment, row, record);
  for (const auto& function : functions) {
    if (function->kind() == "scheduler") continue;  // scheduler_hash
    for (const ExperimentRecord::KeyValues& key : of_row.keys) {
      const auto* text = std::get_if<std::string>(&key.values.front());
      if (text == nullptr) continue;
      const bool in_tables = key.key == "jobs" && text->find('"' + function->name() + '"') != std::string::npos;
      if (*text == function->name() || in_tables) of_row.function_hashes[function->name()] = function->hash();
    }
  }
  return of_row;
}

Point point_of_fabric(const std::vector<std::pair<std::string, std::string>>& keys) {
  Said said;
  said.keys = {{"policy", "sunflow"}, {"job.workload", "softmax"}, {"job.workers", "1"},
               {"job.servers", "1"},  {"job.payload", "none"},     {"job.iterations", "1"}};
  said.keys.insert(said.keys.end(), keys.begin(), keys.end());
  const Environment here = environment();
  const Experiment experiment = resolve(settings_of(said), names_of(said, here, {}), "switch");
  if (experiment.points.size() != 1)
    throw Error(ErrorKind::input, "the settings mean " + std::to_string(experiment.points.size()) +
                                      " switches, but must mean one: a list is an axis");
  return experiment.points.front();
}

}  // namespace ocs::python
