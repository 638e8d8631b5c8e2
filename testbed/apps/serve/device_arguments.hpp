// The device that a command works on: its name and how it is to be built and set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "host/core/delays.hpp"
#include "host/core/device.hpp"
#include "host/rtl/waveform.hpp"
#include "testbed/apps/commands.hpp"

namespace ocs {

/// DEVICE and the options that go with it.
struct DeviceArguments {
  std::string device, rate = "100 Gbit/s", word = "64 B", switch_name, tuning, locking;
  int ports = 16, fifo_depth = 64;
  bool every_cycle = false;

  void add_to(CLI::App& command, bool required = true);
  /// @throws Error (input): no such device, or it can't be built so.
  DeviceConfig config() const;
  /// The delays that --switch, --tuning and --locking give; without them 0 everywhere.
  SwitchDelays delays(const Environment& environment) const;
  /// Makes a device that is as after power-up, with the delays set.
  /// @param waveform records it, if it is not nullptr.
  std::unique_ptr<Device> make_device(const Environment& environment, rtl::Waveform* waveform = nullptr) const;
};

}  // namespace ocs
