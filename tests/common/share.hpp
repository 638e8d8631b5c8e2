// Which share of many like cases a test goes through.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

namespace ocs::test {

/// One case of so many: 1, or what LIGHTLOOP_SHARE says, so that instrumented programs end in time.
inline unsigned share() {
  const char* text = std::getenv("LIGHTLOOP_SHARE");
  return text == nullptr ? 1 : static_cast<unsigned>(std::stoul(text));
}

}  // namespace ocs::test
