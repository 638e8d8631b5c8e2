// Runs of collectives for tests: a model of so many words, delta 2001 cycles of 5.12 ns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/schemes/support.hpp"

namespace ocs::test {

/// A model of one tensor, named by its parameters of 4 bytes.
inline Workload one_tensor(std::string_view elements) {
  const std::int64_t n = std::stoll(std::string(elements));
  return {std::string(elements), {{"all", {n}, n, Bytes{4 * n}}}, Bytes{4 * n}};
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
  return resolve(settings, names, "x.toml").points.front();
}

}  // namespace ocs::test
