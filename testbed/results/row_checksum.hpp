// One number over everything that a database keeps of a row: what it holds is what was written, or it is damaged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/results/sqlite.hpp"

namespace ocs {

inline constexpr const char* table_checksum =
    "CREATE TABLE IF NOT EXISTS checksum (row_id INTEGER PRIMARY KEY REFERENCES row, hash TEXT NOT NULL)";

/// Adds the checksum of a row that has been written whole: of its run, its columns, its resolved experiment, its curve
/// and its events.
void write_checksum(Sqlite& file, std::int64_t row);

/// A row of a database that an older version wrote has none and passes.
/// @throws Error (input): the row isn't what was written.
void check_row(Sqlite& file, std::int64_t row);

/// The same for all rows, and whether the tables are whole. Reads the whole file. @throws Error (input)
void check_all_rows(Sqlite& file);

}  // namespace ocs
