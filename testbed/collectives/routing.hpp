// To which experts the tokens of an iteration go.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ocs {

/// The largest Gini coefficient, in thousandths, that `routed_tokens` can draw with so many experts.
std::int64_t most_gini_milli(std::int64_t experts);

/// Of `tokens`, how many go to each expert. Their shares have exactly this Gini coefficient before they are rounded to
/// tokens; which expert has which share is drawn anew for each iteration. Integers only: the same on every machine.
/// Share of the expert of rank i, the least first: (1 - l) / E + l ((i + 1)^5 - i^5) / E^5, where l makes the Gini
/// coefficient right.
std::vector<std::int64_t> routed_tokens(std::int64_t tokens, std::int64_t experts, std::int64_t gini_milli,
                                        std::uint64_t seed, std::uint32_t iteration);

}  // namespace ocs
