// Reads features.toml; makes experiments of features.
// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/features.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>

#include "testbed/plans/outside_scheduler.hpp"
#include "tests/common/places.hpp"
#include "tests/learning/support.hpp"

namespace ocs::test {
namespace {

const toml::table& file() {
  static const toml::table parsed = toml::parse_file(ocs::test::source_dir() + "/tests/engine/features.toml");
  return parsed;
}

std::vector<std::string> texts(const toml::table& table, std::string_view key) {
  std::vector<std::string> all;
  if (!table.contains(key)) return all;
  for (const toml::node& each : *table[key].as_array()) all.push_back(each.value<std::string>().value());
  return all;
}

std::size_t place_of(const std::string& name) {
  const auto found = std::ranges::find(features(), name, &Feature::name);
  if (found == features().end()) throw Error(ErrorKind::internal, "features.toml has no feature " + name);
  return static_cast<std::size_t>(found - features().begin());
}

FeaturePair in_order(const std::string& a, const std::string& b) {
  return place_of(a) < place_of(b) ? FeaturePair{a, b} : FeaturePair{b, a};
}

Workload some_table(std::string_view name) {
  Workload table{.name = std::string(name), .tensors = {}, .total = {}};
  for (const std::int64_t size : {3000, 100, 1500, 10, 700, 50, 60, 70}) {
    table.tensors.push_back({"t" + std::to_string(table.tensors.size()), {size}, size, Bytes{size * 4}});
    table.total += Bytes{size * 4};
  }
  return table;
}

/// All that a lightloop can name; what would be a file is short.
Names all_names() {
  Names names = learning_names();
  for (const char* device : {"soc", "mapped", "uart"}) names.devices.emplace_back(device);
  names.transports.emplace_back("tcp");
  names.load_workload = [](std::string_view name) {
    return name == "softmax" ? load_workload(name, ocs::test::source_dir() + "/testbed/workloads", {})
                             : some_table(name);
  };
  names.load_trace = [](std::string_view name) {
    return parse_coflow_trace("4 3\n1 0 2 0 2 1 1:8\n2 0 1 0 2 1:2 3:4\n3 1 1 0 1 3:5\n", name, "t.txt");
  };
  names.load_compute_trace = [](std::string_view) {
    return parse_compute_trace("worker,ns\n0,900\n1,5000\n2,700\n3,4000\n", "times.csv");
  };
  names.load_bandwidth_trace = [](std::string_view) {
    return parse_bandwidth_trace("ns,node,rate\n3000,0,1/2\n20000,1,1/4\n", "rates.csv");
  };
  names.published_time = [](std::string_view, std::string_view) { return Picos{7'000'000}; };
  names.load_scheduler = [](std::string_view name) {
    OutsideScheduler scheduler{.name = std::string(name), .hash = "0", .command = {}, .plan = {}};
    if (name.starts_with("exec:"))
      scheduler.command = {"/bin/false"};
    else
      scheduler.plan.emplace().order.emplace_back();  // of any kind of job
    return scheduler;
  };
  names.load_dataset = [](std::string_view) {
    static const Dataset pictures = drawn_pictures(100, 50);
    return pictures;
  };
  names.look_at_device = [](std::string_view) { return DeviceConfig{.ports = 8}; };
  return names;
}

std::vector<std::string> base_settings() {
  return {"fabric.device=model", "fabric.ports=8",   "fabric.tuning=1 us", "fabric.locking=100 ns",
          "job.workload=tiny",   "job.workers=4",    "job.servers=2",      "job.iterations=3",
          "job.compute=2 us",    "job.payload=none", "policy=sunflow"};
}

Experiment experiment_of(const std::vector<std::string>& all) {
  std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
  for (const std::string& each : all) later.push_back(read_override(each));
  apply_overrides(settings, later);
  static const Names names = all_names();
  return resolve(settings, names, "x.toml");
}

std::string key_of(const std::string& setting) { return setting.substr(0, setting.find('=')); }

bool sets(const std::vector<std::string>& settings, const std::string& key) {
  return std::ranges::any_of(settings, [&](const std::string& each) { return key_of(each) == key; });
}

}  // namespace

const std::vector<Feature>& features() {
  static const std::vector<Feature> all = [] {
    std::vector<Feature> read;
    for (const toml::node& each : *file()["feature"].as_array()) {
      const toml::table& table = *each.as_table();
      read.push_back({table["name"].value<std::string>().value(), table["job"].value_or(false),
                      table["runs"].value_or(true), texts(table, "needs"), texts(table, "set")});
    }
    return read;
  }();
  return all;
}

bool makes_pair(const Feature& a, const Feature& b) {
  if (a.job && b.job) return false;
  return std::ranges::none_of(a.settings, [&](const std::string& one) {
    return std::ranges::any_of(b.settings,
                               [&](const std::string& other) { return one != other && key_of(one) == key_of(other); });
  });
}

const std::set<FeaturePair>& contradictions() {
  static const std::set<FeaturePair> all = [] {
    std::set<FeaturePair> pairs;
    for (const toml::node& each : *file()["contradiction"].as_array())
      for (const std::string& a : texts(*each.as_table(), "first"))
        for (const std::string& b : texts(*each.as_table(), "second")) pairs.insert(in_order(a, b));
    return pairs;
  }();
  return all;
}

Experiment experiment_with(const std::vector<Feature>& wanted) {
  std::vector<std::string> all = base_settings();
  for (const Feature& feature : wanted) all.insert(all.end(), feature.needs.begin(), feature.needs.end());
  for (const Feature& feature : wanted) all.insert(all.end(), feature.settings.begin(), feature.settings.end());
  if (sets(all, "scheduler")) return experiment_of(all);
  std::optional<Error> refusal;
  for (const char* scheduler : {"sunflow", "sunflow_fifo", "multicast_list", "solstice"}) try {
      all.push_back(std::string("scheduler=") + scheduler);
      return experiment_of(all);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      refusal = error;
      all.pop_back();
    }
  throw *refusal;
}

}  // namespace ocs::test
