// Rates of nodes: what an experiment says, and how many cycles a word takes from or to each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// "equal" and "drawn" give none; else rates separated by commas: "100 Gbit/s, 25 Gbit/s".
/// @throws Error with half a sentence: "must be ...".
std::vector<std::int64_t> parse_rates(std::string_view text);

/// Cycles of a word at `rate`, which must be the fabric's over a divisor of 40000. @throws Error with half a sentence
/// that names the rates next to it.
Cycles cycles_at(std::int64_t rate, std::int64_t fabric_bps);

/// Cycles that a word takes from or to each node: the fabric's rate over the node's. Empty if each takes one.
/// @param rates one: of every node; several: of nodes 0, 1, ..., of all others the fabric's; none: the fabric's, or, if
/// `drawn`, that, a half or a quarter of it, drawn from the seed.
/// @throws Error with half a sentence, if there are more rates than nodes or one isn't the fabric's over a divisor of
/// 40000, which is what a port of the switch can keep to.
std::vector<Cycles> word_cycles(const std::vector<std::int64_t>& rates, bool drawn, std::int64_t fabric_bps, int nodes,
                                std::uint64_t seed);

/// The longest of word_cycles().
Cycles slowest_word(const std::vector<Cycles>& word_cycles);

}  // namespace ocs
