// Switches with known delays of every pair, and findings made by hand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "host/device/catalogue.hpp"
#include "host/device/registers/register_switch.hpp"
#include "testbed/characterize/measure.hpp"
#include "testbed/experiment/files/switch_profile.hpp"

namespace ocs::test {

inline constexpr Picos cycle{5120};

/// Tuning that tells the pair: 100 + 10 * out + in cycles.
inline Cycles known_tuning(int in, int out) { return Cycles{100 + 10 * out + in}; }
/// Locking that tells the output; 0 at output 0.
inline Cycles known_locking(int out) { return Cycles{out * 3}; }

inline SwitchDelays known_delays(int ports) {
  SwitchDelays config;
  for (int in = 0; in < ports; ++in)
    for (int out = 0; out < ports; ++out) config.pair_tuning.push_back(known_tuning(in, out));
  for (int out = 0; out < ports; ++out) config.output_locking.push_back(known_locking(out));
  return config;
}

/// A device and the driver on it.
struct Live {
  explicit Live(const std::string& name, int ports, const SwitchDelays& delays)
      : device(make(devices(), name, "device", DeviceConfig{.ports = ports, .cycle = cycle})),
        plane(make_register_switch(*device, {.delays = delays})) {}
  std::unique_ptr<Device> device;
  std::unique_ptr<Switch> plane;
};

inline characterize::Findings findings_of(std::vector<characterize::CircuitSetUp> set_ups, int ports = 2,
                                          Picos resolution = {}) {
  return {.subject = "it", .ports = ports, .cycle = resolution, .set_ups = std::move(set_ups)};
}

inline characterize::CircuitSetUp set_up(std::uint16_t out, std::uint16_t in, std::int64_t tuning,
                                         std::int64_t locking = 0) {
  return {.out = out,
          .in = in,
          .from = characterize::From::idle,
          .at = {},
          .tuning = {tuning},
          .locking = {locking},
          .up = true};
}

}  // namespace ocs::test
