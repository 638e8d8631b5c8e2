// Forwards every access and remembers it.
// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/spy_device.hpp"

#include <algorithm>

#include "rtl/regs/generated/ocs_regs.h"

namespace ocs::test {

std::uint32_t SpyDevice::read(std::uint32_t address) {
  const std::uint32_t value = device_->bus().read(address);
  const bool version = old_map && address == offsetof(ocs_regs_t, VERSION);
  const std::uint32_t told = lie ? lie(address, value) : version ? 1u << OCS_REGS__VERSION__MAJOR_bp | 4u : value;
  accesses.push_back({false, address, told});
  return told;
}

void SpyDevice::write(std::uint32_t address, std::uint32_t value) {
  accesses.push_back({true, address, value});
  device_->bus().write(address, value);
}

std::size_t SpyDevice::writes() const {
  return static_cast<std::size_t>(
      std::count_if(accesses.begin(), accesses.end(), [](const Access& access) { return access.write; }));
}

}  // namespace ocs::test
