// A master that keeps to AXI4-Lite and waits for nothing but ready.
// SPDX-License-Identifier: Apache-2.0
#include "tests/mutation/pin_trial.hpp"

#include <algorithm>
#include <cstddef>

#include "host/conformance/random_program.hpp"
#include "host/conformance/registers.hpp"
#include "tests/conformance/window.hpp"

namespace ocs::conformance {
namespace {

constexpr std::uint32_t word_bytes = 4;

PinOutputs shown(const rtl::SwitchPins& pins) {
  PinOutputs out;
  out.awready = pins.awready_o != 0;
  out.wready = pins.wready_o != 0;
  out.arready = pins.arready_o != 0;
  out.bvalid = pins.bvalid_o != 0;
  out.rvalid = pins.rvalid_o != 0;
  out.irq = pins.irq_o != 0;
  if (out.bvalid) out.bresp = pins.bresp_o;
  if (out.rvalid) {
    out.rresp = pins.rresp_o;
    out.rdata = pins.rdata_o;
  }
  out.time = pins.time_o;
  return out;
}

/// The edge; readiness, which may depend on inputs, is seen before it.
PinOutputs after_edge(rtl::SwitchPins& pins, const PinInputs& in) {
  constexpr std::size_t bits = 8;
  pins.clear_valid();
  for (std::size_t i = 0; i < bits; ++i)
    if ((in.words >> i & 1U) != 0) pins.set_valid(i);
  pins.step_i = in.step;
  pins.awvalid_i = in.awvalid;
  pins.wvalid_i = in.wvalid;
  pins.arvalid_i = in.arvalid;
  pins.bready_i = in.bready;
  pins.rready_i = in.rready;
  pins.awaddr_i = in.awaddr;
  pins.araddr_i = in.araddr;
  pins.wdata_i = in.wdata;
  pins.wstrb_i = in.wstrb;
  pins.eval();
  const PinOutputs before = shown(pins);
  pins.clk_i = in.fabric;
  pins.bus_clk_i = in.bus;
  pins.eval();
  PinOutputs out = shown(pins);
  out.awready = before.awready;
  out.wready = before.wready;
  out.arready = before.arready;
  pins.clk_i = pins.bus_clk_i = 0;
  pins.eval();
  return out;
}

void reset(rtl::SwitchPins& pins) {
  pins.clk_i = pins.bus_clk_i = 0;
  pins.rst_ni = 0;
  for (int edge = 0; edge < 2; ++edge) after_edge(pins, {});
  pins.rst_ni = 1;
  after_edge(pins, {});
}

/// Draws the inputs of one edge after the other.
class Master {
 public:
  Master(int ports, std::uint64_t seed) : draw_(draws_of(seed)), ports_(static_cast<std::uint64_t>(ports)) {}

  const PinInputs& next(std::uint32_t horizon) {
    constexpr std::uint64_t of_words = 16, rare = 20, most_bits = 31;
    constexpr std::uint32_t longest = 0xFFFF'FFFF;
    in_.fabric = draw_(4) != 0;
    in_.bus = !in_.fabric || draw_(4) != 0;
    in_.step = in_.fabric && draw_(3) == 0 ? 1 : 0;
    const auto by = static_cast<std::uint32_t>(std::uint64_t{1} << draw_(most_bits));
    if (in_.fabric && draw_(rare) == 0 && horizon < longest - by) in_.step = horizon + by;
    in_.words = static_cast<std::uint8_t>(draw_(of_words));
    in_.bready = draw_(2) != 0;
    in_.rready = draw_(2) != 0;
    if (!in_.awvalid && owed_ >= 0 && draw_(2) != 0) {
      in_.awvalid = true;
      in_.awaddr = address();
      --owed_;
    }
    if (!in_.wvalid && owed_ <= 0 && draw_(2) != 0) {
      in_.wvalid = true;
      in_.wdata = value();
      in_.wstrb = static_cast<std::uint8_t>(draw_(4) != 0 ? 15 : draw_(16));
      ++owed_;
    }
    if (!in_.arvalid && draw_(2) != 0) {
      in_.arvalid = true;
      in_.araddr = address();
    }
    return in_;
  }

  /// What was taken at an edge of the bus need not be offered any more.
  void taken(const PinOutputs& out) {
    if (!in_.bus) return;
    if (out.awready) in_.awvalid = false;
    if (out.wready) in_.wvalid = false;
    if (out.arready) in_.arvalid = false;
  }

 private:
  /// Mostly of a register that there is.
  std::uint32_t address() {
    if (draw_(8) == 0) return near_[draw_(near_.size())];
    const auto all = registers();
    const Register& reg = all[draw_(all.size())];
    const std::uint64_t entries = reg.indices() > 1 ? ports_ * ports_ : reg.entries(static_cast<std::uint32_t>(ports_));
    return reg.address +
           word_bytes * static_cast<std::uint32_t>(draw_(reg.shape == Shape::wide ? 2 * entries : entries));
  }
  /// Mostly small, so that what it starts also ends.
  std::uint32_t value() {
    const std::uint64_t kind = draw_(8), small = draw_(8), any = draw_(std::uint64_t{1} << 32);
    return static_cast<std::uint32_t>(kind == 0   ? any
                                      : kind == 1 ? any & 0x8000'0007U
                                      : kind == 2 ? any & 0xFFFFU
                                                  : small);
  }

  DrawBelow draw_;
  std::uint64_t ports_;
  std::vector<std::uint32_t> near_ = near_registers();
  PinInputs in_;
  int owed_ = 0;  ///< data less addresses of writes
};

}  // namespace

std::vector<PinEdge> drawn_at_pins(rtl::SwitchPins& pins, int ports, std::uint64_t seed, int edges) {
  reset(pins);
  Master master(ports, seed);
  std::vector<PinEdge> out;
  for (int edge = 0; edge < edges; ++edge) {
    const PinInputs in = master.next(pins.horizon_o);
    out.push_back({in, after_edge(pins, in)});
    master.taken(out.back().outputs);
  }
  return out;
}

std::size_t unlike_at_pins(rtl::SwitchPins& pins, const std::vector<PinEdge>& edges) {
  reset(pins);
  const auto other =
      std::ranges::find_if(edges, [&](const PinEdge& edge) { return after_edge(pins, edge.inputs) != edge.outputs; });
  return static_cast<std::size_t>(other - edges.begin());
}

}  // namespace ocs::conformance
