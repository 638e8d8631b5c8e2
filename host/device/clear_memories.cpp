// Memories are reached through registers only: a shadow map of a reset switch is stored in each row.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/clear_memories.hpp"

#include <cstddef>
#include <cstdint>

#include "ocs_regs.h"

namespace ocs {

void clear_memories(Device& device, int ports) {
  constexpr auto at = [](std::size_t offset) { return static_cast<std::uint32_t>(offset); };
  RegisterBus& window = device.bus();
  window.write(at(offsetof(ocs_regs_t, core.SOFT_RESET)), 1);
  for (int out = 0; out < ports; ++out)
    for (int in = 0; in < ports; ++in)
      window.write(at(offsetof(ocs_regs_t, PAIR)) + static_cast<std::uint32_t>(out * 1024 + in * 4), 0);
  const std::uint32_t rows = window.read(at(offsetof(ocs_regs_t, CAP_SIZE))) >> 16;
  for (int bank = 0; bank < 2; ++bank) {
    for (std::uint32_t row = 0; row < rows; ++row) window.write(at(offsetof(ocs_regs_t, core.SEQ_STORE)), row);
    window.write(at(offsetof(ocs_regs_t, core.SEQ_GO)), 1);  // with no entries it exchanges the banks
    FabricClock& clock = device.clock();
    clock.run_until(clock.now() + Cycles{1});
  }
}

}  // namespace ocs
