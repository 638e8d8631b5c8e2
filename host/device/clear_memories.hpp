// What a reset of the switch leaves as it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/device.hpp"

namespace ocs {

/// Writes 0 to PAIR and to every row of both banks of the sequencer, as after power-up. Time goes on by a few cycles; a
/// reset has to follow. @param ports of the switch.
void clear_memories(Device& device, int ports);

}  // namespace ocs
