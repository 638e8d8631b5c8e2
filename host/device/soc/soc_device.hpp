// How the Verilated system on chip is clocked: the core cycle by cycle, the fabric only when something depends on it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "firmware/ocs_mailbox.h"
#include "firmware/ocs_soc.h"
#include "host/core/device.hpp"
#include "host/device/sampled_stopwatch.hpp"
#include "host/device/soc/firmware_image.hpp"
#include "host/device/soc/soc_pins.hpp"

namespace ocs {

class SocDevice final : public Device, RegisterBus, FabricClock, Mailbox {
 public:
  /// Loads the image and resets; runs until the firmware takes commands. @throws Error (run) when it doesn't.
  SocDevice(const DeviceConfig& config, const FirmwareImage& firmware, rtl::Instance made)
      : cycle_(config.cycle),
        warp_(config.time_warp),
        random_strides_(config.stride_seed != 0),
        strides_(config.stride_seed),
        stopwatch_(config.stopwatch),
        symbols_(firmware.symbols),
        top_(std::move(made)) {
    top_.clear_valid();
    top_.word_bytes_i = static_cast<std::uint16_t>(config.word_bytes);
    top_.cycle_ps_i = static_cast<std::uint32_t>(config.cycle.n);
    top_.wstrb_i = 0xf;
    top_.host_takes_events_i = 1;  // in the cycle of each, where run_until() stops
    top_.bready_i = top_.rready_i = 1;
    top_.eval();
    for (int k = 0; k < 3; ++k) tick(true, true, true, 0);
    top_.rst_ni = 1;
    tick(true, true, false, 0);
    load(OCS_SOC_RAM, firmware.image);
    load(OCS_SOC_ROM, firmware.boot);
    top_.core_rst_ni = 1;
    top_.eval();
    boot();
  }

  RegisterBus& bus() override { return *this; }
  FabricClock& clock() override { return *this; }
  Mailbox* mailbox() override { return this; }

  // ---- clock ----
  ClockKind kind() const override { return ClockKind::virtual_time; }
  Picos cycle() const override { return cycle_; }
  Cycles now() override { return {static_cast<std::int64_t>(top_.time_o)}; }
  bool interrupt() override { return top_.irq_o; }
  std::uint64_t edges() const override { return edges_; }
  std::chrono::nanoseconds evaluation() const override { return stopwatch_.total(); }

  Cycles run_until(Cycles limit) override {
    while (!top_.irq_o && !alerted() && now() < limit) advance((limit - now()).n);
    return now();
  }

  // ---- mailbox ----
  bool post(std::span<const std::uint32_t> frame) override {
    finish_access();
    if (command_head_ - top_.command_tail() + frame.size() > OCS_MB_RING_WORDS) return false;
    for (const std::uint32_t word : frame) {
      top_.command_i = SocPins::command(command_head_++ % OCS_MB_RING_WORDS, word);
      tick(false, true, false, 0);
    }
    top_.command_i = 0;
    top_.head_i = SocPins::come(command_head_);
    tick(false, true, false, 0);
    top_.head_i = 0;
    return true;
  }

  bool take(std::vector<std::uint32_t>& frame) override {
    if (top_.answer_head() == answer_tail_) {
      alerts_seen_ = top_.alerts();
      return false;
    }
    finish_access();
    const std::uint32_t first = answer();
    frame.assign({first, answer()});
    for (std::uint32_t words = first >> 16; words > 0; --words) frame.push_back(answer());
    top_.tail_i = SocPins::come(answer_tail_);
    tick(false, true, false, 0);
    top_.tail_i = 0;
    return true;
  }

  bool alerted() const override { return top_.alerts() != alerts_seen_; }
  void on_console(ConsoleLine line) override {
    console_ = std::move(line);
    if (!console_) return;
    for (const auto& [at, text] : std::exchange(unheard_, {})) console_(at, text);
  }
  void on_fetch(Fetch fetch) override { fetch_ = std::move(fetch); }
  std::uint64_t core_cycles() const override { return core_cycles_; }

  std::string_view function_at(std::uint32_t address) const override {
    const auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                        [](std::uint32_t a, const FirmwareSymbol& s) { return a < s.address; });
    return after == symbols_.begin() || address >= OCS_SOC_RAM_BYTES ? std::string_view{} : std::prev(after)->name;
  }

  // ---- registers, to look on ----
  std::uint32_t read(std::uint32_t address) override {
    top_.araddr_i = on_bus(address);
    access(top_.arvalid_i, top_.arvalid_i);
    const std::uint32_t value = top_.rdata_o;
    const bool wrong = top_.rresp_o != 0;
    tick(false, true, false, 0);  // the answer is taken: what reads an event hands it on to the firmware
    if (wrong) refused("read", address);
    return value;
  }

  void write(std::uint32_t address, std::uint32_t value) override {
    top_.awaddr_i = on_bus(address);
    top_.wdata_i = value;
    access(top_.awvalid_i, top_.wvalid_i);
    const bool wrong = top_.bresp_o != 0;
    tick(false, true, false, 0);
    if (wrong) refused("write", address);
  }

