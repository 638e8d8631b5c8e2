// A device that is watched: it counts and records accesses, and can be made to lie.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "host/core/device.hpp"

namespace ocs::test {

/// Byte address of a register, by the names of rtl/regs/generated/ocs_regs.h.
#define OCS_TEST_CORE(name) static_cast<std::uint32_t>(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, name))
#define OCS_TEST_PORT(name) static_cast<std::uint32_t>(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, name))

class SpyDevice final : public Device, private RegisterBus, private FabricClock {
 public:
  struct Access {
    bool write;
    std::uint32_t address, value;
  };

  explicit SpyDevice(std::unique_ptr<Device> device) : device_(std::move(device)) {}
  RegisterBus& bus() override { return *this; }
  FabricClock& clock() override { return *this; }

  std::vector<Access> accesses;
  /// What a read gives instead of `value`; may throw.
  std::function<std::uint32_t(std::uint32_t address, std::uint32_t value)> lie;

  /// The register map says that it is 1.4, without the brief form.
  bool old_map = false;

  Device& honest() { return *device_; }
  std::size_t writes() const;

 private:
  std::uint32_t read(std::uint32_t address) override;
  void write(std::uint32_t address, std::uint32_t value) override;
  ClockKind kind() const override { return device_->clock().kind(); }
  Picos cycle() const override { return device_->clock().cycle(); }
  Cycles now() override { return device_->clock().now(); }
  Cycles run_until(Cycles limit) override { return device_->clock().run_until(limit); }
  bool interrupt() override { return lie || device_->clock().interrupt(); }  // a liar's line can't be trusted
  std::uint64_t edges() const override { return device_->clock().edges(); }

  std::unique_ptr<Device> device_;
};

}  // namespace ocs::test
