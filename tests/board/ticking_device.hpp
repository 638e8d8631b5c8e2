// A switch whose clock goes on by itself, as slowly or fast as a test wants: each access takes so many cycles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "host/core/device.hpp"
#include "rtl/regs/generated/ocs_regs.h"

namespace ocs::test {

class TickingDevice final : public Device, private RegisterBus, private FabricClock {
 public:
  explicit TickingDevice(std::unique_ptr<Device> inner) : inner_(std::move(inner)) {}
  RegisterBus& bus() override { return *this; }
  FabricClock& clock() override { return *this; }

  Cycles access{0};  ///< that an access takes, before it acts
  Cycles lag{0};     ///< by which run_until returns late

  /// The clock goes on, whatever the interrupt line says.
  void pass(Cycles cycles) {
    inner_->bus().write(at_enable, 0);
    inner_->clock().run_until(inner_->clock().now() + cycles);
  }

 private:
  static constexpr std::uint32_t at_enable = offsetof(ocs_regs_t, IRQ_ENABLE);

  std::uint32_t read(std::uint32_t address) override {
    pass(access);
    return address == at_enable ? enabled_ : inner_->bus().read(address);
  }
  void write(std::uint32_t address, std::uint32_t value) override {
    pass(access);
    if (address == at_enable)
      enabled_ = value;
    else
      inner_->bus().write(address, value);
  }
  ClockKind kind() const override { return ClockKind::wall_time; }
  Picos cycle() const override { return inner_->clock().cycle(); }
  Cycles now() override { return inner_->clock().now(); }
  Cycles run_until(Cycles limit) override {
    inner_->bus().write(at_enable, enabled_);
    inner_->clock().run_until(limit);
    pass(lag);
    return now();
  }
  std::uint64_t edges() const override { return 0; }

  std::unique_ptr<Device> inner_;
  std::uint32_t enabled_ = 0;
};

}  // namespace ocs::test
