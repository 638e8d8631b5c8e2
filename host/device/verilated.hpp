// Devices `verilated` and `verilated_fast`: the RTL, compiled by Verilator.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/core/device.hpp"
#include "host/rtl/waveform.hpp"

namespace ocs {

/// The switch of rtl/ocs_top.sv behind its AXI4-Lite port; every access is one bus edge. It is compiled for
/// config.ports and config.fifo_depth when they are named for the first time (host/rtl/store.hpp).
/// @throws Error (input) for parameters out of range; Error (run) when it can't be compiled.
std::unique_ptr<Device> make_verilated(const DeviceConfig& config);

/// The same switch with the fast core (rtl/fast): harder to read, and held against the other by
/// tests/conformance. With config.words, words of 512 bits really cross it, and every bit of them
/// is compared (host/device/word_bench.hpp).
/// @throws Error as above; Error (run), while it runs, when a word doesn't arrive as it was given.
std::unique_ptr<Device> make_verilated_fast(const DeviceConfig& config);

/// The same, recorded by `waveform`, which outlives them.
std::unique_ptr<Device> make_verilated(const DeviceConfig& config, rtl::Waveform& waveform);
std::unique_ptr<Device> make_verilated_fast(const DeviceConfig& config, rtl::Waveform& waveform);

}  // namespace ocs
