// How long somebody waited for an answer, for sentences.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace ocs {

/// "3 s", or "1500 ms" if it is not a whole number of seconds.
inline std::string wait_text(std::chrono::milliseconds wait) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(wait);
  if (seconds == wait && seconds.count() != 0) return std::to_string(seconds.count()) + " s";
  return std::to_string(wait.count()) + " ms";
}

}  // namespace ocs
