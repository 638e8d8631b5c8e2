// Names for places in the generated register map.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ocs_regs.h"

namespace ocs::sysc::place {

inline constexpr std::uint32_t core_first = offsetof(ocs_regs_t, core);
inline constexpr std::uint32_t core_end = core_first + sizeof(ocs_regs__core_t);
inline constexpr std::uint32_t masks_first = offsetof(ocs_regs__core_t, START);
inline constexpr std::uint32_t mask_bytes = sizeof(ocs_regs__core_t::START);
inline constexpr std::uint32_t masks_end = offsetof(ocs_regs__core_t, SEQ_LAUNCH) + mask_bytes;
/// CHANGED and ENDED, masks as well.
inline constexpr std::uint32_t reported_first = offsetof(ocs_regs__core_t, CHANGED);
inline constexpr std::uint32_t port_first = offsetof(ocs_regs_t, port);
inline constexpr std::uint32_t port_end = port_first + sizeof(ocs_regs__port_t);
inline constexpr std::uint32_t row_bytes = sizeof(ocs_regs__port_t::SHADOW);
inline constexpr std::uint32_t counters_first = offsetof(ocs_regs__port_t, PASSED);
inline constexpr std::uint32_t counter_row_bytes = sizeof(ocs_regs__port_t::PASSED);
inline constexpr std::uint32_t optics_first = offsetof(ocs_regs_t, optics);
inline constexpr std::uint32_t optics_end = optics_first + sizeof(ocs_regs__optics_t);
inline constexpr std::uint32_t settings_first = offsetof(ocs_regs__optics_t, LASER);  ///< in the optics registers
inline constexpr std::uint32_t pair_first = offsetof(ocs_regs_t, PAIR);
inline constexpr std::uint32_t pair_end = pair_first + sizeof(ocs_regs__PAIR_t);
inline constexpr std::uint32_t max_ports = row_bytes / 4;

inline constexpr std::uint32_t cycles30 = OCS_REGS__PORT__BASEX__VALUE_bm;

/// Number of a per-port array of 32 bits, by its offset in the port registers.
constexpr std::uint32_t row(std::size_t offset) { return static_cast<std::uint32_t>(offset) / row_bytes; }
/// The same of an array of 64 bits.
constexpr std::uint32_t counter_row(std::size_t offset) {
  return (static_cast<std::uint32_t>(offset) - counters_first) / counter_row_bytes;
}

}  // namespace ocs::sysc::place
