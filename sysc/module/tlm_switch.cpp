// Checks the shape of a switch and makes the transaction-level body.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/module/tlm_switch.hpp"

#include <limits>
#include <string>

#include "host/core/error.hpp"
#include "sysc/module/tlm_body.hpp"

namespace ocs::sysc {
namespace {

void require(const char* what, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return;
  throw Error(ErrorKind::input, std::string("SystemC switch: ") + what + " is " + std::to_string(value) +
                                    ", but must be from " + std::to_string(least) + " to " + std::to_string(most));
}

std::uint64_t picoseconds(const SwitchConfig& config) {
  const std::uint64_t ps = sc_core::sc_time(1, sc_core::SC_PS).value();
  if (ps == 0 || config.cycle.value() % ps != 0)
    throw Error(ErrorKind::input, "SystemC switch: the cycle is " + config.cycle.to_string() +
                                      ", but must be a whole number of picoseconds");
  return config.cycle.value() / ps;
}

}  // namespace

void check_config(const SwitchConfig& config) {
  constexpr std::uint64_t field16 = std::numeric_limits<std::uint16_t>::max();
  require("ports", config.ports, 2, 256);
  require("fifo_depth", config.fifo_depth, 1, field16);
  require("word_bytes", config.word_bytes, 1, field16);
  require("cycle in picoseconds", picoseconds(config), 1, std::numeric_limits<std::uint32_t>::max());
  require("quantum in cycles", config.quantum, 0, std::uint64_t{1} << 40);
}

std::unique_ptr<Body> make_tlm_body(const SwitchConfig& config) {
  check_config(config);
  const Shown shown{config.word_bytes, static_cast<std::uint32_t>(picoseconds(config))};
  return std::make_unique<TlmBody>(config.ports, config.fifo_depth, shown);
}

}  // namespace ocs::sysc
