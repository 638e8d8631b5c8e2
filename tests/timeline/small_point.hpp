// Small points of every kind, for tests of what watches a run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/experiment/support.hpp"

namespace ocs::test {

inline constexpr const char* placed_servers = "workers = 3\nservers = 2\niterations = 3\ncompute = '2 us'\n";

/// On the model, with 6 ports, 1 us of tuning, 100 ns of locking and little to carry.
inline Point small_point(const std::string& fabric, const std::string& job, const std::string& head = "") {
  Names names = few_names();
  names.sync.insert(names.sync.end(), {"ssp", "r2sp"});
  names.policies.insert(names.policies.end(), {"multicast", "solstice_allstop"});
  const std::string policy = head.find("policy") == std::string::npos ? "policy = 'sunflow'\n" : "";
  return resolve(read_settings(
                     policy + head + "[fabric]\ndevice = 'model'\nports = 6\ntuning = '1 us'\nlocking = '100 ns'\n" +
                         fabric + "\n[job]\nworkload = 'file:testbed/experiments/tiny.csv'\npayload = 'none'\n" + job,
                     "x.toml"),
                 names, "x.toml")
      .points.at(0);
}

}  // namespace ocs::test
