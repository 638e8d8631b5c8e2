// How a Verilated switch is clocked and its registers are reached; the same for every size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>

#include "host/core/device.hpp"
#include "host/device/sampled_stopwatch.hpp"

namespace ocs {

/// Nobody looks at the switch from inside: that of every device but those of tests.
struct Unwatched {
  template <class Top>
  explicit Unwatched(Top&) {}
  template <class Top>
  void after_edge(Top&) {}
};

/// @tparam Top pins of ocs_top: SwitchPins, or in tests a class that Verilator made.
/// @tparam Watch looks at it after every edge of the fabric clock; it is made before the first one.
template <class Top, class Watch = Unwatched>
class VerilatedDevice final : public Device, RegisterBus, FabricClock {
 public:
  /// @param top is handed on to Top's constructor. @param watched to that of Watch, after the pins.
  template <class Made, class... Watched>
  VerilatedDevice(const DeviceConfig& config, Made&& top, Watched&&... watched)
      : top_(std::forward<Made>(top)), watch_(top_, std::forward<Watched>(watched)...) {
    reset(config);
  }

  /// Leaves the switch as after power-up, except for memories that a
  /// reset doesn't reach (PAIR, the sequencer's banks). The size stays.
  void reset(const DeviceConfig& config) {
    cycle_ = config.cycle;
    warp_ = config.time_warp;
    stopwatch_ = SampledStopwatch(config.stopwatch);
    random_strides_ = config.stride_seed != 0;
    strides_.seed(config.stride_seed);
    top_.clear_valid();
    top_.word_bytes_i = static_cast<std::uint16_t>(config.word_bytes);
    top_.cycle_ps_i = static_cast<std::uint32_t>(config.cycle.n);
    top_.clk_i = top_.bus_clk_i = 0;
    top_.step_i = 0;
    top_.awvalid_i = top_.wvalid_i = top_.arvalid_i = 0;
    top_.wstrb_i = 0xf;
    top_.bready_i = top_.rready_i = 1;
    top_.rst_ni = 0;
    top_.eval();
    bus_edge();
    bus_edge();
    top_.rst_ni = 1;
    bus_edge();  // a bus may ask for something after this one
    edges_ = 0;
  }

  RegisterBus& bus() override { return *this; }
  FabricClock& clock() override { return *this; }

  ClockKind kind() const override { return ClockKind::virtual_time; }
  Picos cycle() const override { return cycle_; }
  Cycles now() override { return {static_cast<std::int64_t>(top_.time_o)}; }
  bool interrupt() override { return top_.irq_o; }
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t words_compared() const override {
    if constexpr (requires { watch_.compared(); }) return watch_.compared();
    return 0;
  }
  std::chrono::nanoseconds evaluation() const override { return stopwatch_.total(); }

  Cycles run_until(Cycles limit) override {
    while (!top_.irq_o && now() < limit) {
      std::int64_t step = 1;
      if (warp_ || random_strides_) step = std::min<std::int64_t>(top_.horizon_o, (limit - now()).n);
      if (random_strides_) step = std::uniform_int_distribution<std::int64_t>(1, step)(strides_);
      fabric_edge(static_cast<std::uint32_t>(step));
    }
    return now();
  }

  std::uint32_t read(std::uint32_t address) override {
    top_.araddr_i = on_bus(address);
    access(top_.arvalid_i, top_.arvalid_i);
    if (top_.rresp_o != 0) refused("read", address);
    return top_.rdata_o;
  }

  void write(std::uint32_t address, std::uint32_t value) override {
    top_.awaddr_i = on_bus(address);
    top_.wdata_i = value;
    access(top_.awvalid_i, top_.wvalid_i);
    if (top_.bresp_o != 0) refused("write", address);
  }

  void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    const auto whole = std::exchange(top_.wstrb_i, strobes);
    top_.awaddr_i = on_bus(address);
    top_.wdata_i = value;
    access(top_.awvalid_i, top_.wvalid_i);
    top_.wstrb_i = whole;
    if (top_.bresp_o != 0) refused("write of some bytes", address);
  }

 private:
  // The bus has 20 address lines; what they can't carry goes to an address without a register, for
  // the switch to refuse.
  static constexpr std::uint32_t on_bus(std::uint32_t address) { return address < 0x100000 ? address : 0x80000; }

  // An access is taken in at one edge of the bus and executed at the next, which is an edge of the fabric as well.
  // Its answer stands on its channel after that; it is taken at the following one, which ready allows.
  void access(std::uint8_t& first, std::uint8_t& second) {
    first = second = 1;
    top_.bus_clk_i = 1;
    stopwatch_([&] { top_.eval(); });
    clocks_fall();
    first = second = 0;
    bus_edge();
  }

  void bus_edge() {
    top_.bus_clk_i = 1;
    fabric_edge(0);
  }

  void fabric_edge(std::uint32_t step) {
    top_.step_i = step;
    top_.clk_i = 1;
    stopwatch_([&] { top_.eval(); });
    watch_.after_edge(top_);
    clocks_fall();
    ++edges_;
  }

  void clocks_fall() {
    top_.clk_i = 0;
    top_.bus_clk_i = 0;
    top_.step_i = 0;
    top_.clocks_fell();
  }

  [[noreturn]] static void refused(const char* what, std::uint32_t address) {
    std::array<char, 16> hex{};
    std::snprintf(hex.data(), hex.size(), "0x%05x", address);
    throw AccessRefused(std::string("the switch refused a ") + what + " at address " + hex.data() + " (SLVERR)");
  }

  Picos cycle_;
  bool warp_ = true;
  bool random_strides_ = false;
  std::mt19937_64 strides_;
  std::uint64_t edges_ = 0;
  SampledStopwatch stopwatch_{false};
  Top top_;
  Watch watch_;
};

}  // namespace ocs
