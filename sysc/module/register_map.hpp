// What a module has to know of the register map before it asks its body.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ocs_regs.h"

namespace ocs::sysc {

/// One half of 64 bits, the high one at addresses with bit 2: the read of a low word latches the high one.
constexpr bool is_wide(std::uint32_t address) {
  constexpr std::size_t core = offsetof(ocs_regs_t, core), core_end = offsetof(ocs_regs_t, core.EVENT);
  constexpr std::size_t counters = offsetof(ocs_regs_t, port.PASSED);
  constexpr std::size_t counters_end = offsetof(ocs_regs_t, port) + sizeof(ocs_regs__port_t);
  return (address >= core && address < core_end) || (address >= counters && address < counters_end);
}

/// Whether a switch of so many ports has a register there.
constexpr bool is_register(std::uint32_t address, std::size_t ports) {
  constexpr std::size_t device_end = offsetof(ocs_regs_t, PROG_LANES) + sizeof(std::uint32_t);
  constexpr std::size_t core = offsetof(ocs_regs_t, core), masks = offsetof(ocs_regs_t, core.START);
  constexpr std::size_t commands_end = offsetof(ocs_regs_t, core.SEQ_STOP) + sizeof(std::uint32_t);
  constexpr std::size_t core_end = core + sizeof(ocs_regs__core_t), mask_bytes = sizeof(ocs_regs__core_t::START);
  constexpr std::size_t port = offsetof(ocs_regs_t, port), port_end = port + sizeof(ocs_regs__port_t);
  constexpr std::size_t row = sizeof(ocs_regs__port_t::SHADOW), wide_row = sizeof(ocs_regs__port_t::PASSED);
  constexpr std::size_t counters = offsetof(ocs_regs_t, port.PASSED);
  constexpr std::size_t pair = offsetof(ocs_regs_t, PAIR), pair_end = pair + sizeof(ocs_regs__PAIR_t);
  if (address < device_end) return true;
  if (address >= core && address < commands_end) return true;
  if (address >= masks && address < core_end) return 8 * ((address - masks) % mask_bytes / 4 * 4) < ports;
  if (address >= port && address < counters) return (address - port) % row / 4 < ports;
  if (address >= counters && address < port_end) return (address - counters) % wide_row / 8 < ports;
  if (address < pair || address >= pair_end) return false;
  return (address - pair) / row < ports && (address - pair) % row / 4 < ports;
}

}  // namespace ocs::sysc
