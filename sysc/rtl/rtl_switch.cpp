// The compiled RTL as a module's body.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/rtl/rtl_switch.hpp"

#include "host/rtl/store.hpp"
#include "sysc/module/tlm_switch.hpp"
#include "sysc/rtl/rtl_body.hpp"

namespace ocs::sysc {
namespace {

rtl::Parameters parameters_of(const SwitchConfig& config) {
  check_config(config);
  rtl::Parameters parameters;
  parameters.ports = static_cast<int>(config.ports);
  parameters.fifo_depth = static_cast<int>(config.fifo_depth);
  return parameters;
}

}  // namespace

std::unique_ptr<Body> make_rtl_body(const SwitchConfig& config) {
  return std::make_unique<RtlBody>(config, rtl::compiled_switch(parameters_of(config))->make());
}

std::unique_ptr<Body> make_rtl_body(const SwitchConfig& config, rtl::Waveform& waveform) {
  return std::make_unique<RtlBody>(config, waveform.record(parameters_of(config)));
}

}  // namespace ocs::sysc
