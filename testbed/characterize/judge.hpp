// Whether set-ups keep to what a switch is said to need.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbed/characterize/set_up.hpp"
#include "testbed/experiment/files/switch_profile.hpp"

namespace ocs::characterize {

struct Verdict {
  std::string against;               ///< the profile's name
  std::vector<Picos> limits;         ///< of each set-up
  std::vector<bool> outside;         ///< of each set-up: it took longer than its limit, or never came up
  std::size_t count = 0;             ///< of those outside
  std::optional<std::size_t> worst;  ///< the one that is farthest beyond its limit; never up is farther than any; ties:
                                     ///< the lowest output, input, then the first
};

/// A set-up's limit is the profile's at_most, or else the profile's own delay of its pair (of a log without inputs: of
/// the output's slowest pair), and `tolerance` more. What was measured in whole cycles is outside when even the least
/// that it can have been is more: a part of n cycles took more than n - 1. What is still dark when a log ends is
/// outside once that is too long; what a live switch never brought up always is.
/// @throws Error (input): the profile states no bounds and has fewer ports.
Verdict judge(const Findings& findings, const SwitchProfile& profile, Picos tolerance);

}  // namespace ocs::characterize
