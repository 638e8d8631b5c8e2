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

/// What locking takes by what each receiver last received, and for how long that counts. Sets up circuits again that
/// were cut just before, and 2^30 cycles before: for longer no switch can remember them. It does so only if locking has
/// differed from one set-up to the next, or does so when circuits come back at once. A sequential test distinguishes
/// warm receivers from cold ones. Bisection, on the output that tunes fastest, finds the time between them: exactly, if
/// that output's tuning time doesn't vary. Needs virtual time with time-warp.
/// @param all what measure() has just found on the same switch
/// @return none: locking is the same always, or a circuit never came up. @throws as measure().
std::optional<MeasuredReceivers> measure_receivers(Switch& plane, const MeasureOptions& options,
                                                   const std::vector<CircuitSetUp>& all);

/// Whom a mirror that moves disturbs, and for how long. Each output in turn is set up while all others carry words at
/// full rate, for 2^30 cycles: what these lose is counted, and no switch can disturb for longer. Needs virtual time with
/// time-warp.
/// @return none: a circuit never came up. @throws as measure().
std::optional<MeasuredNeighbours> measure_neighbours(Switch& plane, const MeasureOptions& options);

/// Whether an output has taken different times to lock.
bool locking_varies(const std::vector<CircuitSetUp>& all);

}  // namespace ocs::characterize
