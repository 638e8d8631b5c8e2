// What an observation should have been and wasn't, in sentences.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "host/conformance/program.hpp"
#include "host/conformance/runner.hpp"

namespace ocs::conformance {

/// One line for each thing in which `got` isn't what the program expects; empty if it is all right.
std::string deviations(const Case& program, const Observation& got);

/// Where two runs of the same program differ: the first difference, with its operation; empty if nowhere. Traces are
/// compared where both have one.
std::string difference(int ports, std::span<const Op> program, const Observation& expected, const Observation& got);

}  // namespace ocs::conformance
