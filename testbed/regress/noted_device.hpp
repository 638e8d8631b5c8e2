// A device whose accesses are noted before they are made, so that one that never ends is known.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/device.hpp"
#include "testbed/regress/case_note.hpp"

namespace ocs::regress {

/// For programs that use the bus, run_until() and now(): the rest is passed on unseen. All lives longer than this.
class NotedDevice : public Device, private RegisterBus, private FabricClock {
 public:
  NotedDevice(Device& inner, CaseNote& note) : inner_(inner), bus_(inner.bus()), clock_(inner.clock()), note_(note) {}
  RegisterBus& bus() override { return *this; }
  FabricClock& clock() override { return *this; }
  Mailbox* mailbox() override { return inner_.mailbox(); }

 private:
  std::uint32_t read(std::uint32_t address) override {
    note_.begins({CaseNote::Access::Kind::read, address});
    return bus_.read(address);
  }
  void write(std::uint32_t address, std::uint32_t value) override {
    note_.begins({CaseNote::Access::Kind::write, address});
    bus_.write(address, value);
  }
  void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    note_.begins({CaseNote::Access::Kind::write, address});
    bus_.write_bytes(address, value, strobes);
  }
  ClockKind kind() const override { return clock_.kind(); }
  Picos cycle() const override { return clock_.cycle(); }
  Cycles now() override { return clock_.now(); }
  Cycles run_until(Cycles limit) override {
    note_.begins({CaseNote::Access::Kind::advance, limit.n});
    return clock_.run_until(limit);
  }
  bool interrupt() override { return clock_.interrupt(); }
  std::uint64_t edges() const override { return clock_.edges(); }
  std::uint64_t words_compared() const override { return clock_.words_compared(); }
  std::chrono::nanoseconds evaluation() const override { return clock_.evaluation(); }

  Device& inner_;
  RegisterBus& bus_;
  FabricClock& clock_;
  CaseNote& note_;
};

}  // namespace ocs::regress
