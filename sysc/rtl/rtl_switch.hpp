// The Verilated RTL as a SystemC module, with the sockets of TlmSwitch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "sysc/module/switch_module.hpp"

namespace ocs::sysc {

/// @throws ocs::Error (input) as make_tlm_body, and where the RTL of this size wasn't built: lists those that were.
std::unique_ptr<Body> make_rtl_body(const SwitchConfig& config);

bool rtl_available(std::size_t ports, std::size_t fifo_depth);
/// "4, 16": the numbers of ports that were built with this depth of the FIFO.
std::string rtl_sizes(std::size_t fifo_depth);

/// In place of TlmSwitch: the same switch, by its RTL.
class RtlSwitch : public SwitchModule {
 public:
  RtlSwitch(const sc_core::sc_module_name& name, const SwitchConfig& config) : SwitchModule(name, config.ports) {
    power_up(make_rtl_body(config), config);
  }
};

}  // namespace ocs::sysc
