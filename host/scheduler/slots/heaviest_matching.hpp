// The matching of largest total weight.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/slots/square.hpp"

namespace ocs {

/// A matching whose entries have the largest sum, without entries of 0. Of several, the one that shortest augmenting
/// paths find when inputs and outputs join in ascending order. Source: Edmonds' maximum-weight matching, for bipartite
/// graphs by the Hungarian method (Kuhn, Naval Res. Logist. Q. 2, 1955) with potentials. O(n^3) in the inputs or
/// outputs that have entries; sums have 128 bits.
Matching heaviest_matching(const Square& weights);

}  // namespace ocs
