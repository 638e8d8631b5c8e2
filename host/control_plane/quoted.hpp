// What a client has sent, fit for one line of an answer or a log.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ocs::serve {

/// `text` in quotes, cut after 60 characters; what isn't printable, and quotes within, become '?'.
inline std::string shown(std::string_view text) {
  std::string line = "\"";
  for (const char c : text.substr(0, 60)) line += c >= ' ' && c <= '~' && c != '"' ? c : '?';
  return line + "\"";
}

}  // namespace ocs::serve
