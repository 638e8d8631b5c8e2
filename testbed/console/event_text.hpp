// Events of the switch as sentences.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/core/device.hpp"

namespace ocs::console {

/// Takes the next event: "cycle 1953  output 3 up". None: the FIFO is empty. @throws AccessRefused.
std::optional<std::string> take_event_text(RegisterBus& bus);

/// A number of cycles with the time that it means: "1953125 cycles, 10 ms".
std::string cycles_text(Cycles count, Picos cycle);

}  // namespace ocs::console
