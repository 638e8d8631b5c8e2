// Programs that use every bit of what a switch remembers: stamps, rows of the sequencer, what bursts and delays count.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// Each output comes back to each input at the last instant at which its receiver is still warm, and one cycle later; also
/// after each other output has left one.
std::vector<Op> every_receiver(int ports);

/// As every_receiver, where the output leaves its input for want of light, by a row of the sequencer, or while it is held.
std::vector<Op> receivers_that_fail(int ports);

/// Each output locks to each input for the first time, soon after 2^bit cycles: a stamp with this bit alone would be recent.
/// A circuit that comes and goes before receivers remember anything leaves nothing behind.
/// @param bit 0 to 31; none: soon after the beginning @param one_more whether one action more comes before
std::vector<Op> first_locks(int ports, std::optional<int> bit, bool one_more);

/// The generator of each output begins with each single bit, and with none.
std::vector<Op> every_seed(int ports);

/// Each entry of both banks is played as the last one of its table, with offsets that have each bit as 0 and as 1, and
/// with maps and launches that differ in each output and input.
/// @param entries of a bank, a power of two @param filled offset of all rows before they are written one by one
std::vector<Op> every_entry(int ports, int entries, std::uint64_t filled);

/// Bursts that are repeated after gaps with each bit as 0 and as 1.
std::vector<Op> long_gaps(int ports);

/// Bursts of almost 2^32 words that outputs leave and come back to at indices which have each bit as 0 and as 1.
std::vector<Op> long_bursts(int ports);

/// Delays of mirrors and receivers, faults and programming, with each bit as 0 and as 1, of each output alone and of all.
std::vector<Op> long_delays(int ports);

/// PAIR of each output and input, with each bit as 0 and as 1, in commits and, with SLOW, in retries.
std::vector<Op> long_pairs(int ports);

/// Commits with both values of each bit of COMMIT_TAG in each record of the event FIFO.
/// @param records of the FIFO
std::vector<Op> every_tag(int records);

}  // namespace ocs::conformance
