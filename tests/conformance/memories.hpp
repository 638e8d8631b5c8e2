// Programs that use every bit of what a switch remembers: stamps, rows of the sequencer, what bursts and delays count.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// Each output comes back to each input at the last instant at which its receiver is still warm, and one cycle later.
std::vector<Op> every_receiver(int ports);

/// Each output locks to each input for the first time, soon after 2^bit cycles: a stamp with this bit alone would be recent.
/// @param bit 0 to 31; none: soon after the beginning
std::vector<Op> first_locks(int ports, std::optional<int> bit);

/// The generator of each output begins with each single bit, and with none.
std::vector<Op> every_seed(int ports);

/// Each entry of both banks is played as the last one of its table, with offsets that have each bit as 0 and as 1, and
/// with maps and launches that differ in each output and input.
/// @param entries of a bank, a power of two
std::vector<Op> every_entry(int ports, int entries);

/// Bursts of almost 2^32 words that outputs leave and come back to at indices which have each bit as 0 and as 1.
std::vector<Op> long_bursts(int ports);

/// Bursts below the full rate, of each input: routed, lost at an output that locks, unrouted; counted while they are sent,
/// at a rate that changes, and at their end.
std::vector<Op> slow_bursts(int ports);

/// Bursts below the full rate, of each input to each output, while circuits, light and other bursts come and go.
std::vector<Op> slow_changes(int ports);

/// Delays of mirrors and receivers, faults and programming, with each bit as 0 and as 1, of each output alone and of all.
std::vector<Op> long_delays(int ports);

}  // namespace ocs::conformance
