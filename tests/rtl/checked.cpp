// The compiled switch with checks, watched after every edge; says where waveforms go.
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/checked.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "host/device/counted.hpp"
#include "host/device/verilated_device.hpp"
#include "host/rtl/store.hpp"
#include "host/rtl/switch_pins.hpp"
#include "tests/common/places.hpp"
#include "tests/rtl/built_ahead.hpp"

namespace ocs {
namespace {

/// Signals that a waveform shows are kept apart, which takes twice as long to compile.
rtl::Parameters parameters_of(int ports, int fifo_depth, bool waves = false) {
  rtl::Parameters parameters;
  parameters.ports = ports;
  parameters.fifo_depth = fifo_depth;
  parameters.checks = true;
#ifdef LIGHTLOOP_COVERAGE
  parameters.coverage = true;
  static_cast<void>(waves);
#else
  parameters.waves = waves;
#endif
  return parameters;
}

/// A Watch with a waveform: one time step an edge, up to the one at which a check fails.
class Traced {
 public:
  /// @param waveform file to write; empty: none.
  Traced(rtl::SwitchPins& pins, const std::string& waveform) : traced_(!waveform.empty()) {
    if (traced_) pins.instance().open_waveform(waveform);
  }

  /// @throws Error (run) once a check has failed.
  void after_edge(rtl::SwitchPins& pins) {
    rtl::Instance& instance = pins.instance();
    if (traced_) instance.dump_waveform(step_++);
    if (!instance.failed()) return;
    if (traced_) instance.flush_waveform();
    throw Error(ErrorKind::run, "a check of the RTL failed (its name is printed above)");
  }

 private:
  bool traced_;
  std::uint64_t step_ = 0;
};

}  // namespace

std::unique_ptr<Device> make_checked(const DeviceConfig& config) { return make_traced(config, ""); }

std::unique_ptr<Device> make_traced(const DeviceConfig& config, const std::string& waveform) {
#ifdef LIGHTLOOP_COVERAGE
  if (waveform.empty()) return make_counted(parameters_of(config.ports, config.fifo_depth), config);
#endif
  using Made = VerilatedDevice<rtl::SwitchPins, Traced>;
  const auto compiled = rtl::compiled_switch(parameters_of(config.ports, config.fifo_depth, !waveform.empty()));
  return std::make_unique<Made>(config, compiled->make(), waveform);
}

bool checked_available(int ports, int fifo_depth) { return built_ahead(parameters_of(ports, fifo_depth)); }

std::optional<std::string> waveform_of(const std::string& name) {
  const char* named = std::getenv("LIGHTLOOP_TRACE");
  const std::filesystem::path folder = named != nullptr ? std::string(named) : ocs::test::build_dir() + "/traces";
  if (folder == "off") return std::nullopt;
  std::filesystem::create_directories(folder);
  return (folder / (name + ".fst")).string();
}

}  // namespace ocs
