// A Verilated switch whose flip-flops and memories hold anything before reset, and that may be reset during anything.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>

#include "host/core/device.hpp"
#include "ocs_regs.h"

namespace ocs::test {

/// @tparam Top made of ocs_top or ocs_fast_top with --x-assign unique --x-initial unique.
template <class Top>
class Powered final : public Device, RegisterBus, FabricClock {
 public:
  /// @param seed of what everything holds at first, and of everything random later; from 1.
  explicit Powered(std::uint32_t seed) : draws_(seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed));
    top_ = std::make_unique<Top>(&context_);
    top_->word_bytes_i = 64;
    top_->cycle_ps_i = 5120;
    scramble();
    reset();
  }
  ~Powered() override { top_->final(); }

  /// Pulls rst_ni for one to three edges of both clocks, whatever the bus is in the middle of, with anything on the
  /// other pins, steps beyond the horizon too.
  void reset() {
    top_->rst_ni = 0;
    for (std::uint32_t left = below(3) + 1; left > 0; --left) {
      scramble();
      edge(below(2) != 0 ? static_cast<std::uint32_t>(draws_()) : below(2), true);
    }
    rest();
    edge(0, true);  // the last one with a bus that asks for nothing
    top_->rst_ni = 1;
    edge(0, true);
  }

  /// Leaves accesses half done: addresses without data, answers that nobody takes, requests at edges that move time,
  /// up to what the horizon allows; words on the pins.
  void disturb() {
    for (std::uint32_t left = below(6); left > 0; --left) {
      top_->awvalid_i |= static_cast<CData>(below(2));
      top_->wvalid_i |= static_cast<CData>(below(2));
      top_->arvalid_i |= static_cast<CData>(below(2));
      top_->awaddr_i = beyond_memories();
      top_->araddr_i = beyond_memories();
      top_->wdata_i = static_cast<IData>(draws_());
      top_->bready_i = below(2) != 0;
      top_->rready_i = below(2) != 0;
      top_->valid_i = static_cast<CData>(below(16));
      edge(below(2) != 0 ? below(top_->horizon_o) : below(2), true);
      // Accepted or not, an offer stays as it is until it is; here it is simply made anew with the reset.
    }
  }

  RegisterBus& bus() override { return *this; }
  FabricClock& clock() override { return *this; }
  ClockKind kind() const override { return ClockKind::virtual_time; }
  Picos cycle() const override { return Picos{5120}; }
  Cycles now() override { return {static_cast<std::int64_t>(top_->time_o)}; }
  bool interrupt() override { return top_->irq_o; }
  std::uint64_t edges() const override { return 0; }

  Cycles run_until(Cycles limit) override {
    while (!top_->irq_o && now() < limit)
      edge(static_cast<std::uint32_t>(std::min<std::int64_t>(top_->horizon_o, (limit - now()).n)), false);
    return now();
  }

  std::uint32_t read(std::uint32_t address) override {
    top_->araddr_i = on_bus(address);
    top_->arvalid_i = 1;
    edge(0, true);
    top_->arvalid_i = 0;
    edge(0, true);
    const std::uint32_t data = top_->rdata_o;
    const bool refused = top_->rresp_o != 0;
    edge(0, true);
    if (refused) throw AccessRefused("the switch refused a read");
    return data;
  }

  void write(std::uint32_t address, std::uint32_t value) override { write_bytes(address, value, 0xF); }

  void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    top_->wstrb_i = strobes;
    top_->awaddr_i = on_bus(address);
    top_->wdata_i = value;
    top_->awvalid_i = top_->wvalid_i = 1;
    edge(0, true);
    top_->awvalid_i = top_->wvalid_i = 0;
    edge(0, true);
    const bool refused = top_->bresp_o != 0;
    top_->wstrb_i = 0xF;
    edge(0, true);
    if (refused) throw AccessRefused("the switch refused a write");
  }

  /// Drawn: 0 to end - 1.
  std::uint32_t below(std::uint32_t end) { return std::uniform_int_distribution<std::uint32_t>(0, end - 1)(draws_); }

 private:
  static std::uint32_t on_bus(std::uint32_t address) { return address < 0x100000 ? address : 0x80000; }

  /// Any address but those of PAIR and of SEQ_STORE, so that what the memories hold stays known.
  std::uint32_t beyond_memories() {
    constexpr auto core = static_cast<std::uint32_t>(offsetof(ocs_regs_t, core)),
                   pair = static_cast<std::uint32_t>(offsetof(ocs_regs_t, PAIR));
    constexpr auto store = static_cast<std::uint32_t>(core + offsetof(ocs_regs__core_t, SEQ_STORE));
    for (;;) {
      const std::uint32_t address = below(2) != 0 ? core + below(sizeof(ocs_regs__core_t)) : below(pair);
      if ((address & ~3u) != store) return address;
    }
  }

  void scramble() {
    top_->awvalid_i = below(2) != 0;
    top_->wvalid_i = below(2) != 0;
    top_->arvalid_i = below(2) != 0;
    top_->bready_i = below(2) != 0;
    top_->rready_i = below(2) != 0;
    top_->awaddr_i = beyond_memories();
    top_->araddr_i = beyond_memories();
    top_->wdata_i = static_cast<IData>(draws_());
    top_->wstrb_i = static_cast<CData>(below(16));
    top_->valid_i = static_cast<CData>(below(16));
  }
  void rest() {
    top_->awvalid_i = top_->wvalid_i = top_->arvalid_i = 0;
    top_->bready_i = top_->rready_i = 1;
    top_->wstrb_i = 0xF;
    top_->valid_i = 0;
  }

  void edge(std::uint32_t step, bool bus) {
    top_->step_i = step;
    top_->clk_i = 1;
    top_->bus_clk_i = bus;
    top_->eval();
    top_->clk_i = top_->bus_clk_i = 0;
    top_->eval();
  }

  std::mt19937 draws_;
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
};

}  // namespace ocs::test
