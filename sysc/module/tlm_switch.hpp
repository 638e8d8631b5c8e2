// The transaction-level model of the switch as a SystemC module: what a virtual platform instantiates.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sysc/module/switch_module.hpp"

namespace ocs::sysc {

/// @throws ocs::Error (input) where `config` is out of the ranges of SwitchConfig.
std::unique_ptr<Body> make_tlm_body(const SwitchConfig& config);

/// A switch whose behaviour is described from the contract, event by event. RtlSwitch is the same
/// module with the RTL in it.
class TlmSwitch : public SwitchModule {
 public:
  /// @throws as make_tlm_body.
  TlmSwitch(const sc_core::sc_module_name& name, const SwitchConfig& config) : SwitchModule(name, config.ports) {
    power_up(make_tlm_body(config), config);
  }
};

/// Holds a shape to its ranges. @throws ocs::Error (input).
void check_config(const SwitchConfig& config);

}  // namespace ocs::sysc
