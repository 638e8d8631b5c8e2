// What the firmware's commands take, as text, CSV and a picture.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "host/device/soc/firmware_latency.hpp"

namespace ocs::characterize {

/// A table: command, how many, core cycles and time to commit and to answer.
std::string firmware_text(std::span<const FirmwareLatency> latencies, Picos cycle, int ports);
/// The same, a line each: command,count,commit_cycles,answer_cycles,commit_ps,answer_ps.
std::string firmware_csv(std::span<const FirmwareLatency> latencies, Picos cycle);
/// Core cycles over the number of outputs, a line for maps (to commit) and one for states (to answer).
std::string firmware_svg(std::span<const FirmwareLatency> latencies, Picos cycle);

}  // namespace ocs::characterize
