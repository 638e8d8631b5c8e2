// What every switch above the driver refuses in the same words, whoever owns its registers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/core/switch.hpp"
#include "host/device/registers/register_switch_bus.hpp"
#include "host/device/registers/register_switch_mirror.hpp"

namespace ocs {

constexpr std::int64_t max_word = (std::int64_t{1} << 32) - 1;  ///< the largest number that a register holds

inline Refusal refused(const std::string& why) { return {why, std::nullopt}; }

/// The switch behind `bus`, for a member that others are built on. @throws Error (run) if there is none.
ocs_dev probed(DriverBus& bus);

/// @throws Error (input) for an option that is asked for and isn't there.
void check_modes(const ocs_dev& dev, bool all_stop, bool multicast);

/// Why a burst can't be given at all: its input, its length or its rate. How long it may wait is for the switch to say.
std::optional<Refusal> refusal_of(const Burst& burst, const ocs_dev& dev, const SwitchMirror& mirror);

/// Why nothing can be done to this output: it isn't there.
std::optional<Refusal> refusal_of_output(const ocs_dev& dev, Output output);

/// Why nothing can be wrong with this port at all: it isn't there, or the switch takes no injected faults.
std::optional<Refusal> refusal_of_faults(const ocs_dev& dev, std::uint16_t port);

/// Why the mirror of an output can't have such a fault.
std::optional<Refusal> refusal_of_mirror_fault(const ocs_dev& dev, Output output, MirrorFault fault, Cycles amount);

/// FAULT of a port in which these faults are there, or gone, and all others as in `before`.
constexpr std::uint32_t with_faults(std::uint32_t before, std::uint32_t faults, bool there) {
  return there ? before | faults : before & ~faults;
}

/// Bits of FAULT for a stuck mirror; none for a slow one, or one that flaps.
std::uint32_t fault_bits(MirrorFault fault);

/// Hundredths of a dBm at an output now; none: there is no light, or the switch has no option for power.
/// @throws Error (input) for an output that isn't there.
std::optional<int> read_power(DriverBus& bus, const ocs_dev& dev, Output output);

}  // namespace ocs
