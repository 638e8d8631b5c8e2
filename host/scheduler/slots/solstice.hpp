// Solstice: a decomposition that prefers long slots, by a threshold that only falls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/slots/decompose.hpp"

namespace ocs {

/// BigSlice. The threshold begins at the largest power of two that is not above the largest entry. While entries
/// remain: a largest matching on the entries above the threshold; while it has fewer pairs than a perfect one, the
/// threshold is halved (1 becomes 0); the slot lasts as long as its smallest entry. Source: Liu et al., "Scheduling
/// techniques for hybrid circuit/packet networks", CoNEXT 2015; circuits alone, no packet switch.
std::vector<Slot> solstice_slots(const Square& stuffed);

std::vector<Slot> solstice(const Demand& demand);

}  // namespace ocs
