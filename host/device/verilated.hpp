// Devices `verilated` and `verilated_counter`: the RTL with either core, compiled by Verilator.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/core/device.hpp"
#include "host/rtl/waveform.hpp"

namespace ocs {

/// The core of make_verilated: the fast one, but for words that are only counted on RTL of the user's own
/// (LIGHTLOOP_RTL), which has an ocs_top.
rtl::Core usual_core(bool words);

/// The switch with the fast core (rtl/fast/ocs_fast_top.sv) behind its AXI4-Lite port; every access is one bus edge. It
/// is compiled for config.ports and config.fifo_depth when they are named for the first time (host/rtl/store.hpp). With
/// config.words, words of 512 bits really cross it, and every bit of them is compared (host/device/word_bench.hpp).
/// @throws Error (input) for parameters out of range; Error (run) when it can't be compiled, and, while it runs, when a
/// word doesn't arrive as it was given.
std::unique_ptr<Device> make_verilated(const DeviceConfig& config);

/// The switch of rtl/ocs_top.sv, counter style: easier to read and slower; the specification of the fast core, which is
/// proved to do the same (docs/proofs.md). It counts words but carries none. @throws Error as above.
std::unique_ptr<Device> make_verilated_counter(const DeviceConfig& config);

/// The same, recorded by `waveform`, which outlives them.
std::unique_ptr<Device> make_verilated(const DeviceConfig& config, rtl::Waveform& waveform);
std::unique_ptr<Device> make_verilated_counter(const DeviceConfig& config, rtl::Waveform& waveform);

}  // namespace ocs
