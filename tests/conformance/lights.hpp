// Programs about light: levels, detectors, rings, disturbed mirrors, positions; of each output and input, with each bit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// Levels at which light is just enough, and just missing, of each output from each input, with each bit of LASER, LOSS and
/// LEVEL as 0 and as 1; with hysteresis and without.
std::vector<Op> every_level(int ports);

/// Times after which a loss of light is asserted and released, and of rings, with each bit as 0 and as 1, of each output.
std::vector<Op> long_losses(int ports);

/// Each set of inputs without light, and of dead ports, takes it from each output, whichever input it selects: while it is UP,
/// before it arrives, while it locks; with LEVEL.ON and without.
std::vector<Op> every_fault(int ports);

/// All outputs ring 255 times.
std::vector<Op> many_rings(int ports);

/// Each output disturbs the others at each distance, for times with each bit as 0 and as 1, while words pass.
std::vector<Op> every_disturbance(int ports);

/// Each output is stuck at each input and shows its words, many of them, at the full rate and below it.
std::vector<Op> every_position(int ports);

}  // namespace ocs::conformance
