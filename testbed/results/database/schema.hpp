// The tables of a results database, their version, and how older ones become new ones. docs/results.md describes them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/results/database/sqlite.hpp"

namespace ocs {

/// Of `PRAGMA user_version`; docs/results.md lists what each version added.
inline constexpr int schema_version = 27;

/// Makes the tables in a new file, brings those of an older version up to this one. Rows stay.
/// @throws Error (input): no database, one of another program, or of a newer lightloop.
void open_schema(Sqlite& file);

/// Nothing was ever written to it.
bool is_new(Sqlite& file);

/// The same checks for a file that is only read: older versions are refused too.
void check_schema(Sqlite& file);

}  // namespace ocs
