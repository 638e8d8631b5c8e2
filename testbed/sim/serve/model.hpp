// What a client of a simulated `lightloop serve` asks for, and what the switch has to make of it: the ports of that client alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "testbed/sim/draw.hpp"

namespace ocs::sim {

inline constexpr int ports_of_all = 16, ports_of_one = 4, most_serve_clients = ports_of_all / ports_of_one;

/// A port as an index.
constexpr std::size_t at(int port) { return static_cast<std::size_t>(port); }

/// The ports of one client, numbered from 0 on each side.
struct OwnPorts {
  std::array<std::optional<int>, ports_of_one> out_of{};  ///< the output of each input that has a circuit
  std::array<bool, ports_of_one> input_off{}, output_off{}, dead{};
  bool operator==(const OwnPorts&) const = default;

  std::optional<int> in_of(int out) const;
  /// As OCS:PORT:STATe? says it of an output, once nothing is on its way.
  std::string settled_state(int out) const;
};

/// cut: removes the circuit of an input, whatever its output.
enum class Act : std::uint8_t { add, update, replace, remove, cut, disable, enable, fail, repair };

/// One command.
struct Order {
  Act act{};
  int in = 0, out = 0;    ///< of circuits
  int in2 = 0, out2 = 0;  ///< of `replace`: what comes
  bool output = false;    ///< disable, enable: which side of port `in`
};

/// Carries it out on the model. @return whether the switch does it; if not, nothing has changed
bool apply(const Order& order, OwnPorts& ports);
/// Among all that there are, or those that TL1 has as well.
Order draw_order(Draw& draw, bool of_tl1);

/// As SCPI and TL1 have it, without the end of the line. @param first the client's first port, from 0
std::string scpi_text(const Order& order, int first);
std::string tl1_text(const Order& order, int first, const std::string& ctag);

}  // namespace ocs::sim
