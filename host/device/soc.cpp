// Picks the size of the system on chip that was built.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/soc.hpp"

#include "soc_sizes.hpp"

namespace ocs {
namespace {

const SocSize* find_size(int ports, int fifo_depth) {
  for (const SocSize& size : soc_sizes_built)
    if (size.ports == ports && size.fifo_depth == fifo_depth) return &size;
  return nullptr;
}

}  // namespace

std::unique_ptr<Device> make_soc(const DeviceConfig& config) { return make_soc(config, switch_firmware()); }

std::unique_ptr<Device> make_soc(const DeviceConfig& config, const FirmwareImage& firmware) {
  if (config.words)
    throw Error(ErrorKind::input, "device \"soc\" counts words but doesn't carry them; \"verilated_fast\" does");
  if (const SocSize* size = find_size(config.ports, config.fifo_depth)) return size->make(config, firmware);
  throw Error(ErrorKind::input, "device \"soc\" isn't built for " + std::to_string(config.ports) +
                                    " ports; there are " + soc_sizes(config.fifo_depth) +
                                    " (CMake variable LIGHTLOOP_SOC_SIZES), and device \"model\" takes any number");
}

bool soc_available(int ports, int fifo_depth) { return find_size(ports, fifo_depth) != nullptr; }

std::string soc_sizes(int fifo_depth) {
  std::string list;
  for (const SocSize& size : soc_sizes_built)
    if (size.fifo_depth == fifo_depth) list += (list.empty() ? "" : ", ") + std::to_string(size.ports);
  return list;
}

}  // namespace ocs
