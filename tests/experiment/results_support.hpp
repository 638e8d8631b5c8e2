// What the tests of results share: an experiment, rows, a folder to write to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "testbed/results/record.hpp"
#include "testbed/results/row.hpp"

namespace ocs::test {

inline ExperimentRecord record() {
  return {.name = "n",
          .file = "n.toml",
          .version = "0",
          .keys = {{.key = "seed", .values = {std::int64_t{1}}, .list = false},
                   {.key = "policy", .values = {"sunflow", "hlf"}, .list = true},
                   {.key = "fabric.time_warp", .values = {true}, .list = false}}};
}

inline Row row(const std::string& policy, std::int64_t pst_ms) {
  Row row;
  row.policy = policy;
  row.name = "n";
  row.workers = 12;
  row.servers = 4;
  row.cycle = {5120};
  row.pst_mean = row.pst_min = row.pst_max = {pst_ms * 1'000'000'000};
  row.bound = {100'000'000'000};
  row.sync_time = {2 * pst_ms * 1'000'000'000};
  row.wall_time_s = 0.5;
  row.event_log_hash = 0xabcULL;
  return row;
}

inline std::string read(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder that goes with the test.
class Results : public ::testing::Test {
 protected:
  Results() : folder_(::testing::TempDir() + "results_" + std::to_string(getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~Results() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

}  // namespace ocs::test
