// The whole switch with checks, moved edge by edge: the bus and the fabric at one edge, as on an FPGA, or not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstdint>

#include "tests/rtl/watch.hpp"

namespace ocs::test {

/// @tparam Top, Syms: classes that Verilator made of ocs_top with checks
template <class Top, class Syms>
class SteppedSwitch {
 public:
  SteppedSwitch() : top(&context_), watch_(context_, top) {
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
  SteppedSwitch(const SteppedSwitch&) = delete;
  SteppedSwitch& operator=(const SteppedSwitch&) = delete;
  ~SteppedSwitch() { top.final(); }

  /// An edge of both clocks that stands for `step` cycles.
  void edge(std::uint32_t step) {
    top.step_i = step;
    top.bus_clk_i = top.clk_i = 1;
    top.eval();
    watch_.after_edge(top);
    top.bus_clk_i = top.clk_i = 0;
    top.eval();
  }
  /// A write that is taken in at an edge of no cycle and completes at one of `step` cycles. @return
  /// whether it was accepted.
  bool write(std::uint32_t address, std::uint32_t value, std::uint32_t step = 0, unsigned strobes = 0xF) {
    top.awaddr_i = address;
    top.wdata_i = value;
    top.wstrb_i = static_cast<CData>(strobes);
    top.awvalid_i = top.wvalid_i = 1;
    edge(0);
    top.awvalid_i = top.wvalid_i = 0;
    edge(step);
    return top.bresp_o == 0;
  }
  std::uint32_t read(std::uint32_t address, std::uint32_t step = 0) {
    top.araddr_i = address;
    top.arvalid_i = 1;
    edge(0);
    top.arvalid_i = 0;
    edge(step);
    return top.rdata_o;
  }
  std::uint64_t wide(std::uint32_t address) {
    const std::uint64_t low = read(address);
    return low | std::uint64_t{read(address + 4)} << 32;
  }

 private:
  VerilatedContext context_;

 public:
  Top top;

 private:
  Watch<Top, Syms> watch_;
};

}  // namespace ocs::test
