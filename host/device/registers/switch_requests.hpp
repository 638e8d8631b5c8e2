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

}  // namespace ocs
