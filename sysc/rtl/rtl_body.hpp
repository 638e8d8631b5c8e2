// The Verilated RTL as a module's body: a transactor between accesses and AXI4-Lite, cycles and clock edges.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "host/core/error.hpp"
#include "host/rtl/switch_pins.hpp"
#include "ocs_regs.h"
#include "sysc/module/body.hpp"
#include "sysc/module/register_map.hpp"
#include "sysc/module/switch_module.hpp"

namespace ocs::sysc {

/// Loads nothing by itself: the compiled switch is given.
class RtlBody final : public Body {
 public:
  RtlBody(const SwitchConfig& config, rtl::Instance made) : ports_(config.ports), top_(std::move(made)) {
    top_.word_bytes_i = config.word_bytes;
    top_.cycle_ps_i = static_cast<std::uint32_t>(config.cycle.value() / sc_core::sc_time(1, sc_core::SC_PS).value());
    top_.clk_i = top_.bus_clk_i = 0;
    top_.step_i = 0;
    top_.awvalid_i = top_.wvalid_i = top_.arvalid_i = 0;
    top_.bready_i = top_.rready_i = 1;
    clear_pins();
    top_.rst_ni = 0;
    top_.eval();
    for (int k = 0; k < 2; ++k) edge(Clocks::both, 0);
    top_.rst_ni = 1;
    edge(Clocks::both, 0);
    evaluations_ = 0;
  }
  RtlBody(const RtlBody&) = delete;
  RtlBody& operator=(const RtlBody&) = delete;

  std::size_t ports() const override { return ports_; }
  std::uint64_t time() const override { return top_.time_o; }
  std::uint64_t next_change() const override { return top_.time_o + (pins_ ? 1 : top_.horizon_o); }
  bool irq() const override { return top_.irq_o != 0; }
  std::uint64_t evaluations() const override { return evaluations_; }

  void run_to(std::uint64_t cycle) override {
    while (top_.time_o < cycle) {
      const auto step = std::min<std::uint64_t>(cycle - top_.time_o, pins_ ? 1 : top_.horizon_o);
      edge(Clocks::fabric, static_cast<std::uint32_t>(step));
      if (pins_) clear_pins();
    }
  }

  std::optional<std::uint32_t> read(std::uint32_t address) override {
    top_.araddr_i = address;
    top_.arvalid_i = 1;
    hand_over(top_.arready_o, top_.arvalid_i, top_.arvalid_i, top_.rvalid_o);
    if (top_.rresp_o != 0) return std::nullopt;
    return top_.rdata_o;
  }

  /// The switch's own latch, the only effect, is nobody's (sysc/module/masters.hpp). EVENT can't be looked at.
  std::optional<std::uint32_t> peek(std::uint32_t address) override {
    if (!is_register(address, ports_) || address == offsetof(ocs_regs_t, core.EVENT)) return std::nullopt;
    if (is_wide(address) && (address & 4U) != 0) (void)read(address - 4);
    return read(address);
  }

  bool write(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    top_.awaddr_i = address;
    top_.wdata_i = value;
    top_.wstrb_i = strobes;
    top_.awvalid_i = top_.wvalid_i = 1;
    hand_over(top_.awready_o, top_.awvalid_i, top_.wvalid_i, top_.bvalid_o);
    return top_.bresp_o == 0;
  }

  void offer(std::size_t input) override {
    pins_ = true;
    top_.set_valid(input);
  }

 private:
  enum class Clocks { bus, fabric, both };

  void clear_pins() {
    pins_ = false;
    top_.clear_valid();
  }

  /// An address, with its data, is offered until the switch takes it; then the answer is waited for. The edge that
  /// takes it moves the bus alone, those that carry it out are edges of the fabric with step 0.
  void hand_over(const std::uint8_t& ready, std::uint8_t& first, std::uint8_t& second, const std::uint8_t& answered) {
    constexpr int patience = 16;
    bool taken = false;
    for (int k = 0; k < patience; ++k) {
      const bool takes = !taken && ready != 0;
      edge(taken ? Clocks::both : Clocks::bus, 0);
      if (taken && answered != 0) return;
      if (!takes) continue;
      taken = true;
      first = second = 0;
    }
    throw Error(ErrorKind::internal, "the RTL has answered no access for " + std::to_string(patience) + " edges");
  }

  void edge(Clocks clocks, std::uint32_t step) {
    top_.step_i = step;
    top_.clk_i = clocks != Clocks::bus;
    top_.bus_clk_i = clocks != Clocks::fabric;
    top_.eval();
    top_.clk_i = top_.bus_clk_i = 0;
    top_.step_i = 0;
    ++evaluations_;
    top_.clocks_fell();
  }

  std::size_t ports_;
  std::uint64_t evaluations_ = 0;
  bool pins_ = false;
  rtl::SwitchPins top_;
};

}  // namespace ocs::sysc
