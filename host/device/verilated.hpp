// Devices `verilated` and `verilated_fast`: the RTL, compiled by Verilator.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "host/core/device.hpp"

namespace ocs {

/// The switch of rtl/ocs_top.sv behind its AXI4-Lite port; every access is one bus edge.
/// @throws Error (input) when no RTL was built for config.ports and config.fifo_depth: lists the sizes there are.
std::unique_ptr<Device> make_verilated(const DeviceConfig& config);

/// The same switch with the fast core (rtl/fast): harder to read, and held against the other by tests/conformance.
/// With config.words, words of 512 bits really cross it, and every bit of them is compared
/// (host/device/word_bench.hpp).
/// @throws Error (input) as above; Error (run), while it runs, when a word doesn't arrive as it was given.
std::unique_ptr<Device> make_verilated_fast(const DeviceConfig& config);

/// Whether the RTL was built for this size (CMake variables LIGHTLOOP_SIZES, LIGHTLOOP_FAST_SIZES and
/// LIGHTLOOP_WORD_SIZES).
bool verilated_available(int ports, int fifo_depth);
bool verilated_fast_available(int ports, int fifo_depth);
bool verilated_words_available(int ports, int fifo_depth);

/// "2, 3, 4, 5, 8, 16, 32, 64": the numbers of ports that were built with this FIFO depth.
std::string verilated_sizes(int fifo_depth);
std::string verilated_fast_sizes(int fifo_depth);
std::string verilated_words_sizes(int fifo_depth);

}  // namespace ocs
