// What the tests of results share: an experiment, rows, a folder to write to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "testbed/results/rows/record.hpp"
#include "testbed/results/rows/row.hpp"

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

/// The values that a query gives.
inline std::string query(const std::string& file, const std::string& sql) {
  sqlite3* raw = nullptr;
  EXPECT_EQ(sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::string result;
  const auto keep = [](void* to, int, char** values, char**) {
    *static_cast<std::string*>(to) += values[0] == nullptr ? "null" : values[0];
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(raw, sql.c_str(), keep, &result, nullptr), SQLITE_OK) << sqlite3_errmsg(raw);
  sqlite3_close(raw);
  return result;
}

inline void execute(const std::string& file, const std::string& sql) {
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &raw), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(raw, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(raw);
  sqlite3_close(raw);
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
