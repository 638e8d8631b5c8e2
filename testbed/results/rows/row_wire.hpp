// A row as bytes, between processes of one program: from the one that runs it to the one that writes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "testbed/results/rows/row.hpp"

namespace ocs {

/// Every field of the row. Only the same program can read it.
std::string to_bytes(const Row& row);

/// The way back. @throws Error (internal) if these aren't the bytes of one row.
Row row_from_bytes(std::string_view bytes);

}  // namespace ocs
