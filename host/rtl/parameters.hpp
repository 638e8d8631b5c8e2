// Which switch an object holds: the parameters of the RTL and the name that follows from them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ocs::rtl {

enum class Core : std::uint8_t {
  counter,  ///< rtl/ocs_top.sv
  fast,     ///< rtl/fast/ocs_fast_top.sv
  soc,      ///< rtl/soc/ocs_soc.sv
};

/// Elaboration parameters, with the ranges that the RTL checks, and what is compiled in beside the switch.
struct Parameters {
  Core core = Core::counter;
  int ports = 16;              ///< N, 2 to 256
  int fifo_depth = 64;         ///< records of the event FIFO, a power of two from 2 to 4096
  int sequencer_entries = 16;  ///< of a bank, a power of two from 2 to 32768
  int options = 4095;          ///< bits of CAP_OPTIONS, 0 to 4095; a soc has all of them
  int lanes = 0;               ///< 64-bit lanes of words that cross, 0 to 64; only the fast core has any
  bool short_cycle = false;    ///< rtl/skew/ocs_skew_top.sv, as on an FPGA: in stages, edges of one cycle or none
  bool checks = false;         ///< assertions of rtl/checks bound to every module; only the counter core has them
  bool waves = false;          ///< waveforms can be written (FST)
  bool coverage = false;       ///< counts of lines, toggles and cover points, for tools/coverage

  bool operator==(const Parameters&) const = default;
};

/// @throws Error (input) that names the first parameter out of range, its value, and what is allowed.
void check(const Parameters& parameters);

/// "fast-136", "counter-4-f4-checks-waves": the core, the ports, then what differs from the default.
std::string name_of(const Parameters& parameters);

/// The inverse of name_of. @throws Error (input) for anything that name_of does not write.
Parameters parameters_of(std::string_view name);

/// "counter", "fast" or "soc".
std::string_view name_of(Core core);

}  // namespace ocs::rtl
