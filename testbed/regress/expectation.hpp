// What a row must be: "pst_mean < 270 ms".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/core/results.hpp"

namespace ocs::regress {

/// A column of docs/results.md compared with a value. Where the column has a unit, so has the value.
struct Expectation {
  enum class Comparison : std::uint8_t { less, at_most, equal, not_equal, at_least, greater } comparison{};
  std::string text;    ///< as written
  std::string column;  ///< its full name: "pst_mean_ps"
  Value value;         ///< whole for times and sizes, in the unit of the column
};

/// The full name of a column of docs/results.md, of which an ending _ps, _bytes, _s or _bps may be left out; empty: there
/// is none.
std::string full_column_name(std::string_view name);

/// COLUMN OP VALUE, where OP is one of < <= == != >= >. COLUMN is a name that full_column_name() takes.
/// @throws Error (input) with half a sentence, to follow "X is Y, but ".
Expectation parse_expectation(std::string_view text);

/// A value of a column as a sentence shows it: "270 ms".
std::string value_in_words(const std::string& column, const Value& value);

/// What is wrong with a row's value; empty: nothing. A row without a value never holds.
std::string violation(const Expectation& expectation, const Value& got);

}  // namespace ocs::regress
