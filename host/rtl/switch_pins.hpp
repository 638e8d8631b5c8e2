// The pins of a compiled switch under the names that the RTL gives them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "host/rtl/compiled_switch.hpp"

namespace ocs::rtl {

/// What ocs_top, ocs_fast_top, ocs_skew_top and ocs_soc have in common, found once by name (rtl/object/switch_abi.h).
class SwitchPins {
 public:
  explicit SwitchPins(Instance made) : instance_(std::move(made)) {
    valid_i_ = instance_.find("valid_i", valid_bytes_);
  }

  void eval() { instance_.eval(); }
  void clear_valid() { std::memset(valid_i_, 0, valid_bytes_); }
  /// A word is on the pin of this input.
  void set_valid(std::size_t input) {
    constexpr std::size_t bits = 8;
    std::uint8_t& byte = static_cast<std::uint8_t*>(valid_i_)[input / bits];
    byte = static_cast<std::uint8_t>(byte | 1U << input % bits);
  }
  Instance& instance() { return instance_; }
  /// Edges that answers of a switch in stages come later than those of the others; its last stage is no further behind.
  int lag() const { return lag_o_ == nullptr ? 0 : *lag_o_; }

  /// Nothing happens at a falling edge, but an evaluation would compute all that depends on inputs once more: a fifth
  /// of the time. So what Verilator remembers of the clocks is set as if it had seen them fall, where its names are
  /// known; outputs stay those of the rising edge, which depend on no input.
  void clocks_fell() {
    if (last_clk_ == nullptr || (last_bus_clk_ == nullptr && bus_clk_ != nullptr)) return eval();
    *last_clk_ = 0;
    if (last_bus_clk_ != nullptr) *last_bus_clk_ = 0;
  }

 private:
  using Bit = std::uint8_t;
  Instance instance_;
  void* valid_i_ = nullptr;
  std::size_t valid_bytes_ = 0;
  Bit no_bus_clk_ = 0;  // of a switch whose bus has no clock of its own
  Bit* bus_clk_ = instance_.optional_pin<Bit>("bus_clk_i");
  const Bit* lag_o_ = instance_.optional_pin<Bit>("lag_o");
  Bit* last_clk_ = instance_.optional_pin<Bit>("last_clk_i");
  Bit* last_bus_clk_ = instance_.optional_pin<Bit>("last_bus_clk_i");

 public:
  Bit& clk_i = instance_.pin<Bit>("clk_i");
  Bit& bus_clk_i = bus_clk_ != nullptr ? *bus_clk_ : no_bus_clk_;
  Bit& rst_ni = instance_.pin<Bit>("rst_ni");
  std::uint32_t& step_i = instance_.pin<std::uint32_t>("step_i");
  const std::uint32_t& horizon_o = instance_.pin<std::uint32_t>("horizon_o");
  const std::uint64_t& time_o = instance_.pin<std::uint64_t>("time_o");
  const Bit& irq_o = instance_.pin<Bit>("irq_o");
  std::uint16_t& word_bytes_i = instance_.pin<std::uint16_t>("word_bytes_i");
  std::uint32_t& cycle_ps_i = instance_.pin<std::uint32_t>("cycle_ps_i");
  Bit& awvalid_i = instance_.pin<Bit>("awvalid_i");
  const Bit& awready_o = instance_.pin<Bit>("awready_o");
  std::uint32_t& awaddr_i = instance_.pin<std::uint32_t>("awaddr_i");
  Bit& wvalid_i = instance_.pin<Bit>("wvalid_i");
  const Bit& wready_o = instance_.pin<Bit>("wready_o");
  std::uint32_t& wdata_i = instance_.pin<std::uint32_t>("wdata_i");
  Bit& wstrb_i = instance_.pin<Bit>("wstrb_i");
  const Bit& bvalid_o = instance_.pin<Bit>("bvalid_o");
  Bit& bready_i = instance_.pin<Bit>("bready_i");
  const Bit& bresp_o = instance_.pin<Bit>("bresp_o");
  Bit& arvalid_i = instance_.pin<Bit>("arvalid_i");
  const Bit& arready_o = instance_.pin<Bit>("arready_o");
  std::uint32_t& araddr_i = instance_.pin<std::uint32_t>("araddr_i");
  const Bit& rvalid_o = instance_.pin<Bit>("rvalid_o");
  Bit& rready_i = instance_.pin<Bit>("rready_i");
  const std::uint32_t& rdata_o = instance_.pin<std::uint32_t>("rdata_o");
  const Bit& rresp_o = instance_.pin<Bit>("rresp_o");
};

}  // namespace ocs::rtl
