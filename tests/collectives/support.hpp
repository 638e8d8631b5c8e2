// Runs of collectives for tests: a model of so many words, delta 2001 cycles of 5.12 ns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "testbed/collectives/catalogue.hpp"
#include "testbed/experiment/files/demand_file.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {

/// A model of one tensor, named by its parameters of 4 bytes.
inline Workload one_tensor(std::string_view elements) {
  const std::int64_t n = std::stoll(std::string(elements));
  return {std::string(elements), {{"all", {n}, n, Bytes{4 * n}}}, Bytes{4 * n}};
}

/// Its ranks send to several others at once, for which there is no map that a policy could set.
inline bool is_at_once(const CollectiveEntry& entry) { return make_collective(entry, 8).at_once; }

/// The matrix itself, with lines that end in semicolons, in place of a file's name.
inline DemandMatrix given_demand(std::string_view lines) {
  std::string text(lines);
  std::replace(text.begin(), text.end(), ';', '\n');
  return parse_demand_file(text, "x.csv");
}

inline Point collective_job(const std::string& collective, int workers, std::int64_t bytes,
                            const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = {"fabric.device=verilated",
                                  "fabric.ports=16",
                                  "fabric.tuning=10.24 us",
                                  "policy=sunflow",
                                  "job.payload=none",
                                  "job.compute=100 us",
                                  "job.collective=all_reduce",
                                  "job.algorithm=" + collective,
                                  "job.workers=" + std::to_string(workers),
                                  "job.workload=" + std::string("\"") + std::to_string(bytes / 4) + "\""};
  all.insert(all.end(), more.begin(), more.end());
  std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
  for (const std::string& each : all) later.push_back(read_override(each));
  apply_overrides(settings, later);
  Names names = all_schemes();
  names.load_workload = one_tensor;
  names.load_demand = given_demand;
  return resolve(settings, names, "x.toml").points.front();
}

}  // namespace ocs::test
