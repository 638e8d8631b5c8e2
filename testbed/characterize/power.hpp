// The power of light at outputs, as the switch reads it, and what lasers and losses would show the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "testbed/characterize/set_up.hpp"

namespace ocs::characterize {

/// What lasers send, hundredths of a dBm of each input, and what is lost, hundredths of a dB of each output.
struct PortLevels {
  std::vector<int> lasers, losses;
};

/// Levels that show every pair the power that was read of it: of all such the one whose smallest loss is 0, or as little
/// more as brings each laser into the range of register LASER. What the registers LASER and LOSS hold is not asked: a
/// switch that isn't emulated has no such numbers.
/// @return none: a pair has no power, or several, or no levels show them all
std::optional<PortLevels> levels_of(const Findings& findings);

/// Hundredths of a dBm, of set-ups that came up.
struct MeasuredPower {
  int min = 0, median = 0, max = 0;  ///< median: nearest rank
  std::size_t weakest = 0;           ///< the first set-up of Findings with the least power
  std::size_t missing = 0;           ///< set-ups that were up, but without light when it was read
  std::optional<PortLevels> levels;

  /// Whether it says more than a switch whose LASER and LOSS are as after reset: 0 dBm everywhere.
  bool has_levels() const { return min != 0 || max != 0; }
};

/// @return none: no power was read
std::optional<MeasuredPower> power_of(const Findings& findings);

}  // namespace ocs::characterize
