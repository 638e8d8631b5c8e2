// Fills the sequencer through the driver.
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/workload.hpp"

#include <algorithm>
#include <vector>

#include "host/device/catalogue.hpp"
#include "host/device/registers/register_switch_bus.hpp"

namespace ocs::bench {

Busy::Busy(const std::string& device, int ports, bool time_warp, const Workload& workload, bool words) : ports_(ports) {
  DeviceConfig config;
  config.ports = ports;
  config.time_warp = time_warp;
  config.words = words;
  device_ = make(devices(), device, "device", config);
  DriverBus bus(device_->bus());
  ocs_dev dev{};
  bus.check(ocs_probe(&dev, bus.c()));
  const std::int64_t last = (ports - 1) * workload.apart;
  slot_ = workload.tuning + last + workload.data + 2;
  for (int p = 0; p < ports; ++p) {
    const auto port = static_cast<std::uint16_t>(p);
    bus.check(ocs_set_delays(&dev, port, static_cast<std::uint32_t>(workload.tuning + p * workload.apart), 0));
    const ocs_burst burst{.length = static_cast<std::uint32_t>(workload.data - p * workload.apart / 2),
                          .gap = static_cast<std::uint32_t>(workload.tuning + last),
                          .repeat = 0,
                          .tag = 1,
                          .gated = false};
    bus.check(ocs_burst_set(&dev, port, &burst, nullptr));
  }
  std::vector<std::uint32_t> all(static_cast<std::size_t>((ports + 31) / 32), 0xffffffffu);
  if (ports % 32 != 0) all.back() = (1u << (ports % 32)) - 1;
  const int entries = std::min<int>(ports, dev.seq_entries);
  for (int e = 0; e < entries; ++e) {
    for (int o = 0; o < ports; ++o)
      bus.check(ocs_shadow_set(&dev, static_cast<std::uint16_t>(o), static_cast<std::uint16_t>((o + e + 1) % ports)));
    bus.check(ocs_seq_store(&dev, static_cast<std::uint16_t>(e), static_cast<std::uint32_t>(e * slot_), all.data()));
  }
  bus.check(ocs_seq_go(&dev, 10, static_cast<std::uint16_t>(entries), static_cast<std::uint32_t>(entries * slot_)));
}

std::int64_t Busy::passed() {
  DriverBus bus(device_->bus());
  ocs_dev dev{};
  bus.check(ocs_probe(&dev, bus.c()));
  std::int64_t words = 0;
  for (int p = 0; p < ports_; ++p) {
    std::uint64_t count = 0;
    bus.check(ocs_counter(&dev, OCS_PASSED, static_cast<std::uint16_t>(p), &count));
    words += static_cast<std::int64_t>(count);
  }
  return words;
}

}  // namespace ocs::bench
