// Eclipse: the slot that carries most for its time, set-up included, is played first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/slots/decompose.hpp"

namespace ocs {

/// While demand is left: of all lengths a and matchings M the slot with the largest sum over M of min(a, demand) for
/// each tick of its a + delta; ties: the longest. Only lengths equal to an entry can be best. Of more than 64 different
/// entries, one is tried for all those up to an eighth longer, which finds at least 8/9 of the largest ratio.
/// Source: Bojja Venkatakrishnan, Alizadeh, Viswanath, "Costly circuits, submodular schedules and approximate
/// Carathéodory theorems", SIGMETRICS 2016. Guarantee there: what the slots have carried by any time W, at whose end a
/// slot ends, is at least 1 - exp(-(1 - e)) of what any slots can carry by W, if no slot with its set-up is longer than
/// e W; with 8/9 of the ratio, 1 - exp(-8/9 (1 - e)). No stuffing.
std::vector<Slot> eclipse(const Demand& demand);

}  // namespace ocs
