// Makes a scenario that breaks something smaller, while it breaks the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "testbed/sim/scenario.hpp"

namespace ocs::sim {

/// What is broken by a scenario; empty: nothing.
using Broken = std::function<std::string(const Scenario&)>;

/// Fewer faults, fewer nodes and settings, earlier. @param most so many scenarios are tried
Scenario shrink(Scenario failing, const Broken& broken, std::size_t most = 400);

/// Two violations are of one kind if they begin alike, up to the first colon or digit.
std::string kind_of_violation(const std::string& violation);

}  // namespace ocs::sim
