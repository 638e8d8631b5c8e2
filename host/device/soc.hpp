// Device `soc`: the switch with a soft core that runs firmware/; commands go through its mailbox.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "host/core/device.hpp"
#include "host/device/firmware_image.hpp"

namespace ocs {

/// rtl/soc/ocs_soc.sv with the switch's firmware, which has started; its time isn't 0 then. Through the bus a host can
/// look at all registers, and clear SEG_FULL.
/// @throws Error (input) when it isn't built for config.ports and config.fifo_depth, or words are to cross; Error (run)
/// when the firmware doesn't start.
std::unique_ptr<Device> make_soc(const DeviceConfig& config);

/// The same with another image.
std::unique_ptr<Device> make_soc(const DeviceConfig& config, const FirmwareImage& firmware);

/// Whether it was built for this size (CMake variable LIGHTLOOP_SOC_SIZES), and the sizes there are: "4, 16, 64".
bool soc_available(int ports, int fifo_depth);
std::string soc_sizes(int fifo_depth);

}  // namespace ocs
