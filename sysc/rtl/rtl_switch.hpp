// The compiled RTL as a SystemC module, with the sockets of TlmSwitch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/rtl/waveform.hpp"
#include "sysc/module/switch_module.hpp"

namespace ocs::sysc {

/// Compiled for this size when it is named for the first time (host/rtl/store.hpp).
/// @throws ocs::Error (input) as make_tlm_body; ocs::Error (run) where the RTL can't be compiled.
std::unique_ptr<Body> make_rtl_body(const SwitchConfig& config);

/// The same, recorded by `waveform`, which outlives it.
std::unique_ptr<Body> make_rtl_body(const SwitchConfig& config, rtl::Waveform& waveform);

/// In place of TlmSwitch: the same switch, by its RTL.
class RtlSwitch : public SwitchModule {
 public:
  RtlSwitch(const sc_core::sc_module_name& name, const SwitchConfig& config) : SwitchModule(name, config.ports) {
    power_up(make_rtl_body(config), config);
  }
};

}  // namespace ocs::sysc
