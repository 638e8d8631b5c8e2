// Devices that are used again: one that counts what is reached takes seconds to make.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>

#include "host/core/device.hpp"
#include "host/rtl/compiled_switch.hpp"
#include "ocs_regs.h"

namespace ocs {

/// @tparam Made a device with `reset(const DeviceConfig&)`. All have one size and live until the program ends.
template <class Made>
class Recycled final : public Device {
 public:
  Recycled(const DeviceConfig& config, const rtl::CompiledSwitch& compiled) : place_(free_place(config, compiled)) {
    place_.used = true;
    clear_memories(config.ports);
    place_.made.reset(config);
  }
  ~Recycled() override { place_.used = false; }
  Recycled(const Recycled&) = delete;
  Recycled& operator=(const Recycled&) = delete;

  RegisterBus& bus() override { return device().bus(); }
  FabricClock& clock() override { return device().clock(); }

 private:
  struct Place {
    Place(const DeviceConfig& config, const rtl::CompiledSwitch& compiled) : made(config, compiled.make(), "") {}
    Made made;
    bool used = false;
  };

  static Place& free_place(const DeviceConfig& config, const rtl::CompiledSwitch& compiled) {
    static std::list<Place> places;
    for (Place& place : places)
      if (!place.used) return place;
    return places.emplace_back(config, compiled);
  }

  Device& device() { return place_.made; }

  // What a reset leaves as it is: PAIR, and every row of both banks of the sequencer. GO with no
  // entries exchanges them.
  void clear_memories(int ports) {
    constexpr auto at = [](std::size_t offset) { return static_cast<std::uint32_t>(offset); };
    RegisterBus& window = bus();
    window.write(at(offsetof(ocs_regs_t, core.SOFT_RESET)), 1);
    for (int out = 0; out < ports; ++out)
      for (int in = 0; in < ports; ++in)
        window.write(at(offsetof(ocs_regs_t, PAIR)) + static_cast<std::uint32_t>(out * 1024 + in * 4), 0);
    const std::uint32_t rows = window.read(at(offsetof(ocs_regs_t, CAP_SIZE))) >> 16;
    for (int bank = 0; bank < 2; ++bank) {
      for (std::uint32_t row = 0; row < rows; ++row) window.write(at(offsetof(ocs_regs_t, core.SEQ_STORE)), row);
      window.write(at(offsetof(ocs_regs_t, core.SEQ_GO)), 1);
      FabricClock& clock = device().clock();
      clock.run_until(clock.now() + Cycles{1});
    }
  }

  Place& place_;
};

}  // namespace ocs
