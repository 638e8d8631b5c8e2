// Lists within a value: "1 us, 2 us".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace ocs {

/// Without the spaces around it.
inline std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// What stands between the commas, trimmed; one piece, empty, of an empty text. The pieces are parts of `text`.
inline std::vector<std::string_view> comma_list(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = std::min(text.find(','), text.size());
    pieces.push_back(trimmed(text.substr(0, end)));
    if (end == text.size()) return pieces;
    text.remove_prefix(end + 1);
  }
}

}  // namespace ocs
