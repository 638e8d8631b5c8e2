// Loads the compiled system on chip and gives it its firmware.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/soc/soc.hpp"

#include "host/device/soc/soc_device.hpp"
#include "host/rtl/store.hpp"

namespace ocs {
namespace {

rtl::Parameters parameters_of(const DeviceConfig& config) {
  if (config.words)
    throw Error(ErrorKind::input, "device \"soc\" counts words but doesn't carry them; \"verilated\" does");
  rtl::Parameters parameters;
  parameters.core = rtl::Core::soc;
  parameters.ports = config.ports;
  parameters.fifo_depth = config.fifo_depth;
  return parameters;
}

}  // namespace

std::unique_ptr<Device> make_soc(const DeviceConfig& config) { return make_soc(config, switch_firmware()); }

std::unique_ptr<Device> make_soc(const DeviceConfig& config, const FirmwareImage& firmware) {
  return std::make_unique<SocDevice>(config, firmware, rtl::compiled_switch(parameters_of(config))->make());
}

std::unique_ptr<Device> make_soc(const DeviceConfig& config, rtl::Waveform& waveform) {
  return std::make_unique<SocDevice>(config, switch_firmware(), waveform.record(parameters_of(config)));
}

}  // namespace ocs
