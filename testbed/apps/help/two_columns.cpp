// Fills lines with words.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/help/two_columns.hpp"

#include <sstream>

namespace ocs {

std::string two_columns(std::string_view name, std::string_view text, std::size_t indent) {
  constexpr std::size_t line_width = 100;
  std::string lines, line(name);
  const auto end_line = [&] {
    lines += line + "\n";
    line.assign(indent, ' ');
  };
  if (name.size() + 2 > indent && !name.empty()) end_line();
  line.resize(indent, ' ');
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (line.size() > indent && line.size() + 1 + word.size() > line_width) end_line();
    line += (line.size() > indent ? " " : "") + word;
  }
  if (line.size() > indent || lines.empty()) lines += line + "\n";
  return lines;
}

}  // namespace ocs
