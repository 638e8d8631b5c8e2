// Plays a scenario of `lightloop serve`, and holds what came of it to what must always be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/sim/scenario.hpp"
#include "testbed/sim/verdict.hpp"

namespace ocs::sim {

/// Never throws for what the scenario does. @throws Error (input): a key of it is wrong
Verdict play_serve(const Scenario& scenario);

}  // namespace ocs::sim
