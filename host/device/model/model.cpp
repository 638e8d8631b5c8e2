// The model as a device: a register window and a virtual clock.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/model/model.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <string>

#include "host/device/model/core.hpp"
#include "host/device/model/window.hpp"

namespace ocs {
namespace {

class ModelClock : public FabricClock {
 public:
  ModelClock(model::Core& core, const DeviceConfig& config)
      : core_(core), cycle_(config.cycle), warp_(config.time_warp), seeded_(config.stride_seed != 0) {
    random_.seed(config.stride_seed);
  }

  ClockKind kind() const override { return ClockKind::virtual_time; }
  Picos cycle() const override { return cycle_; }
  Cycles now() override { return {static_cast<std::int64_t>(core_.time())}; }
  bool interrupt() override { return core_.irq(); }
  std::uint64_t edges() const override { return steps_; }

  Cycles run_until(Cycles limit) override {
    while (now() < limit && !core_.irq()) {
      core_.step(stride(static_cast<model::Cycle>((limit - now()).n)));
      ++steps_;
    }
    return now();
  }

 private:
  /// The cycles that the next step stands for, at most `limit`.
  model::Cycle stride(model::Cycle limit) {
    if (!warp_) return 1;
    const model::Cycle most = std::min(core_.horizon(), limit);
    if (!seeded_) return most;
    // Every second stride is short: else the draws would seldom end just before an action.
    constexpr model::Cycle few = 4;
    const std::uint64_t draw = random_();
    return 1 + (draw >> 1) % ((draw & 1) != 0 ? std::min(most, few) : most);
  }

  model::Core& core_;
  Picos cycle_;
  bool warp_, seeded_;
  std::mt19937_64 random_;
  std::uint64_t steps_ = 0;
};

class Model : public Device {
 public:
  explicit Model(const DeviceConfig& config)
      : core_(static_cast<std::size_t>(config.ports), static_cast<std::size_t>(config.fifo_depth)),
        window_(core_),
        clock_(core_, config) {
    model::add_device_registers(window_, core_, config);
    model::add_port_registers(window_, core_);
  }
  RegisterBus& bus() override { return window_; }
  FabricClock& clock() override { return clock_; }

 private:
  model::Core core_;
  model::Window window_;
  ModelClock clock_;
};

void require(const char* what, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return;
  throw Error(ErrorKind::input, std::string("model switch: ") + what + " is " + std::to_string(value) +
                                    ", but must be " + std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

std::unique_ptr<Device> make_model(const DeviceConfig& config) {
  constexpr std::int64_t field16 = std::numeric_limits<std::uint16_t>::max();
  constexpr std::int64_t field32 = std::numeric_limits<std::uint32_t>::max();
  if (config.words)
    throw Error(ErrorKind::input, "device \"model\" counts words but doesn't carry them; \"verilated\" does");
  require("ports", config.ports, 2, static_cast<std::int64_t>(max_ports));
  require("fifo_depth", config.fifo_depth, 1, field16);
  require("word_bytes", config.word_bytes, 1, field16);
  require("cycle in picoseconds", config.cycle.n, 1, field32);
  return std::make_unique<Model>(config);
}

}  // namespace ocs
