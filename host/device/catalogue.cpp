// The catalogue of devices: one line each.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/catalogue.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "host/device/board/mapped.hpp"
#include "host/device/model/model.hpp"
#include "host/device/registers/switch_requests.hpp"
#ifdef LIGHTLOOP_WITH_SOC
#include "host/device/soc/soc.hpp"
#endif
#include "host/device/board/uart.hpp"
#include "host/device/sysc.hpp"
#include "host/device/verilated.hpp"

namespace ocs {

std::span<const DeviceEntry> devices() {
  static constexpr auto catalogue = std::to_array<DeviceEntry>({
      {"model", "C++ model of the switch, any number of ports", make_model},
      {"verilated",
       "the RTL, compiled by Verilator: the fast core",
       make_verilated,
       {.words_cross = true, .core = rtl::Core::fast},
       make_verilated},
      {"verilated_counter",
       "the RTL in counter style, which the fast core is proved to equal; slower",
       make_verilated_counter,
       {.core = rtl::Core::counter},
       make_verilated_counter},
#ifdef LIGHTLOOP_WITH_SOC
      {"soc",
       "the RTL with a soft core that runs the switch's firmware; its time counts",
       make_soc,
       {.timetables = false, .core = rtl::Core::soc},
       make_soc},
#endif
      {"sysc",
       "SystemC model of the switch, any number of ports; one at a time in a process",
       make_sysc,
       {.one_in_a_process = true}},
      {"sysc-rtl",
       "the RTL within SystemC; one at a time in a process",
       make_sysc_rtl,
       {.one_in_a_process = true, .core = rtl::Core::counter},
       make_sysc_rtl},
      {"mapped",
       "registers in memory, \"mapped:PATH\": a UIO device, a PCIe resource, or what `lightloop serve` serves",
       make_mapped,
       {.somewhere = true}},
      {"uart",
       "registers behind a serial line, \"uart:PATH\" or \"uart:PATH@BAUD\": UARTBone",
       make_uart,
       {.somewhere = true}},
      {"verilated_fast",
       "another name of verilated, in experiments of before",
       make_verilated,
       {.words_cross = true, .core = rtl::Core::fast},
       make_verilated},
  });
  return catalogue;
}

DeviceTraits device_traits(std::string_view name) {
  const auto found = std::ranges::find(devices(), name.substr(0, name.find(':')), &DeviceEntry::name);
  return found == devices().end() ? DeviceTraits{} : found->traits;
}

std::optional<rtl::Core> core_of(std::string_view name, bool words) {
  const std::optional<rtl::Core> core = device_traits(name).core;
  return core == rtl::Core::fast ? usual_core(words) : core;
}

namespace {

constexpr std::string_view plane_mark = "%d";

}  // namespace

bool names_each_plane(std::string_view name) {
  return device_traits(name).somewhere && name.find(plane_mark) != std::string_view::npos;
}

std::string device_of_plane(std::string_view name, std::size_t plane) {
  std::string one(name);
  if (names_each_plane(name)) one.replace(one.find(plane_mark), plane_mark.size(), std::to_string(plane));
  return one;
}

DeviceConfig look_at_device(std::string_view name) {
  if (!device_traits(name).somewhere)
    throw Error(ErrorKind::input,
                "device \"" + std::string(name) + "\" reports no rate; only hardware does: mapped:PATH and uart:PATH");
  DeviceConfig config;
  config.ports = 0;
  const auto device = make_device(device_of_plane(name, 0), config);
  DriverBus bus(device->bus());
  const ocs_dev dev = probed(bus);
  config.ports = dev.ports;
  config.fifo_depth = dev.fifo_depth;
  config.word_bytes = dev.word_bytes;
  config.cycle = {dev.cycle_ps};
  return config;
}

std::unique_ptr<Device> make_device(std::string_view name, DeviceConfig config) {
  return make_device(name, std::move(config), nullptr);
}

std::unique_ptr<Device> make_device(std::string_view name, DeviceConfig config, rtl::Waveform* waveform) {
  const std::size_t colon = name.find(':');
  const DeviceEntry& entry = find(devices(), name.substr(0, colon), "device");
  if (colon != std::string_view::npos) config.place = name.substr(colon + 1);
  if (entry.traits.somewhere != (colon != std::string_view::npos && !config.place.empty()))
    throw Error(ErrorKind::input,
                "device \"" + std::string(name) + "\" must be " +
                    (entry.traits.somewhere ? "followed by where it is: \"" + std::string(entry.name) + ":PATH\""
                                            : "\"" + std::string(entry.name) + "\", without a colon and a path"));
  if (waveform == nullptr) return entry.make(config);
  check_has_waveform(name, "a waveform");
  return entry.make_recorded(config, *waveform);
}

void check_has_waveform(std::string_view name, const std::string& origin) {
  if (find(devices(), name.substr(0, name.find(':')), "device").make_recorded != nullptr) return;
  std::string with;
  for (const DeviceEntry& entry : devices())
    if (entry.make_recorded != nullptr) with += (with.empty() ? "" : ", ") + std::string(entry.name);
  refuse(origin + " shows the signals of RTL, but device \"" + std::string(name) +
         "\" runs none in this program; these do: " + with);
}

}  // namespace ocs
