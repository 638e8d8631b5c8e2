// The experiment file as written: keys, values and where each was said; nothing is interpreted here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ocs {

/// One value as written. A float is kept to be shown; no key takes one.
using Scalar = std::variant<bool, std::int64_t, double, std::string>;

/// The value as TOML would write it, cut to one readable line.
std::string to_text(const Scalar& value);

/// Whole, and text without its quotes.
std::string as_written(const Scalar& value);

/// A key with its value, or with the values of its axis.
struct Setting {
  struct Item {
    Scalar value;
    std::string origin;  ///< "main.toml:9" or "--set fabric.ports=8", for messages
  };
  std::string key;          ///< dotted: "fabric.ports"
  std::vector<Item> items;  ///< at least one; none for a table without keys, whose name `key` is then
  bool list = false;        ///< written as a list: an axis
  std::string origin;
};

/// Reads TOML. Tables become dotted keys, tables [[job]] (or [[jobs]], which leave [job] free) the one text "jobs"
/// (arrivals.hpp reads it); a value is text, a whole number, a float, true or false, or a list of those. What chooses
/// rows becomes "zip#1" (names of keys), "only#1.policy", "skip#1.job.workers" and so on (row_choice.hpp reads them).
/// @param origin file name for messages. @return in no particular order, each key once.
/// @throws Error (input) that names file and line: no TOML, nothing in it, a list that is empty or holds lists, a date.
std::vector<Setting> read_settings(std::string_view text, std::string_view origin);

/// Reads one `key=value` of the command line: a dotted key and a TOML value; what is no TOML value is text as it
/// stands, also within a list ("policy=[sunflow, hlf]").
/// @throws Error (input) that names the argument.
Setting read_override(std::string_view argument);

/// Replaces or adds; the later one wins.
void apply_overrides(std::vector<Setting>& settings, std::span<const Setting> overrides);

}  // namespace ocs
