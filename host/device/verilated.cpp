// The compiled RTL behind RegisterBus and FabricClock, with either core.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/verilated.hpp"

#include "host/device/verilated_device.hpp"
#include "host/device/word_bench.hpp"
#include "host/rtl/places.hpp"
#include "host/rtl/store.hpp"
#include "host/rtl/switch_pins.hpp"

namespace ocs {
namespace {

using rtl::SwitchPins;

constexpr int lanes_of_a_word = 8;  // 512 bits

rtl::Parameters parameters_of(rtl::Core core, const DeviceConfig& config) {
  rtl::Parameters parameters;
  parameters.core = core;
  parameters.ports = config.ports;
  parameters.fifo_depth = config.fifo_depth;
  parameters.lanes = config.words ? lanes_of_a_word : 0;
  return parameters;
}

/// A Watch of VerilatedDevice that supplies words and compares them.
class CrossingWords {
 public:
  explicit CrossingWords(SwitchPins& pins) : bench_(word_pins(pins)) {}
  void after_edge(SwitchPins&) { bench_.after_edge(); }
  std::uint64_t compared() const { return bench_.compared(); }

 private:
  static WordPins word_pins(SwitchPins& pins) {
    const auto find = [&](const char* name, std::size_t& bytes) { return pins.instance().find(name, bytes); };
    WordPins out;
    std::size_t bytes = 0;
    out.time_o = &pins.time_o;
    out.offer_o = find("offer_o", out.mask_bytes);
    out.index_o = static_cast<const std::uint32_t*>(find("index_o", bytes));
    out.ports = bytes / sizeof(std::uint32_t);
    out.tag_o = static_cast<const std::uint16_t*>(find("tag_o", bytes));
    out.word_i = static_cast<unsigned char*>(find("word_i", bytes));
    out.up_o = find("up_o", bytes);
    out.input_o = static_cast<const std::uint8_t*>(find("input_o", bytes));
    out.word_valid_o = find("word_valid_o", bytes);
    out.word_o = static_cast<const unsigned char*>(find("word_o", bytes));
    return out;
  }

  WordBench bench_;
};

void check_words(const DeviceConfig& config) {
  if (config.words)
    throw Error(ErrorKind::input,
                "device \"verilated_counter\" counts words but doesn't carry them; \"verilated\" does");
}

std::unique_ptr<Device> device_of(const DeviceConfig& config, rtl::Instance made) {
  if (config.words) return std::make_unique<VerilatedDevice<SwitchPins, CrossingWords>>(config, std::move(made));
  return std::make_unique<VerilatedDevice<SwitchPins>>(config, std::move(made));
}

}  // namespace

rtl::Core usual_core(bool words) {
  return rtl::standard_places().named && !words ? rtl::Core::counter : rtl::Core::fast;
}

std::unique_ptr<Device> make_verilated(const DeviceConfig& config) {
  return device_of(config, rtl::compiled_switch(parameters_of(usual_core(config.words), config))->make());
}

std::unique_ptr<Device> make_verilated(const DeviceConfig& config, rtl::Waveform& waveform) {
  return device_of(config, waveform.record(parameters_of(usual_core(config.words), config)));
}

std::unique_ptr<Device> make_verilated_counter(const DeviceConfig& config) {
  check_words(config);
  return device_of(config, rtl::compiled_switch(parameters_of(rtl::Core::counter, config))->make());
}

std::unique_ptr<Device> make_verilated_counter(const DeviceConfig& config, rtl::Waveform& waveform) {
  check_words(config);
  return device_of(config, waveform.record(parameters_of(rtl::Core::counter, config)));
}

}  // namespace ocs
