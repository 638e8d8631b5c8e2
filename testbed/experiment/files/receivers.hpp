// Receivers that lock by what they last received: what an experiment says, and in cycles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/core/delays.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// "warm for 20 us: 0 ns, 40 ns; cold: 1 us, 2 us, 4 us, 9 us": locking takes one of two times longer where the output
/// last received from this input less than 20 us ago, else one of four; each is as likely as the others. Without its
/// times, "warm for 20 us; ...", a warm receiver takes no longer; without "warm", none is warm. Empty: all lock alike.
/// @throws Error with half a sentence: "must be ...", also for a list that falls or doesn't have 1, 2, 4, 8 or 16 times.
std::optional<ReceiverTimes> parse_receivers(std::string_view text);

/// What parse_receivers() reads: without the part of warm ones if none ever is.
std::string to_text(const ReceiverTimes& times);

/// Each time rounded up; of 16 points every time gets as many as every other.
/// @throws Error with half a sentence, if one doesn't fit the switch: 2^30 - 1 cycles.
Receivers receivers_in_cycles(const ReceiverTimes& times, Picos cycle);

}  // namespace ocs
