// What each rank does in each leg of a collective, for its payload.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/transport/fields.hpp"
#include "testbed/collectives/hops.hpp"

namespace ocs {

/// Of each leg, of each rank: its steps, with the weights of what it receives where rank w begins with the weight w
/// + 1; behind those of the last leg what it must have in the end. Blocks of one step whose weights are equal stay
/// together; blocks without words are left out. @param sizes words of each block
std::vector<std::vector<std::vector<RankStep>>> rank_steps(const Collective& collective,
                                                           const std::vector<Words>& sizes,
                                                           const std::vector<Leg>& legs);

/// The same of each hop of a plan. Of B blocks, B + b is block b of another rank, which a rank relays: it takes it from
/// one peer and sends it to the next.
std::vector<std::vector<std::vector<RankStep>>> rank_steps(const Collective& collective,
                                                           const std::vector<Words>& sizes,
                                                           const std::vector<Hop>& hops);

}  // namespace ocs
