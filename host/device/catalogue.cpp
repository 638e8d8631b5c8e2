// The catalogue of devices: one line each.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/catalogue.hpp"

#include <array>

#include "host/device/model.hpp"
#ifdef LIGHTLOOP_WITH_SOC
#include "host/device/soc.hpp"
#endif
#include "host/device/sysc.hpp"
#include "host/device/verilated.hpp"

namespace ocs {

std::span<const DeviceEntry> devices() {
  static constexpr auto catalogue = std::to_array<DeviceEntry>({
      {"model", "C++ model of the switch, any number of ports", make_model},
      {"verilated", "the RTL, compiled by Verilator", make_verilated},
      {"verilated_fast", "the RTL with the fast core, the same to the cycle", make_verilated_fast},
#ifdef LIGHTLOOP_WITH_SOC
      {"soc", "the RTL with a soft core that runs the switch's firmware; its time counts", make_soc},
#endif
      {"sysc", "SystemC model of the switch, any number of ports; one at a time in a process", make_sysc},
      {"sysc-rtl", "the RTL within SystemC; one at a time in a process", make_sysc_rtl},
  });
  return catalogue;
}

}  // namespace ocs
