// What a switch shows at its pins while accesses overlap, compared with what another one showed for the same inputs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/rtl/switch_pins.hpp"

namespace ocs::conformance {

/// Inputs of one edge.
struct PinInputs {
  bool fabric = true, bus = true;  ///< clocks that rise
  std::uint32_t step = 0;
  std::uint8_t words = 0;  ///< inputs that have a word from outside
  bool awvalid = false, wvalid = false, arvalid = false, bready = false, rready = false;
  std::uint32_t awaddr = 0, araddr = 0, wdata = 0;
  std::uint8_t wstrb = 0;
};

/// Outputs after an edge, but the horizon: a smaller one is allowed. Data and responses are those of answers that stand.
struct PinOutputs {
  bool awready = false, wready = false, arready = false, bvalid = false, rvalid = false, irq = false;
  std::uint8_t bresp = 0, rresp = 0;
  std::uint32_t rdata = 0;
  std::uint64_t time = 0;

  friend bool operator==(const PinOutputs&, const PinOutputs&) = default;
};

struct PinEdge {
  PinInputs inputs;
  PinOutputs outputs;
};

/// Draws inputs for a switch of `ports` that is as after power-up, and keeps what it shows: reads and writes that overlap,
/// whose parts come one after the other and whose answers are taken late; edges of either clock alone; words from
/// outside; steps beyond the horizon.
std::vector<PinEdge> drawn_at_pins(rtl::SwitchPins& pins, int ports, std::uint64_t seed, int edges);

/// The first edge after which a switch shows anything else; their number: none.
std::size_t unlike_at_pins(rtl::SwitchPins& pins, const std::vector<PinEdge>& edges);

}  // namespace ocs::conformance
