// Measures columns and fills lines.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/text/columns.hpp"

#include <algorithm>

namespace ocs {
namespace {

constexpr std::size_t gap = 2;

std::size_t width_of(const TextColumn& column) {
  std::size_t width = column.heading.size();
  for (const std::string& cell : column.cells) width = std::max(width, cell.size());
  return width;
}

/// The first column is aligned left, the others right.
void print_lines(std::ostream& out, std::span<const TextColumn* const> columns) {
  std::vector<std::string> lines(columns.front()->cells.size() + 1);
  for (const TextColumn* column : columns) {
    const bool first = column == columns.front();
    const std::size_t width = width_of(*column);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const std::string& text = k == 0 ? column->heading : column->cells[k - 1];
      const std::size_t space = width - text.size();
      if (first)
        lines[k].append(text).append(space, ' ');
      else
        lines[k].append(gap + space, ' ').append(text);
    }
  }
  out << '\n';
  for (const std::string& line : lines) out << line << '\n';
}

bool says_something(const TextColumn& column) {
  return std::any_of(column.cells.begin(), column.cells.end(), [](const std::string& cell) { return cell != "-"; });
}

}  // namespace

void print_columns(std::ostream& out, std::span<const TextColumn> left, std::span<const TextColumn> right, int width) {
  std::size_t kept = 0;
  for (const TextColumn& column : left) kept += width_of(column) + gap;
  std::vector<const TextColumn*> shown;
  for (const TextColumn& column : right)
    if (says_something(column)) shown.push_back(&column);
  /// In tables of at most `most` columns on the right.
  const auto tables_of = [&](std::size_t most) {
    std::vector<std::vector<const TextColumn*>> tables;
    std::size_t filled = 0;
    for (const TextColumn* column : shown) {
      const std::size_t wide = width_of(*column);
      if (tables.empty() || tables.back().size() == most || filled + wide > static_cast<std::size_t>(width)) {
        tables.emplace_back();
        filled = kept;
      }
      tables.back().push_back(column);
      filled += wide + gap;
    }
    return tables;
  };
  if (shown.empty()) return;
  const std::size_t needed = tables_of(shown.size()).size();
  for (const auto& table : tables_of((shown.size() + needed - 1) / needed)) {  // alike: none has a single column left
    std::vector<const TextColumn*> columns;
    for (const TextColumn& column : left) columns.push_back(&column);
    columns.insert(columns.end(), table.begin(), table.end());
    print_lines(out, columns);
  }
}

void print_list(std::ostream& out, const std::string& title, std::span<const std::string> items, int width) {
  std::string line = title + ":";
  bool first = true;
  for (const std::string& item : items) {
    if (!first && line.size() + item.size() + gap > static_cast<std::size_t>(width)) {
      out << line << ",\n";
      line = "  " + item;
    } else {
      line += (first ? " " : ", ") + item;
    }
    first = false;
  }
  out << line << '\n';
}

}  // namespace ocs
