// Programs made of others: begun late, in times and registers that were full of bits; or on other ports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// How long a history takes. Every other bit is set, so that the two together have each bit of a time as 0 and as 1, up to
/// bit 41: an edge of the RTL stands for 2^32 cycles at most, so that later times take too many edges.
inline constexpr std::array<std::uint64_t, 2> lateness{0x0155'5555'5555, 0x02AA'AAAA'AAAA};

/// The program begun `late` cycles after a soft reset; its absolute times are as much later. Before that reset every setting
/// held both values of each bit, and so did the sequencer's entries; since then all outputs were dark, and are disconnected.
/// The FIFO is empty, and no error is kept.
/// @param late more than 8
std::vector<Op> begun_late(const std::vector<Op>& program, int ports, std::uint64_t late);

/// The program on other ports: port p becomes p + by, modulo the number of ports; indices beyond that stay.
std::vector<Op> on_other_ports(std::vector<Op> program, int ports, int by);

}  // namespace ocs::conformance
