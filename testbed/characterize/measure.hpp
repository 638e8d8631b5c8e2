// Measures a live switch through its commands and events alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "host/core/switch.hpp"
#include "testbed/characterize/set_up.hpp"

namespace ocs::characterize {

struct MeasureOptions {
  int repeats = 1;  ///< of everything, at least 1
  Cycles limit;     ///< for which a circuit is waited for, at least 1
  /// Called before each round of N circuits, which together are 2 * N * repeats; may throw.
  std::function<void(int round, int rounds)> progress;
};

/// Every pair of ports, from idle and from another circuit. N circuits that share no port are set up at once, so N
/// rounds meet every pair. The switch must be dark and nobody else may drive it; its last map stays.
/// What events say of each output is compared with its counter of dark cycles.
/// @throws Error (run): a commit is refused, or events and counters disagree.
std::vector<CircuitSetUp> measure(Switch& plane, const MeasureOptions& options);

/// Sets up each output alone and compares with `all`, which measure() has just found on the same switch.
/// @return none: no difference, or a circuit never came up. @throws as measure().
std::optional<Programming> measure_programming(Switch& plane, const MeasureOptions& options,
                                               const std::vector<CircuitSetUp>& all);

}  // namespace ocs::characterize
