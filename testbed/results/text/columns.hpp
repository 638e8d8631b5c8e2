// Aligned columns of text that fit a window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace ocs {

/// A column: a heading, and a text for each line. "-" is nothing.
struct TextColumn {
  std::string heading;
  std::vector<std::string> cells;
};

/// Prints one table, or several below each other, each with all columns of `left`, none wider than `width` if that can
/// be. Columns of `right` with nothing in any line are left out; without any other, nothing is printed.
void print_columns(std::ostream& out, std::span<const TextColumn> left, std::span<const TextColumn> right, int width);

/// Prints "title: item, item" in lines of at most `width`.
void print_list(std::ostream& out, const std::string& title, std::span<const std::string> items, int width);

}  // namespace ocs
