// Programs made of others: begun late, or on other ports. And one that fills all settings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// When programs begin late. Every other bit is set, so that the two together have each bit of a time as 0 and as 1, up to
/// bit 37: an edge of the RTL stands for 2^32 cycles at most, so that later times take many edges.
inline constexpr std::array<std::uint64_t, 2> lateness{0x15'5555'5555, 0x2A'AAAA'AAAA};

/// The program begun `late` cycles after power-up; its absolute times are as much later. Until then all outputs are dark, and
/// they are disconnected before it begins. The FIFO is empty then, and no error is kept.
/// @param late more than 8
std::vector<Op> begun_late(const std::vector<Op>& program, int ports, std::uint64_t late);

/// The program on other ports: port p becomes p + by, modulo the number of ports; indices beyond that stay.
std::vector<Op> on_other_ports(std::vector<Op> program, int ports, int by);

/// The program with each advance in two parts, and before each part a write of no byte to a setting: it changes nothing, but
/// a switch may find out anew what is due next.
std::vector<Op> looked_at_again(const std::vector<Op>& program);

/// Writes both values of each bit of every setting, and of the sequencer's entries, and reads the settings back.
std::vector<Op> every_setting(int ports);

/// Writes each byte of every setting alone, and two bytes, with both values of each bit, over both values of it.
std::vector<Op> every_byte(int ports);

}  // namespace ocs::conformance
