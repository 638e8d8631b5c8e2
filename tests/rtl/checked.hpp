// The verilated device with checks bound to every module of the RTL, for tests: a check that fails ends the access or
// the run with an Error. It can write a waveform.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "host/core/device.hpp"

namespace ocs {

/// As make_verilated; the device throws Error (run) when a check fails, whose name is on the standard output.
std::unique_ptr<Device> make_checked(const DeviceConfig& config);

/// Writes all signals to the FST file `waveform`, too: one time step an edge of the fabric clock;
/// `time_o` is the cycle.
std::unique_ptr<Device> make_traced(const DeviceConfig& config, const std::string& waveform);

/// Whether this size was built ahead (CMake variable LIGHTLOOP_TEST_SWITCHES); others are built when they are made.
bool checked_available(int ports, int fifo_depth);

/// Where the waveform of a failure called `name` goes: LIGHTLOOP_TRACE/name.fst, by default in the build tree's folder
/// traces, which is made; none if LIGHTLOOP_TRACE is "off".
std::optional<std::string> waveform_of(const std::string& name);

}  // namespace ocs
