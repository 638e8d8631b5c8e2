// Jobs for tests of synchronisation schemes over the switch: small words, few workers, every scheme.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "host/scheduler/catalogue.hpp"
#include "testbed/run/run.hpp"
#include "testbed/sync/catalogue.hpp"
#include "tests/common/places.hpp"
#include "tests/experiment/support.hpp"

namespace ocs::test {

inline Names all_schemes() {
  Names names = few_names();
  names.devices = {"model", "verilated_counter", "verilated", "sysc", "sysc-rtl"};
  names.sync.clear();
  for (const SyncEntry& entry : sync_schemes()) names.sync.emplace_back(entry.name);
  names.policies.clear();
  for (const Policy& policy : policies()) names.policies.emplace_back(policy.name);
  for (const auto& scheduler : schedulers()) names.schedulers.emplace_back(scheduler.name);
  return names;
}

/// Words of 64 B at 100 Gbit/s, a cycle of 5.12 ns; equal shards of 4 MiB in all; model, no
/// payload, first come first served.
inline Experiment scheme_experiment(const std::vector<std::string>& overrides) {
  std::vector<std::string> all = {"fabric.device=model",
                                  "fabric.ports=16",
                                  "fabric.tuning=10.24 us",
                                  "job.payload=none",
                                  "policy=sunflow_equal",
                                  "scheduler=sunflow_fifo",
                                  "job.workload=file:tests/schemes/one.csv"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
  for (const std::string& each : all) later.push_back(read_override(each));
  apply_overrides(settings, later);
  return resolve(settings, all_schemes(), "x.toml");
}

inline Point scheme_job(const std::string& sync, const std::vector<std::string>& overrides) {
  std::vector<std::string> all = overrides;
  all.push_back("job.sync=" + sync);
  return scheme_experiment(all).points.front();
}

inline Row run_scheme(const std::string& sync, const std::vector<std::string>& overrides = {}) {
  return run_point(scheme_job(sync, overrides), {});
}

/// Rows of an experiment of testbed/experiments/sync.
inline std::vector<Row> rows_of(const std::string& name, const std::vector<std::string>& overrides) {
  const std::string folder = ocs::test::source_dir() + "/testbed/experiments/sync/";
  Names names = all_schemes();
  names.load_workload = [folder](std::string_view table) { return load_workload(table, folder, folder); };
  std::vector<Row> rows;
  for (const Point& point : load_experiment(folder + name, overrides, names).points)
    rows.push_back(run_point(point, {}));
  return rows;
}

inline std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const SyncEntry& entry : sync_schemes()) names.emplace_back(entry.name);
  return names;
}

}  // namespace ocs::test
