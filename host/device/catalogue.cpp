// The catalogue of devices: one line each.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/catalogue.hpp"

#include <array>

#include "host/device/model.hpp"
#include "host/device/verilated.hpp"

namespace ocs {

std::span<const DeviceEntry> devices() {
  static constexpr std::array<DeviceEntry, 3> catalogue{{
      {"model", "C++ model of the switch, any number of ports", make_model},
      {"verilated", "the RTL, compiled by Verilator", make_verilated},
      {"verilated_fast", "the RTL with the fast core, the same to the cycle", make_verilated_fast},
  }};
  return catalogue;
}

}  // namespace ocs
