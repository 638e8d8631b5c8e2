// Time in which this process didn't run, because it was stopped or the machine had no time for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace ocs {

/// Called once in each turn of a loop that waits, at most `patience` a turn. Who is waited for can't have answered to a
/// process that was stopped: deadlines move by what this returns.
/// @param turn when it was called last; becomes `now`.
inline std::chrono::steady_clock::duration stalled(std::chrono::steady_clock::time_point& turn,
                                                   std::chrono::steady_clock::time_point now,
                                                   std::chrono::milliseconds patience) {
  const auto took = now - turn;
  turn = now;
  return took > 2 * patience ? took : std::chrono::steady_clock::duration{0};
}

}  // namespace ocs
