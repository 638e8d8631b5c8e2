// Picks the Verilated size that was built.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/verilated.hpp"

#include "verilated_sizes.hpp"

namespace ocs {

std::unique_ptr<Device> make_verilated(const DeviceConfig& config) {
  for (const VerilatedSize& size : verilated_table)
    if (size.ports == config.ports && size.fifo_depth == config.fifo_depth) return size.make(config);
  throw Error(ErrorKind::input, "device \"verilated\" isn't built for " + std::to_string(config.ports) +
                                    " ports; there are " + verilated_sizes(config.fifo_depth) +
                                    " (CMake variable LIGHTLOOP_SIZES), and device \"model\" takes any number");
}

bool verilated_available(int ports, int fifo_depth) {
  for (const VerilatedSize& size : verilated_table)
    if (size.ports == ports && size.fifo_depth == fifo_depth) return true;
  return false;
}

std::string verilated_sizes(int fifo_depth) {
  std::string list;
  for (const VerilatedSize& size : verilated_table)
    if (size.fifo_depth == fifo_depth) list += (list.empty() ? "" : ", ") + std::to_string(size.ports);
  return list;
}

}  // namespace ocs
