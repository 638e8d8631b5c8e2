// A SystemC simulation that the host steps from outside: no process of it is the host's.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/sysc.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <utility>

#include "sysc/module/register_access.hpp"
#include "sysc/module/tlm_switch.hpp"
#include "sysc/rtl/rtl_switch.hpp"

namespace ocs {
namespace {

constexpr std::size_t most_ports = 256;

/// The modules of the simulation: they can be made once, before it begins. The switch in it is exchanged.
class Bench : public sc_core::sc_module {
 public:
  sysc::SwitchModule fabric{"switch", most_ports};
  tlm_utils::simple_initiator_socket<Bench> software{"software"};
  sc_core::sc_signal<bool> irq{"irq"};

  explicit Bench(const sc_core::sc_module_name& name) : sc_module(name) {
    software.bind(fabric.regs);
    fabric.irq.bind(irq);
    SC_HAS_PROCESS(Bench);
    SC_METHOD(interrupt);
    sensitive << irq.posedge_event();
    dont_initialize();
  }

  /// Runs until `end`, or until `irq` rises.
  static void run_until(const sc_core::sc_time& end) { sc_core::sc_start(end - sc_core::sc_time_stamp()); }

 private:
  void interrupt() { sc_core::sc_pause(); }
};

/// SystemC keeps its simulation in a global of its own; so is what stands in it.
Bench& bench() {
  static Bench only{"lightloop"};
  return only;
}

std::atomic<bool>& in_use() {
  static std::atomic<bool> taken{false};
  return taken;
}

/// The right to use the simulation.
class Lease {
 public:
  Lease() {
    if (in_use().exchange(true))
      throw Error(ErrorKind::run,
                  "a process can hold one SystemC simulation, and its switch is in use: a second device \"sysc\" or "
                  "\"sysc-rtl\" needs a process of its own, or the first must go before; \"model\" may be made as "
                  "often as you like");
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() { in_use() = false; }
};

sysc::SwitchConfig shape_of(const DeviceConfig& config) {
  constexpr std::int64_t most_cycle = 0xFFFF'FFFF;
  const auto require = [](const char* what, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value < least || value > most)
      throw Error(ErrorKind::input, std::string("SystemC switch: ") + what + " is " + std::to_string(value) +
                                        ", but must be from " + std::to_string(least) + " to " + std::to_string(most));
  };
  require("ports", config.ports, 2, static_cast<std::int64_t>(most_ports));
  require("fifo_depth", config.fifo_depth, 1, 65535);
  require("word_bytes", config.word_bytes, 1, 65535);
  require("cycle in picoseconds", config.cycle.n, 1, most_cycle);
  if (config.words)
    throw Error(ErrorKind::input,
                "devices \"sysc\" and \"sysc-rtl\" count words but don't carry them; "
                "\"verilated\" does");
  sysc::SwitchConfig shape;
  shape.ports = static_cast<std::size_t>(config.ports);
  shape.fifo_depth = static_cast<std::size_t>(config.fifo_depth);
  shape.word_bytes = static_cast<std::uint16_t>(config.word_bytes);
  shape.cycle = sc_core::sc_time::from_value(static_cast<std::uint64_t>(config.cycle.n));  // its unit is 1 ps
  return shape;
}

class SystemcDevice final : public Device, RegisterBus, FabricClock {
 public:
  using MakeBody = std::function<std::unique_ptr<sysc::Body>(const sysc::SwitchConfig&)>;

  SystemcDevice(const DeviceConfig& config, const MakeBody& make)
      : cycle_(config.cycle),
        every_cycle_(!config.time_warp && config.stride_seed == 0),
        random_(config.stride_seed != 0),
        strides_(config.stride_seed) {
    const sysc::SwitchConfig shape = shape_of(config);
    fabric_.power_up(make(shape), shape);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  RegisterBus& bus() override { return *this; }
  FabricClock& clock() override { return *this; }

  ClockKind kind() const override { return ClockKind::virtual_time; }
  Picos cycle() const override { return cycle_; }
  Cycles now() override { return {static_cast<std::int64_t>(fabric_.cycle_now())}; }
  bool interrupt() override { return fabric_.irq_now(); }
  std::uint64_t edges() const override { return fabric_.evaluations(); }

  Cycles run_until(Cycles limit) override {
    while (now() < limit && !interrupt()) {
      Cycles target = limit;
      if (every_cycle_) target = now() + Cycles{1};
      if (random_) target = now() + Cycles{stride((limit - now()).n)};
      Bench::run_until(fabric_.begin_of(static_cast<std::uint64_t>(target.n)));
    }
    return now();
  }

  std::uint32_t read(std::uint32_t address) override {
    std::uint32_t value = 0;
    access(tlm::TLM_READ_COMMAND, address, value);
    return value;
  }

  void write(std::uint32_t address, std::uint32_t value) override { access(tlm::TLM_WRITE_COMMAND, address, value); }

  void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    constexpr unsigned word = sizeof value;
    std::array<unsigned char, word> enables{};
    for (unsigned k = 0; k < word; ++k) enables[k] = (strobes >> k & 1) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(address & ~3U);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(word);
    payload.set_streaming_width(word);
    payload.set_byte_enable_ptr(enables.data());
    payload.set_byte_enable_length(word);
    sc_core::sc_time now = sc_core::SC_ZERO_TIME;
    bench().software->b_transport(payload, now);
    judge(tlm::TLM_WRITE_COMMAND, address, payload.get_response_status());
  }

 private:
  /// Every second one is short, so that some end just before something happens.
  std::int64_t stride(std::int64_t most) {
    constexpr std::int64_t few = 4;
    const bool is_short = (strides_() & 1) != 0;
    return std::uniform_int_distribution<std::int64_t>(1, is_short ? std::min(most, few) : most)(strides_);
  }

  void access(tlm::tlm_command command, std::uint32_t address, std::uint32_t& value) {
    judge(command, address, sysc::access_register(bench().software, command, address & ~3U, value));
  }

  static void judge(tlm::tlm_command command, std::uint32_t address, tlm::tlm_response_status response) {
    if (response == tlm::TLM_OK_RESPONSE) return;
    std::array<char, 16> hex{};
    std::snprintf(hex.data(), hex.size(), "0x%05x", address);
    throw AccessRefused(std::string("the switch refused a ") + (command == tlm::TLM_READ_COMMAND ? "read" : "write") +
                        " at address " + hex.data() + " (TLM response " + std::to_string(response) + ")");
  }

  Lease lease_;
  sysc::SwitchModule& fabric_ = bench().fabric;
  Picos cycle_;
  bool every_cycle_, random_;
  std::mt19937_64 strides_;
};

}  // namespace

std::unique_ptr<Device> make_sysc(const DeviceConfig& config) {
  return std::make_unique<SystemcDevice>(config, sysc::make_tlm_body);
}

std::unique_ptr<Device> make_sysc_rtl(const DeviceConfig& config) {
  return std::make_unique<SystemcDevice>(config, [](const auto& shape) { return sysc::make_rtl_body(shape); });
}

std::unique_ptr<Device> make_sysc_rtl(const DeviceConfig& config, rtl::Waveform& waveform) {
  return std::make_unique<SystemcDevice>(
      config, [&waveform](const auto& shape) { return sysc::make_rtl_body(shape, waveform); });
}

}  // namespace ocs
