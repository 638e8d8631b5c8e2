// Single fields of the register window, by name: what `write` and `read` of a program do on the bus.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "host/conformance/program.hpp"
#include "host/core/device.hpp"

namespace ocs::conformance {

/// Carries out one `write`. @returns false if the device refused any of its accesses; what follows it is left out.
bool write_register(RegisterBus& bus, int ports, const Op& op);

/// Carries out one `read`. @returns the value as programs state it; nothing if the device refused.
std::optional<nlohmann::json> read_register(RegisterBus& bus, int ports, const Op& op);

/// A 64-bit register: low word, then high word. @throws AccessRefused.
std::uint64_t read_wide(RegisterBus& bus, std::uint32_t address);

/// What one read of EVENT gave.
struct Taken {
  std::optional<LoggedEvent> event;
  bool well_formed =
      true;  ///< NEW_STAMP is set exactly if EVENT_TIME changed; an empty FIFO gives 0 and changes nothing
};
Taken take_event(RegisterBus& bus);

}  // namespace ocs::conformance
