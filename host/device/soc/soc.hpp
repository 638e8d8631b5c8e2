// Device `soc`: the switch with a soft core that runs firmware/; commands go through its mailbox.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/core/device.hpp"
#include "host/device/soc/firmware_image.hpp"
#include "host/rtl/waveform.hpp"

namespace ocs {

/// rtl/soc/ocs_soc.sv with the switch's firmware, which has started; its time isn't 0 then. Through the bus a host can
/// look at all registers, and clear SEG_FULL.
/// @throws Error (input) for parameters out of range, or when words are to cross; Error (run) when it can't be compiled
/// or the firmware doesn't start.
std::unique_ptr<Device> make_soc(const DeviceConfig& config);

/// The same, recorded by `waveform`, which outlives it.
std::unique_ptr<Device> make_soc(const DeviceConfig& config, rtl::Waveform& waveform);

/// The same with another image.
std::unique_ptr<Device> make_soc(const DeviceConfig& config, const FirmwareImage& firmware);

}  // namespace ocs
