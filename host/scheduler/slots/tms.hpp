// TMS, traffic matrix scheduling: the decomposition whose every slot is as long as a perfect matching can make it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/slots/decompose.hpp"

namespace ocs {

/// While entries remain: the perfect matching whose smallest entry is largest (bottleneck matching, by bisection over
/// the entries; largest_matching() breaks ties); the slot lasts as long as that entry. So the lengths fall from slot to
/// slot. Source: Porter et al., "Integrating microsecond circuit switching into the data center", SIGCOMM 2013, with
/// QuickStuff in place of Sinkhorn scaling, which is not exact in integers, and with all slots played, as there is no
/// packet switch for the short ones.
std::vector<Slot> tms(const Demand& demand);

}  // namespace ocs
