// Reads all rows, also while another host writes to the database.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database/row_settings.hpp"

#include <utility>

#include "host/core/error.hpp"
#include "host/core/fnv.hpp"
#include "testbed/results/database/row_checksum.hpp"
#include "testbed/results/database/schema.hpp"
#include "testbed/results/database/snapshot.hpp"
#include "testbed/results/database/sqlite.hpp"

namespace ocs {
namespace {

double seconds_in(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return 0;
}

}  // namespace

std::uint64_t settings_hash(ExperimentRecord resolved) {
  resolved.version.clear();
  resolved.file.clear();
  Fnv1a hash;
  hash.add(to_json(resolved));
  return hash.value();
}

std::unordered_map<std::uint64_t, double> wall_times(const std::string& database, const std::string& version) {
  const DatabaseSnapshot snapshot(database);
  try {
    Sqlite file(snapshot.readable(), Sqlite::Access::read);
    check_schema(file);
    check_all_rows(file);
    Sqlite::Statement rows(file,
                           "SELECT resolved.experiment, wall_time_s FROM row JOIN resolved USING (row_id) WHERE error "
                           "IS NULL AND crc_errors = 0 AND sum_errors = 0 AND (? = '' OR version = ?)");
    rows.bind(version).bind(version);
    std::unordered_map<std::uint64_t, double> times;
    while (rows.step())
      times[settings_hash(record_from_json(rows.text(0), "a row of \"" + database + "\""))] = seconds_in(rows.value(1));
    return times;
  } catch (const Error& failure) {
    throw Error(failure.kind(), snapshot.original_names(failure.what()));
  }
}

}  // namespace ocs
