// The list of devices that must agree; a further one is one more line.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/devices.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "host/conformance/compare.hpp"
#include "host/conformance/runner.hpp"
#include "host/core/error.hpp"
#include "host/device/counted.hpp"
#include "host/device/model/model.hpp"
#include "host/device/sysc.hpp"
#include "host/device/verilated.hpp"
#include "host/device/verilated_device.hpp"
#include "host/rtl/store.hpp"
#include "host/rtl/switch_pins.hpp"
#include "tests/board/served_device.hpp"
#include "tests/rtl/built_ahead.hpp"
#include "tests/rtl/checked.hpp"

namespace ocs::conformance {
namespace {

#ifdef LIGHTLOOP_COVERAGE
constexpr bool counted = true;
#else
constexpr bool counted = false;
#endif

constexpr std::uint64_t slow_bus = 20'240'229;  // a seed

bool any_size(int, int) { return true; }

bool fast_built_ahead(int ports, int fifo_depth) {
  return built_ahead({.core = rtl::Core::fast, .ports = ports, .fifo_depth = fifo_depth, .coverage = counted});
}

rtl::Parameters short_cycle_of(int ports, int fifo_depth) {
  return {.ports = ports, .fifo_depth = fifo_depth, .short_cycle = true, .coverage = counted};
}

bool short_cycle_built_ahead(int ports, int fifo_depth) { return built_ahead(short_cycle_of(ports, fifo_depth)); }

bool words_built_ahead(int ports, int fifo_depth) {
  return built_ahead(
      {.core = rtl::Core::fast, .ports = ports, .fifo_depth = fifo_depth, .lanes = 8, .coverage = counted});
}

bool counter_built_ahead(int ports, int fifo_depth) { return built_ahead({.ports = ports, .fifo_depth = fifo_depth}); }

std::unique_ptr<Device> make_fast(const DeviceConfig& config) {
  return counted ? make_counted("verilated", config) : make_verilated(config);
}

/// The RTL as on an FPGA. With a seed the bus is slow, as it is in random strides.
std::unique_ptr<Device> make_staged(const DeviceConfig& asked, std::uint64_t seed) {
  DeviceConfig config = asked;
  config.time_warp = false;
  config.stride_seed = seed;
  const rtl::Parameters parameters = short_cycle_of(config.ports, config.fifo_depth);
  if (counted) return make_counted(parameters, config);
  return std::make_unique<VerilatedDevice<rtl::SwitchPins>>(config, rtl::compiled_switch(parameters)->make());
}

std::unique_ptr<Device> make_short_cycle(const DeviceConfig& config) { return make_staged(config, 0); }
std::unique_ptr<Device> make_short_cycle_slow_bus(const DeviceConfig& config) { return make_staged(config, slow_bus); }

std::unique_ptr<Device> make_words(const DeviceConfig& config) {
  DeviceConfig with_words = config;
  with_words.words = true;
  return make_verilated(with_words);
}

std::unique_ptr<Device> make_mapped_file(const DeviceConfig& config) {
  return test::through_a_file(make_verilated(config), config);
}

constexpr Body all_bodies[] = {
    {"model", make_model, any_size, false, Ways::all, true},
    {"verilated_counter", make_verilated_counter, any_size, false, Ways::all, true},
    {"mapped", make_mapped_file, any_size, false, Ways::warped, false},
    {"verilated", make_fast, fast_built_ahead, false, Ways::all, false},
    {"words", make_words, words_built_ahead, true, Ways::all, false},
    {"checked", make_checked, checked_available, false, Ways::all, false},
    {"short_cycle", make_short_cycle, short_cycle_built_ahead, false, Ways::unwarped, false},
    {"short_cycle_slow_bus", make_short_cycle_slow_bus, short_cycle_built_ahead, false, Ways::unwarped, false},
    {"sysc", make_sysc, any_size, false, Ways::all, true},
    {"sysc-rtl", make_sysc_rtl, counter_built_ahead, false, Ways::all, false},
};

constexpr Mode all_modes[] = {{"warped", true, 0}, {"unwarped", false, 0}, {"random strides", true, slow_bus}};

}  // namespace

std::span<const Body> bodies() {
  static const std::vector<Body> chosen = [] {
    const char* named = std::getenv("LIGHTLOOP_DEVICES");
    if (named == nullptr) return std::vector<Body>(std::begin(all_bodies), std::end(all_bodies));
    std::vector<Body> out;
    std::istringstream names(named);
    for (std::string name; std::getline(names, name, ',');)
      for (Body body : all_bodies)
        if (body.name == name) {
          body.every_size = false;
          out.push_back(body);
        }
    if (out.empty()) throw Error(ErrorKind::input, "LIGHTLOOP_DEVICES=\"" + std::string(named) + "\" names no device");
    return out;
  }();
  return chosen;
}
std::span<const Mode> modes() { return all_modes; }
std::span<const Mode> modes_of(const Body& body) {
  if (body.ways == Ways::all) return modes();
  return modes().subspan(body.ways == Ways::warped ? 0 : 1, 1);
}

std::unique_ptr<Device> make_device(const Body& body, const Mode& mode, int ports, int fifo_depth) {
  if (!body.available(ports, fifo_depth))
    throw Error(ErrorKind::input, std::string(body.name) + " isn't built with " + std::to_string(ports) +
                                      " ports and a FIFO of " + std::to_string(fifo_depth) + " records");
  DeviceConfig config;
  config.ports = ports;
  config.fifo_depth = fifo_depth;
  config.time_warp = mode.time_warp;
  config.stride_seed = mode.stride_seed;
  return body.make(config);
}

bool takes_part(const Body& body, int ports, int fifo_depth) {
  return body.every_size || body.available(ports, fifo_depth);
}

std::string unlike_when_warped(int ports, int fifo_depth, std::span<const Op> program, bool words) {
  std::optional<Observation> reference;
  std::string wrong;
  for (const Body& body : bodies()) {
    if (body.ways != Ways::all || (body.word_by_word && !words) || !takes_part(body, ports, fifo_depth)) continue;
    const Mode& warped = modes_of(body)[0];
    const auto device = make_device(body, warped, ports, fifo_depth);
    Observation got = run_program(*device, ports, fifo_depth, program, {true, 0});
    std::string here;
    for (const std::string& breach : got.breaches) here += breach + "\n";
    if (reference)
      here += difference(ports, program, *reference, got);
    else
      reference = std::move(got);
    if (!here.empty()) wrong += label(body, warped) + ":\n" + here + "\n";
  }
  return wrong;
}

std::string trace_failure(const std::string& name, int ports, int fifo_depth, std::span<const Op> program) {
  const auto file = waveform_of(name);
  if (!file) return "";
  DeviceConfig config;
  config.ports = ports;
  config.fifo_depth = fifo_depth;
  try {
    run_program(*make_traced(config, *file), ports, fifo_depth, program);
  } catch (const Error&) {  // it has failed before; the waveform ends there
  }
  return "waveform: " + *file + "\n";
}

std::string test_name(const Body& body) {
  std::string name(body.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string label(const Body& body, const Mode& mode) { return std::string(body.name) + ", " + std::string(mode.name); }

}  // namespace ocs::conformance
