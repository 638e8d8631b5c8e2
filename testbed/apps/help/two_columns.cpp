// Fills lines with words.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/help/two_columns.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

namespace ocs {
namespace {

constexpr std::size_t line_width = 100;

bool is_sign(const std::string& word) {
  return std::ranges::none_of(word, [](unsigned char letter) { return std::isalnum(letter) != 0; });
}

}  // namespace

std::string two_columns(std::string_view name, std::string_view text, std::size_t indent) {
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

std::string list_item(std::string_view text) {
  std::vector<std::string> parts;  // words, each with the signs behind it
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (parts.empty() || !is_sign(word))
      parts.push_back(word);
    else
      parts.back() += " " + word;
  }
  std::string lines, line = "-";
  for (const std::string& part : parts) {
    if (line.size() + 1 + part.size() > line_width && line.size() > 1) {
      lines += line + "\n";
      line = " ";
    }
    line += " " + part;
  }
  return lines + line + "\n";
}

}  // namespace ocs
