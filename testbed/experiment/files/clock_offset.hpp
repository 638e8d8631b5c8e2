// By how much the clocks of the nodes are off: read, drawn, and in cycles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// Times with or without a sign, separated by commas: "-20 ns, 5 ns". A clock that is late (+) sends late.
/// @throws Error (input) with half a sentence: "must ...".
std::vector<Picos> parse_offsets(std::string_view text);
/// The same without signs.
std::vector<Picos> parse_times(std::string_view text);

/// Rounded up to cycles, away from 0.
Cycles offset_cycles(Picos offset, Picos cycle);

/// For each of `nodes`: its entry of `offsets` (the only one holds for all, a missing one is 0), and a draw from
/// -spread to +spread, uniform over the whole cycles. Node v's draw depends on seed and v alone.
std::vector<Cycles> clock_offsets(const std::vector<Cycles>& offsets, Cycles spread, int nodes, std::uint64_t seed);

/// For each of `nodes`: by how much of 10^9 its clock is slow, drawn from -ppm to +ppm parts per million. Node v's draw
/// depends on seed and v alone, and isn't the one of its offset. Empty if `ppm` is 0.
std::vector<std::int64_t> clock_drifts(std::int64_t ppm, int nodes, std::uint64_t seed);

}  // namespace ocs
