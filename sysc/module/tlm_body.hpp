// The transaction-level model as a module's body.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sysc/core/fabric.hpp"
#include "sysc/core/window.hpp"
#include "sysc/module/body.hpp"

namespace ocs::sysc {

class TlmBody final : public Body {
 public:
  TlmBody(std::size_t ports, std::size_t fifo_depth, Shown shown)
      : fabric_(ports, fifo_depth), window_(fabric_, shown) {}

  std::size_t ports() const override { return fabric_.ports(); }
  std::uint64_t time() const override { return fabric_.time(); }
  std::uint64_t next_change() const override {
    const Cycle action = fabric_.next_action();
    return action == no_cycle ? no_cycle : action + 1;
  }
  void run_to(std::uint64_t cycle) override { actions_ += fabric_.run_to(cycle); }
  bool irq() const override { return fabric_.irq(); }
  std::optional<std::uint32_t> read(std::uint32_t address) override { return window_.read(address); }
  bool write(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    return window_.write(address, value, strobes);
  }
  std::optional<std::uint32_t> peek(std::uint32_t address) override { return window_.peek(address); }
  void offer(std::size_t input) override {
    fabric_.input_now(input).pin = true;
    fabric_.look_now();
  }
  std::uint64_t evaluations() const override { return actions_; }

 private:
  Fabric fabric_;
  Window window_;
  std::uint64_t actions_ = 0;
};

}  // namespace ocs::sysc
