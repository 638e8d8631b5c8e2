// Which node's light reaches which node, and the maps that a policy may choose from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "testbed/collectives/collective.hpp"

namespace ocs {

/// A partial permutation: to[i] is the node that the light of node i reaches, -1: none.
using PortMap = std::vector<std::int16_t>;

PortMap dark_map(std::uint32_t nodes);
/// to[i] = (i + d) mod nodes; d = 1: the ring.
PortMap shift_map(std::uint32_t nodes, std::uint32_t d);

/// @throws Error (input) unless `map` has an entry for each node, and no node gets light of two; `what` names it
void check_map(const PortMap& map, std::uint32_t nodes, const std::string& what);

/// `map` without what uses a sender or a receiver of `pairs`, and with `pairs`.
PortMap overlaid(const PortMap& map, std::span<const LegTransfer> pairs);

/// A name ("ring", "back", "shifts", "steps", "all"), or a map.
using CandidateChoice = std::variant<std::string, PortMap>;

/// "ring, steps, (1 2 0 -1)": names, and maps in brackets. @throws Error (input), half a sentence: "must be ..."
std::vector<CandidateChoice> parse_candidates(std::string_view text);

/// Maps without repetition: each choice is expanded at its place. "steps": the pairs of each leg that has a pair for
/// each node. @throws Error (input) for an unknown name, an impossible map, or more than 2^20 maps
std::vector<PortMap> candidate_maps(std::span<const CandidateChoice> choices, std::uint32_t nodes,
                                    std::span<const Leg> legs);

}  // namespace ocs
