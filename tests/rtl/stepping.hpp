// A switch at its pins, moved edge by edge: the bus and the fabric at one edge, as on an FPGA, or not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ocs::test {

/// What an access and an edge are at the pins.
/// @tparam Switch derives from this class, and has pins(), named as those of ocs_top, and after_edge().
template <class Switch>
class Stepping {
 public:
  /// Two edges of a reset, and one after it.
  void reset() {
    auto& top = own().pins();
    top.word_bytes_i = 64;
    top.cycle_ps_i = 5120;
    top.bready_i = top.rready_i = 1;
    top.wstrb_i = 0xF;
    top.eval();
    edge(0);
    edge(0);
    top.rst_ni = 1;
    edge(0);
  }

  /// An edge of both clocks that stands for `step` cycles.
  void edge(std::uint32_t step) {
    auto& top = own().pins();
    top.step_i = step;
    top.bus_clk_i = top.clk_i = 1;
    top.eval();
    own().after_edge();
    top.bus_clk_i = top.clk_i = 0;
    top.eval();
  }
  /// A write that is taken in at an edge of no cycle and completes at one of `step` cycles. @return
  /// whether it was accepted.
  bool write(std::uint32_t address, std::uint32_t value, std::uint32_t step = 0, unsigned strobes = 0xF) {
    auto& top = own().pins();
    top.awaddr_i = address;
    top.wdata_i = value;
    top.wstrb_i = static_cast<std::uint8_t>(strobes);
    top.awvalid_i = top.wvalid_i = 1;
    edge(0);
    top.awvalid_i = top.wvalid_i = 0;
    edge(step);
    return top.bresp_o == 0;
  }
  std::uint32_t read(std::uint32_t address, std::uint32_t step = 0) {
    auto& top = own().pins();
    top.araddr_i = address;
    top.arvalid_i = 1;
    edge(0);
    top.arvalid_i = 0;
    edge(step);
    return top.rdata_o;
  }

 private:
  Switch& own() { return static_cast<Switch&>(*this); }
};

}  // namespace ocs::test
