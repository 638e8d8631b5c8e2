// Points to records, and records to points.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/point_record.hpp"

#include <algorithm>

#include "host/core/error.hpp"
#include "host/core/fnv.hpp"
#include "testbed/plans/outside_scheduler.hpp"

namespace ocs {
namespace {

constexpr std::string_view file_prefix = "file:";

/// FNV-1a, 64 bit, over the tensors in their order: name, a zero byte, elements as 8 bytes, little-endian.
std::string record_hash_of(const Workload& workload) {
  Fnv1a hash;
  for (const Tensor& tensor : workload.tensors) {
    hash.add(tensor.name);
    hash.add(0, 1);
    hash.add(static_cast<std::uint64_t>(tensor.elements), 8);
  }
  return hash.hex();
}

/// The hash of a program or a file of plans; empty: the scheduler is one of ours.
std::string scheduler_hash(const Point& point) { return point.planning.outside ? point.planning.outside->hash : ""; }

std::string bucket_of(const Point& point) {
  return point.name + '\n' + point.policy + '\n' + std::to_string(point.seed);
}

std::string whole_path(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

/// A "file:PATH" that doesn't depend on where the experiment is; any other name as it stands.
std::string whole_name(const std::string& name, const std::string& experiment) {
  const std::string prefix = names_trace(name) ? name.substr(0, name.find(':') + 1) : std::string(file_prefix);
  if (!name.starts_with(prefix)) return name;
  return prefix + whole_path(std::filesystem::path(experiment).parent_path() / name.substr(prefix.size()));
}

/// Tables [[job]] as text, with whole names of the files that they name.
std::string whole_names(std::string jobs, const std::string& experiment) {
  for (const char quote : {'"', '\''}) {
    const std::string begin = quote + std::string(file_prefix);
    for (std::size_t at = jobs.find(begin); at != std::string::npos; at = jobs.find(begin, at)) {
      const std::size_t end = std::min(jobs.find(quote, at + 1), jobs.size());
      const std::string name = whole_name(jobs.substr(at + 1, end - at - 1), experiment);
      jobs.replace(at + 1, end - at - 1, name);
      at += 1 + name.size();
    }
  }
  return jobs;
}

/// The tables themselves are compared by their hashes.
bool same(Point a, Point b) {
  a.job.workload = b.job.workload = nullptr;
  for (Point* point : {&a, &b}) {
    point->trace = nullptr;
    point->phased = nullptr;
    point->nodes.changes = nullptr;  // what they come to in cycles is compared
    point->jobs.clear();             // what they were written as is compared
    point->job.learning.loaded = nullptr;
  }
  a.planning.outside = b.planning.outside = nullptr;
  a.planning.replayed = b.planning.replayed = nullptr;
  return a == b;
}

}  // namespace

ExperimentRecord record_of(const Experiment& experiment, const std::string& file, const std::string& version) {
  ExperimentRecord record{.name = experiment.points.front().name, .file = file, .version = version, .keys = {}};
  for (const Setting& setting : experiment.settings) {
    ExperimentRecord::KeyValues& key = record.keys.emplace_back();
    key.key = setting.key;
    key.list = setting.list;
    for (const Setting::Item& item : setting.items) key.values.push_back(item.value);
  }
  for (const Setting& setting : experiment.choice) {
    ExperimentRecord::KeyValues& key = record.keys.emplace_back();
    key.key = setting.key;
    key.list = setting.list;
    for (const Setting::Item& item : setting.items) key.values.push_back(item.value);
  }
  return record;
}

ExperimentRecord record_of_row(const Experiment& experiment, std::size_t row, const ExperimentRecord& whole) {
  const Point& point = experiment.points.at(row);
  ExperimentRecord record{.name = point.name, .file = whole.file, .version = whole.version, .keys = {}};
  record.workload_hash = record_hash_of(*point.job.workload);
  record.switch_hash = point.fabric.switch_hash;
  record.scheduler_hash = scheduler_hash(point);
  for (std::size_t k = 0; k < experiment.settings.size(); ++k)
    record.keys.push_back({experiment.settings[k].key, {item_of(experiment, row, k).value}, false});
  for (ExperimentRecord::KeyValues& key : record.keys) {
    if (key.key == "name") key.values = {point.name};
    if (key.key == "job.workload") key.values = {whole_name(point.job.workload_name, whole.file)};
    if (key.key == "job.payload" && point.phased) key.values = {point.job.payload};  // its default differs there
    if (key.key == "jobs") key.values = {whole_names(point.jobs_text, whole.file)};
    if (key.key == "scheduler" && point.planning.outside) key.values = {point.planning.outside->name};
    if (key.key == "compute.trace") key.values = {whole_name(point.job.trace, whole.file)};
    if (key.key == "learning.data") key.values = {whole_path(point.job.learning.folder)};
    if (key.key == "nodes.keys" && !point.nodes.keys.empty()) key.values = {whole_path(point.nodes.keys)};
    if (key.key == "nodes.rate_trace") key.values = {whole_name(point.nodes.rate_trace, whole.file)};
    if (key.key == "fabric.switch") key.values = {whole_name(point.fabric.switch_name, whole.file)};
  }
  return record;
}

std::string program_of(const ExperimentRecord& resolved) {
  for (const ExperimentRecord::KeyValues& key : resolved.keys)
    for (const ExperimentRecord::Written& value : key.values)
      if (const auto* name = std::get_if<std::string>(&value);
          name != nullptr && key.key == "scheduler" && names_program(*name))
        return *name;
  return {};
}

Point point_of(const ExperimentRecord& resolved, const Names& names, const std::string& origin) {
  std::vector<Setting> settings;
  for (const auto& [key, values, list] : resolved.keys) {
    Setting& setting = settings.emplace_back(Setting{.key = key, .items = {}, .list = list, .origin = origin});
    for (const Scalar& value : values) setting.items.push_back({value, origin});
  }
  const Experiment experiment = resolve(settings, names, "");
  if (experiment.points.size() != 1)
    throw Error(ErrorKind::input, origin + " has the experiment of " + std::to_string(experiment.points.size()) +
                                      " rows, but must have that of one");
  const Point& point = experiment.points.front();
  if (record_hash_of(*point.job.workload) != resolved.workload_hash)
    throw Error(ErrorKind::input, origin + " was run with another table \"" + point.job.workload_name +
                                      "\" than the one of that name now; only the same tensors give the same result");
  if (point.fabric.switch_hash != resolved.switch_hash)
    throw Error(ErrorKind::input, origin + " was run with another switch \"" + point.fabric.switch_name +
                                      "\" than the one of that name now; only the same delays give the same result");
  if (scheduler_hash(point) != resolved.scheduler_hash)
    throw Error(ErrorKind::input, origin + " was run with another \"" + point.planning.scheduler +
                                      "\" than the one of that name now; only the same gives the same result");
  return point;
}

RowsThere::RowsThere(std::vector<StoredRow> rows, const Names& names) : names_(names) {
  for (StoredRow& row : rows) {
    try {
      Point point = point_of(row.resolved, names, "row " + std::to_string(row.id));
      std::string bucket = bucket_of(point);
      known_.emplace(std::move(bucket), Known{std::move(row), std::move(point)});
    } catch (const Error& other) {  // of a table that is no longer there, say: it's no row of an experiment of today
      if (other.kind() != ErrorKind::input) throw;
    }
  }
}

const StoredRow* RowsThere::find(const ExperimentRecord& resolved) const {
  if (known_.empty()) return nullptr;
  const Point point = point_of(resolved, names_, "the experiment");
  const auto [first, last] = known_.equal_range(bucket_of(point));
  for (auto known = first; known != last; ++known)
    if (same(known->second.point, point)) return &known->second.row;
  return nullptr;
}

}  // namespace ocs
