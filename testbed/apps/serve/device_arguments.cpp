// From text to a device.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/serve/device_arguments.hpp"

#include <algorithm>

#include "host/device/catalogue.hpp"
#include "host/device/registers/switch_delays.hpp"
#include "testbed/apps/run/experiment_arguments.hpp"
#include "testbed/apps/run/unknown_name.hpp"
#include "testbed/experiment/files/switch_profile.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

std::int64_t quantity(const char* option, const std::string& text, Dimension dimension) {
  try {
    return parse_quantity(text, dimension);
  } catch (const Error& failure) {
    throw Error(ErrorKind::input, std::string(option) + " is " + in_quotes(text) + ", but " + failure.what());
  }
}

/// The options as an experiment would state them, so that the same rules hold.
FabricSettings fabric_of(const DeviceArguments& arguments) {
  FabricSettings fabric;
  fabric.device = arguments.device;
  fabric.ports = arguments.ports;
  fabric.rate_bps = quantity("--rate", arguments.rate, Dimension::rate);
  fabric.word = {quantity("--word", arguments.word, Dimension::size)};
  if (fabric.rate_bps < 1) throw Error(ErrorKind::input, "--rate must be more than 0 bit/s");
  if (fabric.word.n < 1 || fabric.word.n > 32768)
    throw Error(ErrorKind::input, "--word is " + in_quotes(arguments.word) + ", but must be from 1 B to 32768 B");
  if (!arguments.tuning.empty()) fabric.tuning = {quantity("--tuning", arguments.tuning, Dimension::time)};
  if (!arguments.locking.empty()) fabric.locking = {quantity("--locking", arguments.locking, Dimension::time)};
  return fabric;
}

/// Said where a file would say its line.
const Origins origins{{"fabric.rate", "--rate"},       {"fabric.word", "--word"},     {"fabric.tuning", "--tuning"},
                      {"fabric.locking", "--locking"}, {"fabric.switch", "--switch"}, {"fabric.ports", "--ports"}};

}  // namespace

void DeviceArguments::add_to(CLI::App& command, bool required) {
  command.add_option("DEVICE", device, "implementation of the switch: `lightloop list devices`")->required(required);
  command.add_option("--ports", ports, "inputs and outputs of the switch")->check(CLI::Range(2, 256));
  command.add_option("--rate", rate, "rate of each port; a cycle lasts word / rate")->type_name("RATE");
  command.add_option("--word", word, "bytes that a port moves in one cycle")->type_name("SIZE");
  command.add_option("--fifo", fifo_depth, "records of the event FIFO")->check(CLI::Range(1, 65535));
  command.add_option("--switch", switch_name, "preset of the delays: `lightloop list switches`, or file:PROFILE.toml")
      ->type_name("NAME");
  command.add_option("--tuning", tuning, "tuning time of every pair")->type_name("TIME");
  command.add_option("--locking", locking, "locking time of every output")->type_name("TIME");
  command.add_flag("--every-cycle", every_cycle, "simulates every cycle: no time warp");
}

DeviceConfig DeviceArguments::config() const {
  FabricSettings fabric = fabric_of(*this);
  fit_fabric(fabric, origins);
  return {.ports = ports,
          .fifo_depth = fifo_depth,
          .word_bytes = static_cast<int>(fabric.word.n),
          .cycle = fabric.cycle,
          .time_warp = !every_cycle};
}

SwitchDelays DeviceArguments::delays(const Environment& environment) const {
  FabricSettings fabric = fabric_of(*this);
  if (!switch_name.empty()) {
    if (!tuning.empty() || !locking.empty())
      throw Error(ErrorKind::input, "--switch sets the delays of every pair; it can't be given with " +
                                        std::string(tuning.empty() ? "--locking" : "--tuning"));
    use_switch(fabric, load_switch_profile(switch_name, environment.switches, {}), origins);
    add_parking(fabric, origins);
  }
  fit_fabric(fabric, origins);
  return fabric.delays();
}

std::unique_ptr<Device> DeviceArguments::make_device(const Environment& environment, rtl::Waveform* waveform) const {
  std::vector<std::string> known;
  for (const auto& entry : devices()) known.emplace_back(entry.name);
  if (const std::string name = device.substr(0, device.find(':')); std::ranges::find(known, name) == known.end())
    throw Error(ErrorKind::input, unknown_name("device", name, known));
  const SwitchDelays wanted = delays(environment);
  if (waveform != nullptr) check_has_waveform(device, "--waves");
  auto made = ocs::make_device(device, config(), waveform);
  if (wanted != SwitchDelays{}) set_switch_delays(*made, wanted);
  return made;
}

}  // namespace ocs
