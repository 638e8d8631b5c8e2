// The devices that an experiment can name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "host/core/catalogue.hpp"
#include "host/core/device.hpp"
#include "host/rtl/parameters.hpp"
#include "host/rtl/waveform.hpp"

namespace ocs {

/// What sets a device apart from others. Code that has to know asks for the trait, not for the name.
struct DeviceTraits {
  bool somewhere = false;              ///< hardware, named with where it is: "mapped:/dev/uio0"; one switch
  bool words_cross = false;            ///< it has a data path: words of 512 bits can be supplied and compared
  bool one_in_a_process = false;       ///< a process holds one of it at a time
  bool timetables = true;              ///< a burst can be started while the one before it on its input goes on
  std::optional<rtl::Core> core = {};  ///< it needs a switch compiled with this core; none: it has any number of ports
};

struct DeviceEntry {
  std::string_view name, summary;
  std::unique_ptr<Device> (*make)(const DeviceConfig&);
  DeviceTraits traits = {};
  /// The same with its RTL recorded by `waveform`, which outlives it; nullptr: no RTL runs in this process.
  std::unique_ptr<Device> (*make_recorded)(const DeviceConfig&, rtl::Waveform& waveform) = nullptr;
};

/// All devices.
std::span<const DeviceEntry> devices();

/// The traits of device `name`, or `name:place`. A name that is not in the catalogue has the default traits.
DeviceTraits device_traits(std::string_view name);

/// The core that the device's switch is compiled with: its trait, or, with RTL of the user's own, that of
/// make_verilated.
/// @param words words of 512 bits really cross
std::optional<rtl::Core> core_of(std::string_view name, bool words);

/// What "%d" in the place of hardware stands for: the number of the plane whose switch it is.
std::string device_of_plane(std::string_view name, std::size_t plane);
/// Each plane has a place of its own.
bool names_each_plane(std::string_view name);

/// Elaboration parameters of the device that is called `name:place`, as it says them; nothing in it is changed.
/// @throws Error as make_device, also for one that isn't somewhere: it is made as it is configured.
DeviceConfig look_at_device(std::string_view name);

/// Makes the device that is called `name`, or `name:place`. @throws Error (input) for an unknown name, a place that is
/// missing or too much, or what the device itself refuses.
std::unique_ptr<Device> make_device(std::string_view name, DeviceConfig config);

/// The same, recorded. @param waveform as in DeviceEntry; nullptr: not recorded. @throws Error (input) also for a device
/// that has no waveform.
std::unique_ptr<Device> make_device(std::string_view name, DeviceConfig config, rtl::Waveform* waveform);

/// @throws Error (input) for a device that has no waveform: a sentence that begins with `origin`, such as an option.
void check_has_waveform(std::string_view name, const std::string& origin);

}  // namespace ocs
