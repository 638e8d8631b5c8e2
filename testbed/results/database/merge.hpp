// Several databases become one; what is there stays.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace ocs {

/// Inputs in which their program has not made its tables yet.
enum class NewInputs : std::uint8_t { refused, left_out };

struct MergeCounts {
  std::int64_t rows = 0;        ///< of the inputs
  std::int64_t added = 0;       ///< to the output
  std::int64_t there = 0;       ///< that the output had before
  std::int64_t duplicates = 0;  ///< of another row of the inputs
  std::int64_t unchecked = 0;   ///< of the inputs, without a checksum
};

/// Adds the rows of `inputs` to the database `out` in one transaction: if it throws, nothing was added. An output that
/// does not exist appears when it is whole. Rows get numbers of their own in `out`; everything else of them stays, with the event log
/// if any of several equal rows has one. Inputs may be written to meanwhile; rows that come later are missed.
///
/// Two rows are equal if their settings, their version and what was measured are equal, without the columns that
/// differ each time. Rows that failed are equal if their errors are, too. Rows that are not reproducible may have equal
/// settings and other values: they are measurements of their own.
/// @param each is called before each row, and may throw.
/// @throws Error (input): an input is damaged, or of another schema version; two rows differ that must be equal.
/// Error (run): `out` can't be written.
MergeCounts merge_databases(const std::string& out, std::span<const std::string> inputs,
                            const std::function<void()>& each, NewInputs new_inputs = NewInputs::refused);

}  // namespace ocs
