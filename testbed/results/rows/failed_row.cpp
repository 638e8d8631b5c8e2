// Columns that are known without a run.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/rows/failed_row.hpp"

namespace ocs {

std::vector<std::pair<std::string, Value>> failed_fields(const Row& row) {
  std::vector<std::pair<std::string, Value>> fields;
  for (const Column& column : row_columns())
    fields.emplace_back(column.name, column.value.presence.requested ? column.value(row) : Value{std::monostate{}});
  return fields;
}

}  // namespace ocs
