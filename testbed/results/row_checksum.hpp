// One number over everything that a database keeps of a row: what it holds is what was written, or it is damaged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "testbed/results/sqlite.hpp"

namespace ocs {

inline constexpr const char* table_checksum =
    "CREATE TABLE IF NOT EXISTS checksum (row_id INTEGER PRIMARY KEY REFERENCES row, hash TEXT NOT NULL)";

/// Adds the checksum of a row that has been written whole: of its run, its columns, its resolved experiment, its curve
/// and its events.
void write_checksum(Sqlite& file, std::int64_t row);

/// Marks the rows of a database of an older version that have no checksum, so that a checksum that is lost later is
/// noticed.
void mark_rows_without_checksum(Sqlite& file);

/// @return whether the row has a checksum; one that an older version wrote without passes.
/// @throws Error (input): the row isn't what was written.
bool check_row(Sqlite& file, std::int64_t row);

/// The same for all rows, and whether the tables are whole. Reads the whole file.
/// @return the rows that have no checksum. @throws Error (input)
std::set<std::int64_t> check_all_rows(Sqlite& file);

}  // namespace ocs
