// Jobs of peers for tests: a model of so many words, delta 2001 cycles of 5.12 ns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/schemes/support.hpp"

namespace ocs::test {

inline constexpr std::int64_t cycle_ps = 5120, word_bytes = 64, delta_cycles = 2001;

inline Point peer_job(const std::string& peers, int workers, std::int64_t words,
                      const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = {"fabric.device=verilated",
                                  "fabric.ports=8",
                                  "fabric.tuning=10.24 us",
                                  "policy=multicast",
                                  "job.payload=none",
                                  "job.compute=100 us",
                                  "job.peers=" + peers,
                                  "job.workers=" + std::to_string(workers),
                                  "job.workload=\"" + std::to_string(words * word_bytes / 4) + "\""};
  all.insert(all.end(), more.begin(), more.end());
  std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
  for (const std::string& each : all) later.push_back(read_override(each));
  apply_overrides(settings, later);
  Names names = all_schemes();
  names.load_workload = [](std::string_view elements) -> Workload {
    const std::int64_t n = std::stoll(std::string(elements));
    return {std::string(elements), {{"all", {n}, n, Bytes{4 * n}}}, Bytes{4 * n}};
  };
  return resolve(settings, names, "x.toml").points.front();
}

}  // namespace ocs::test
