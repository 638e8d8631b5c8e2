// What each rank does in each leg of a collective, for its payload.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/transport/fields.hpp"
#include "testbed/collectives/hops.hpp"
#include "testbed/collectives/phases.hpp"

namespace ocs {

/// Where the blocks of an iteration lie among those of all iterations.
struct BlockStretch {
  std::uint32_t first, all;
};

/// Of each leg, of each rank: its steps, with the weights of what it receives where rank w begins with the weight w
/// + 1; behind those of the last leg what it must have in the end. Blocks of one step whose weights are equal stay
/// together; blocks without words are left out.
/// @param phases of one iteration, one behind the other in steps and in blocks
std::vector<std::vector<std::vector<RankStep>>> rank_steps(std::span<const PhaseList> phases,
                                                           const std::vector<Leg>& legs, BlockStretch blocks);

/// The same of each hop of a plan. Where there are B blocks in all, B + b is block b of another rank, which a rank
/// relays: it takes it from one peer and sends it to the next.
std::vector<std::vector<std::vector<RankStep>>> rank_steps(std::span<const PhaseList> phases,
                                                           const std::vector<Hop>& hops, BlockStretch blocks);

}  // namespace ocs
