// The switches of a run, one a plane: devices and drivers, what watches them, and what they count.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/controller/event_hash.hpp"
#include "host/controller/planes/plane_events.hpp"
#include "host/core/device.hpp"
#include "host/device/switches.hpp"
#include "host/rtl/waveform.hpp"
#include "testbed/engine/profile.hpp"
#include "testbed/engine/watched_switch.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {

/// What the switches are; they are alike.
struct FabricSpec {
  std::string device;  ///< of the catalogue, with its place
  std::size_t planes = 1;
  DeviceConfig config;  ///< `stopwatch` is the profile's
  SwitchConfig plane;
};

/// Who sees what the switches do; all may be left out, and outlives the fabric.
struct FabricHooks {
  Profile* profile = nullptr;
  std::function<void()> pause{};                 ///< as WatchedSwitch, for a device without time-warp
  std::function<void(const Event&)> on_event{};  ///< the events of all planes, in the order of their hash
  std::function<void(Device&, std::size_t plane)> on_device{};  ///< each device before it is driven
  std::vector<OutputWatcher*> watchers{};                       ///< of every plane
  std::function<OutputWatcher*(std::size_t plane)> watcher{};   ///< one more of each plane, or nullptr
  std::function<rtl::Waveform*(std::size_t plane)> waveform{};  ///< records the device of each plane, or nullptr
};

/// Makes the hardware of every run.
class Fabric {
 public:
  /// @throws Error (input) when a device can't be built so.
  Fabric(const FabricSpec& spec, FabricHooks hooks);
  ~Fabric();

  std::size_t planes() const { return planes_.size(); }
  /// For one driver, which hands its events to log(plane).
  Switch& plane(std::size_t number);
  std::function<void(const Event&)> log(std::size_t plane);
  /// All planes have been brought to the same cycle.
  void settled() { events_.flush(); }

  /// The switch's time goes on while the host works.
  bool has_own_clock();
  /// Adds what the switches have counted: sums over the planes; cycles are those of one. Call it once, at the end.
  void add_to(Row& row);

 private:
  struct One;
  void make_one(const FabricSpec& spec);
  void add_commands(Row& row) const;
  bool exact();

  FabricHooks hooks_;
  EventHash hash_;
  PlaneEvents events_;
  CommandTimes commands_;
  std::vector<std::unique_ptr<One>> planes_;
};

}  // namespace ocs
