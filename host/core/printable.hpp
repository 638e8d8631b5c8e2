// Text from outside, for a sentence.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

namespace ocs {

/// `text` with '?' for each byte that isn't printable ASCII: a terminal would obey some of them.
inline std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

}  // namespace ocs
