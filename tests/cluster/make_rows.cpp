// Makes databases of many rows: make_rows FOLDER DATABASES ROWS. Each database gets ROWS rows of its own.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "testbed/results/database/database.hpp"
#include "testbed/results/rows/row.hpp"

namespace {

ocs::ExperimentRecord settings(std::int64_t seed) {
  ocs::ExperimentRecord record{.name = "many", .file = "many.toml", .version = "0", .keys = {}};
  constexpr int keys = 120;  // as many as an experiment has
  for (int k = 0; k < keys; ++k)
    record.keys.push_back({.key = "some.key_" + std::to_string(k), .values = {"10 ms"}, .list = false});
  record.keys.push_back({.key = "seed", .values = {seed}, .list = false});
  return record;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int arguments = 4;
  if (argc != arguments) {
    std::fputs("make_rows FOLDER DATABASES ROWS\n", stderr);
    return EXIT_FAILURE;
  }
  const std::int64_t databases = std::atoll(argv[2]), rows = std::atoll(argv[3]);
  for (std::int64_t k = 0; k < databases; ++k) {
    ocs::Database database(std::string(argv[1]) + "/" + std::to_string(k) + ".db", settings(0), "2026-01-31T12:00:00Z");
    for (std::int64_t seed = k * rows; seed < (k + 1) * rows; ++seed) {
      ocs::Row row;
      row.policy = "hlf";
      row.name = "many";
      row.version = "0";
      row.seed = static_cast<std::uint64_t>(seed);
      row.pst_mean = row.pst_min = row.pst_max = {seed + 1};
      row.bound = {1};
      row.sync_time = {2 * seed + 1};
      row.wall_time_s = 0.5;
      row.event_log_hash = 0xabcULL;
      database.resolved(settings(seed));
      database.row(ocs::to_fields(row));
    }
  }
}
