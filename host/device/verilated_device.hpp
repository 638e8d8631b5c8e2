// How a Verilated switch is clocked and its registers are reached; the same for every size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>

#include "host/core/device.hpp"
#include "host/device/sampled_stopwatch.hpp"
#include "rtl/regs/generated/ocs_regs.h"

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
    top_.wstrb_i = all_strobes;
    top_.bready_i = top_.rready_i = 1;
    top_.rst_ni = 0;
    top_.eval();
    bus_edge();
    bus_edge();
    top_.rst_ni = 1;
    bus_edge();  // a bus may ask for something after this one
    settle();
    may_interrupt_ = false;
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
    if (lag() > 0) return run_behind(limit);
    while (!top_.irq_o && now() < limit) {
      std::int64_t step = 1;
      if (warp_ || random_strides_) step = std::min<std::int64_t>(top_.horizon_o, (limit - now()).n);
      if (random_strides_) step = std::uniform_int_distribution<std::int64_t>(1, step)(strides_);
      fabric_edge(static_cast<std::uint32_t>(step));
    }
    return now();
  }

  std::uint32_t read(std::uint32_t address) override {
    const Answer answer = random_strides_ ? patient_read(on_bus(address)) : prompt_read(on_bus(address));
    if (!answer.valid) unanswered("read", address);
    if (answer.refused) refused("read", address);
    return answer.data;
  }

  void write(std::uint32_t address, std::uint32_t value) override { write("write", address, value, all_strobes); }

  void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    write("write of some bytes", address, value, strobes);
  }

 private:
  // The bus has 20 address lines; what they can't carry goes to an address without a register, for
  // the switch to refuse.
  static constexpr std::uint32_t on_bus(std::uint32_t address) { return address <= address_lines ? address : 0x80000; }
  static constexpr std::uint32_t address_lines = 0xFFFFF, all_strobes = 0xF, id = 0;
  static constexpr std::uint32_t irq_enable = offsetof(ocs_regs_t, IRQ_ENABLE);

  /// What stands on a channel of answers; data are of a read.
  struct Answer {
    bool valid = false, refused = false;
    std::uint32_t data = 0;

    friend bool operator==(const Answer&, const Answer&) = default;
  };
  Answer read_answer() const { return {top_.rvalid_o != 0, top_.rresp_o != 0, top_.rdata_o}; }
  Answer write_answer() const { return {top_.bvalid_o != 0, top_.bresp_o != 0, 0}; }

  Answer prompt_read(std::uint32_t address) {
    top_.araddr_i = address;
    access(top_.arvalid_i, top_.arvalid_i);
    return read_answer();
  }

  Answer prompt_write(std::uint32_t address, std::uint32_t value) {
    top_.awaddr_i = address;
    top_.wdata_i = value;
    access(top_.awvalid_i, top_.wvalid_i);
    return write_answer();
  }

  void write(const char* what, std::uint32_t address, std::uint32_t value, std::uint8_t strobes) {
    top_.wstrb_i = strobes;
    if (address == irq_enable) may_interrupt_ = value != 0 || strobes != all_strobes;
    const Answer answer =
        random_strides_ ? patient_write(on_bus(address), value) : prompt_write(on_bus(address), value);
    top_.wstrb_i = all_strobes;
    if (!answer.valid) unanswered(what, address);
    if (answer.refused) refused(what, address);
  }

  // An access is taken in at one edge of the bus and executed at the next, which is an edge of the fabric as well.
  // Its answer stands on its channel after that; it is taken at the following one, which ready allows.
  void access(std::uint8_t& first, std::uint8_t& second) {
    first = second = 1;
    top_.bus_clk_i = 1;
    if (lag() > 0) top_.clk_i = 1;  // a switch in stages has one clock
    stopwatch_([&] { top_.eval(); });
    clocks_fall();
    first = second = 0;
    bus_edge();
    settle();
  }

  /// As run_until() with a switch that has stages: edges follow one another as on an
  /// FPGA, unless each of them may be the one that has to be the last.
  Cycles run_behind(Cycles limit) {
    for (std::int64_t left = (limit - now()).n; left > 0 && !top_.irq_o; --left) {
      fabric_edge(1);
      if (may_interrupt_) settle();
    }
    settle();
    return now();
  }

  /// Edges that answers of the switch and its last stage come later; 0: it has no stages.
  int lag() const {
    if constexpr (requires { top_.lag(); }) return top_.lag();
    return 0;
  }

  /// Lets all stages of the switch see what the first one has seen.
  void settle() {
    for (int edge = lag(); edge > 0; --edge) bus_edge();
  }

  // With random strides the master takes its time, too: what it offers and when it takes an answer is drawn. Lines that
  // are not valid have other values.
  Answer patient_read(std::uint32_t address) {
    const auto offered = wait();
    for (std::uint32_t edge = 0; edge <= offered; ++edge) {
      top_.arvalid_i = edge == offered;
      top_.araddr_i = top_.arvalid_i != 0 ? address : ~address & address_lines;
      if (top_.arready_o == 0) return {};
      bus_edge();
    }
    top_.arvalid_i = 0;
    return answer_in_the_end(top_.rready_i, [this] { return read_answer(); });
  }

  // Beside half of all writes a read of ID, which changes nothing, so that both wait for the switch at once.
  Answer patient_write(std::uint32_t address, std::uint32_t value) {
    const bool reads = std::uniform_int_distribution<int>(0, 1)(strides_) != 0;
    const auto address_offered = wait(), data_offered = wait(), read_offered = reads ? wait() : 0;
    const auto strobes = top_.wstrb_i;
    if (reads) top_.bready_i = top_.rready_i = 0;
    for (std::uint32_t edge = 0; edge <= std::max({address_offered, data_offered, read_offered}); ++edge) {
      top_.awvalid_i = edge == address_offered;
      top_.wvalid_i = edge == data_offered;
      top_.arvalid_i = reads && edge == read_offered;
      top_.awaddr_i = top_.awvalid_i != 0 ? address : ~address & address_lines;
      top_.wdata_i = top_.wvalid_i != 0 ? value : ~value;
      top_.wstrb_i = top_.wvalid_i != 0 ? strobes : static_cast<std::uint8_t>(strobes ^ all_strobes);
      top_.araddr_i = top_.arvalid_i != 0 ? id : address_lines;
      if ((top_.awvalid_i != 0 && top_.awready_o == 0) || (top_.wvalid_i != 0 && top_.wready_o == 0)) return {};
      if (top_.arvalid_i != 0 && top_.arready_o == 0) unanswered("read", id);
      bus_edge();
    }
    top_.awvalid_i = top_.wvalid_i = top_.arvalid_i = 0;
    if (!reads) return answer_in_the_end(top_.bready_i, [this] { return write_answer(); });
    return answer_beside_id();
  }

  /// Answers to a write and to a read of ID, which the switch takes one after the other.
  Answer answer_beside_id() {
    bus_edge();
    settle();
    bus_edge();
    settle();
    const Answer right{true, false, OCS_REGS__ID__MAGIC_reset};
    if (read_answer() != right) unanswered("read", id);
    const Answer answer = answer_in_the_end(top_.bready_i, [this] { return write_answer(); });
    if (read_answer() != right) unanswered("read", id);
    top_.rready_i = 1;
    bus_edge();
    if (read_answer().valid) unanswered("read", id);
    return answer;
  }

  /// Lets the access be executed, holds its answer for a while and takes it. @returns an answer that isn't valid if it
  /// changes before it is taken, or stands afterwards.
  template <class Stands>
  Answer answer_in_the_end(std::uint8_t& ready, Stands stands) {
    ready = 0;
    bus_edge();
    settle();
    const Answer answer = stands();
    for (std::uint32_t edge = wait(); edge > 0; --edge) {
      bus_edge();
      if (stands() != answer) return {};
    }
    ready = 1;
    bus_edge();
    return stands().valid ? Answer{} : answer;
  }

  /// Edges of the bus that the master waits for.
  std::uint32_t wait() { return std::uniform_int_distribution<std::uint32_t>(0, 2)(strides_); }

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
    throw AccessRefused(std::string("the switch refused a ") + what + " at address " + in_hex(address) + " (SLVERR)");
  }
  [[noreturn]] static void unanswered(const char* what, std::uint32_t address) {
    throw Error(ErrorKind::run, std::string("the switch did not answer a ") + what + " at address " + in_hex(address) +
                                    " as AXI4-Lite demands");
  }
  static std::string in_hex(std::uint32_t address) {
    std::array<char, 16> hex{};
    std::snprintf(hex.data(), hex.size(), "0x%05x", address);
    return hex.data();
  }

  Picos cycle_;
  bool warp_ = true;
  bool random_strides_ = false;
  bool may_interrupt_ = false;  // IRQ_ENABLE may be other than 0
  std::mt19937_64 strides_;
  std::uint64_t edges_ = 0;
  SampledStopwatch stopwatch_{false};
  Top top_;
  Watch watch_;
};

}  // namespace ocs