 private:
  static constexpr std::int64_t boot_cycles = 10'000'000;
  static constexpr std::size_t most_unheard = 100;
  static constexpr std::uint32_t on_bus(std::uint32_t address) { return address < 0x100000 ? address : 0x80000; }

  // ---- start ----
  void load(std::uint32_t address, std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) {
      top_.load_i = SocPins::load(address, word);
      tick(false, false, true, 0);
      address += 4;
    }
    top_.load_i = {};
  }

  void boot() {
    while (top_.boot_o < OCS_BOOT_READY && now().n < boot_cycles) advance(boot_cycles);
    if (top_.boot_o == OCS_BOOT_READY) return;
    const char* why = "it never took commands";
    if (top_.boot_o == OCS_BOOT_E_MAGIC) why = "OCS_BOOT_E_MAGIC: it doesn't begin with LLFW";
    if (top_.boot_o == OCS_BOOT_E_LENGTH) why = "OCS_BOOT_E_LENGTH: its header names a length that no image has";
    if (top_.boot_o == OCS_BOOT_E_CHECKSUM) why = "OCS_BOOT_E_CHECKSUM: it isn't what was sealed, or not all of it";
    if (top_.boot_o == OCS_BOOT_E_SELF_TEST) why = "OCS_BOOT_E_SELF_TEST: the switch failed its self-test";
    throw Error(ErrorKind::run, "the firmware image doesn't start (BOOT " + std::to_string(top_.boot_o) + "), " + why);
  }

  // ---- edges ----
  /// The next stretch of time, of at most `most` cycles, or bus edges that take none.
  void advance(std::int64_t most) {
    if (top_.still_o && !top_.bite_o) {
      std::int64_t step = 1;
      if (warp_ || random_strides_) step = std::min<std::int64_t>({top_.fabric_horizon_o, top_.wake_o, most});
      if (random_strides_) step = std::uniform_int_distribution<std::int64_t>(1, step)(strides_);
      tick(true, false, false, static_cast<std::uint32_t>(step));
      return;
    }
    if (top_.busy_o) {
      finish_access();
      return;
    }
    // The core alone: nothing else happens before the fabric's horizon.
    std::int64_t ahead = 0;
    most = warp_ ? std::min<std::int64_t>(top_.fabric_horizon_o, most) : 1;
    do {
      watch(ahead);
      top_.ahead_i = static_cast<std::uint32_t>(ahead);
      tick(false, false, true, 0);
      ++core_cycles_;
      ++ahead;
    } while (ahead < most && !top_.still_o && !top_.busy_o);
    top_.ahead_i = 0;
    tick(true, false, false, static_cast<std::uint32_t>(ahead));
  }

  void watch(std::int64_t ahead) {
    if (const std::optional printed = top_.printed()) {
      if (*printed != '\n') line_ += *printed;
      if (*printed == '\n') {
        if (console_) console_(now() + Cycles{ahead}, line_);
        if (!console_ && unheard_.size() < most_unheard) unheard_.emplace_back(now() + Cycles{ahead}, line_);
        line_.clear();
      }
    }
    if (const std::optional fetched = top_.fetched(); fetch_ && fetched) fetch_(now() + Cycles{ahead}, *fetched);
  }

  /// The core's access to the switch, if one is under way: it takes no time of the fabric.
  void finish_access() {
    while (top_.busy_o) tick(true, true, false, 0);
  }

  /// An access is taken in at one edge of the bus and executed at the next, which is an edge of the fabric as well.
  void access(std::uint8_t& first, std::uint8_t& second) {
    finish_access();
    first = second = 1;
    tick(false, true, false, 0);
    first = second = 0;
    tick(true, true, false, 0);
  }

  std::uint32_t answer() {
    top_.answer_addr_i = static_cast<std::uint16_t>(answer_tail_++ % OCS_MB_RING_WORDS);
    top_.eval();
    return top_.answer_data();
  }

  void tick(bool fabric, bool bus, bool core, std::uint32_t step) {
    top_.step_i = step;
    top_.clk_i = fabric;
    top_.bus_clk_i = bus;
    top_.core_clk_i = core;
    stopwatch_([&] { top_.eval(); });
    if (fabric) ++edges_;
    top_.clk_i = top_.bus_clk_i = top_.core_clk_i = 0;
    top_.step_i = 0;
    top_.clocks_fell();
  }

  [[noreturn]] static void refused(const char* what, std::uint32_t address) {
    std::array<char, 16> hex{};
    std::snprintf(hex.data(), hex.size(), "0x%05x", address);
    throw AccessRefused(std::string("the switch refused a ") + what + " at address " + hex.data() +
                        " (SLVERR); its registers are the firmware's");
  }

  Picos cycle_;
  bool warp_, random_strides_;
  std::mt19937_64 strides_;
  SampledStopwatch stopwatch_;
  std::span<const FirmwareSymbol> symbols_;
  std::uint64_t edges_ = 0, core_cycles_ = 0;
  std::uint32_t command_head_ = 0, answer_tail_ = 0, alerts_seen_ = 0;
  ConsoleLine console_;
  Fetch fetch_;
  std::string line_;
  std::vector<std::pair<Cycles, std::string>> unheard_;  ///< lines from before anybody listened
  SocPins top_;
};

}  // namespace ocs
