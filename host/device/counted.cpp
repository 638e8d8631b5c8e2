// A pool of switches with coverage, and their counters.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/counted.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <list>
#include <system_error>
#include <utility>
#include <vector>

#include "host/device/catalogue.hpp"
#include "host/device/clear_memories.hpp"
#include "host/device/verilated_device.hpp"
#include "host/rtl/seal.hpp"
#include "host/rtl/store.hpp"
#include "host/rtl/switch_pins.hpp"

namespace ocs {
namespace {

/// A Watch of VerilatedDevice that ends the run with the first check that fails.
struct Checked {
  explicit Checked(rtl::SwitchPins&) {}
  static void after_edge(rtl::SwitchPins& pins) {
    if (pins.instance().failed()) throw Error(ErrorKind::run, "a check of the RTL failed (the output names it)");
  }
};

using CheckedDevice = VerilatedDevice<rtl::SwitchPins, Checked>;

/// A switch of the pool.
class PooledSwitch {
 public:
  PooledSwitch(const DeviceConfig& config, const std::shared_ptr<const rtl::CompiledSwitch>& compiled)
      : PooledSwitch(config, compiled, compiled->make()) {}

  bool made_of(const rtl::CompiledSwitch& compiled) const { return compiled_.get() == &compiled; }
  bool failed() const { return made_->failed(made_) != 0; }
  std::vector<std::uint32_t> counters() const {
    std::vector<std::uint32_t> values(compiled_->coverage()->size(made_));
    compiled_->coverage()->get(made_, values.data());
    return values;
  }
  void set_counters(const std::vector<std::uint32_t>& values) { compiled_->coverage()->set(made_, values.data()); }
  void write(const std::filesystem::path& file) const { compiled_->coverage()->write(made_, file.c_str()); }
  CheckedDevice& device() { return device_; }

  bool used = false;

 private:
  PooledSwitch(const DeviceConfig& config, std::shared_ptr<const rtl::CompiledSwitch> compiled, rtl::Instance instance)
      : compiled_(std::move(compiled)), made_(instance.made()), device_(config, std::move(instance)) {}

  std::shared_ptr<const rtl::CompiledSwitch> compiled_;
  lightloop_switch* made_;
  CheckedDevice device_;
};

std::list<PooledSwitch>& pool() {
  static std::list<PooledSwitch> switches;
  return switches;
}

PooledSwitch& free_switch(const rtl::Parameters& parameters, const DeviceConfig& config) {
  const auto compiled = rtl::compiled_switch(parameters);
  for (PooledSwitch& one : pool())
    if (!one.used && one.made_of(*compiled)) return one;
  return pool().emplace_back(config, compiled);
}

/// A switch of the pool, as after power-up, until this object goes.
class CountedDevice final : public Device {
 public:
  CountedDevice(const rtl::Parameters& parameters, const DeviceConfig& config)
      : switch_(free_switch(parameters, config)) {
    switch_.used = true;
    const std::vector<std::uint32_t> before = switch_.counters();
    clear_memories(device(), config.ports);
    switch_.set_counters(before);
    switch_.device().reset(config);
  }
  ~CountedDevice() override {
    switch_.used = false;
    if (switch_.failed()) pool().remove_if([this](const PooledSwitch& one) { return &one == &switch_; });
  }
  CountedDevice(const CountedDevice&) = delete;
  CountedDevice& operator=(const CountedDevice&) = delete;

  RegisterBus& bus() override { return device().bus(); }
  FabricClock& clock() override { return device().clock(); }

 private:
  Device& device() { return switch_.device(); }

  PooledSwitch& switch_;
};

[[noreturn]] void unusable(const std::filesystem::path& file, const std::string& why) {
  throw Error(ErrorKind::run, "counts of coverage can't be kept in \"" + file.string() + "\": " + why);
}

}  // namespace

std::unique_ptr<Device> make_counted(rtl::Parameters parameters, const DeviceConfig& config) {
  parameters.coverage = true;
  return std::make_unique<CountedDevice>(parameters, config);
}

std::unique_ptr<Device> make_counted(std::string_view device, const DeviceConfig& config) {
  rtl::Parameters parameters;
  parameters.core = core_of(device, false).value();
  parameters.ports = config.ports;
  parameters.fifo_depth = config.fifo_depth;
  parameters.checks = parameters.core == rtl::Core::counter;
  return make_counted(parameters, config);
}

void forget_counts() {
  for (PooledSwitch& one : pool()) one.set_counters(std::vector<std::uint32_t>(one.counters().size()));
}

rtl::CoverCounts counts_reached(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) unusable(folder, failed.message());
  const std::filesystem::path file = folder / "counts.dat";
  rtl::CoverCounts counts;
  for (const PooledSwitch& one : pool()) {
    one.write(file);
    std::ofstream end(file, std::ios::app);  // Verilator does not say whether there was room for its file
    end << "# end\n";
    end.close();
    if (!end) unusable(file, "it can't be written; is the disk full?");
    rtl::add_counts(rtl::contents_of(file), file.string(), counts);
  }
  std::filesystem::remove(file, failed);
  return counts;
}

}  // namespace ocs
