// Whole maps of a switch: what changes make of them, and which ones it can't have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "host/core/switch.hpp"

namespace ocs {

/// Input that each output selects, OCS_DARK for none.
using SwitchMap = std::vector<std::uint16_t>;

/// Makes the changes in `map`, or says why they can't be made: a port that isn't there, an output named twice, an input
/// that would feed two outputs without multicast. `map` is then as it was.
std::optional<Refusal> change_map(SwitchMap& map, std::span<const Select> change, bool multicast);

/// What the switch's sequencer is to play. Entry e is due `offsets[e]` cycles after `base`, and again every `period`
/// cycles; period 0: once.
struct SwitchTable {
  Cycles base{0};
  std::int64_t period = 0;
  std::vector<std::int64_t> offsets;
  std::vector<SwitchMap> maps;  ///< whole ones
};

/// Lays a table out: each commit changes what the one before it made, the first one `start`. @param table filled in
/// @returns why it can't be played: more commits than `entries`, cycles that don't ascend, a length that 32 bits don't
/// hold, or a period that ends before the last commit.
std::optional<Refusal> lay_out(std::span<const Commit> commits, Cycles period, SwitchMap start, bool multicast,
                               std::size_t entries, SwitchTable& table);

}  // namespace ocs
