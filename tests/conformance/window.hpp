// What a device answers at addresses of its register window, those without a register among them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/core/device.hpp"

namespace ocs::conformance {

/// What each of these addresses answers to a read: its value; none: the read is refused.
std::vector<std::optional<std::uint32_t>> answers(RegisterBus& bus, const std::vector<std::uint32_t>& addresses);

/// Those of these addresses that refuse the write of this value.
std::vector<std::uint32_t> refused_writes(RegisterBus& bus, const std::vector<std::uint32_t>& addresses,
                                          std::uint32_t value);

/// Of each register the address of its first entry and those that differ from it in one bit.
std::vector<std::uint32_t> near_registers();

}  // namespace ocs::conformance
