// A model switch on the bench: short words for register programs, states and events as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/core/device.hpp"
#include "ocs_regs.h"

/// Address of a register; arrays are indexed by the functions of Bench.
#define REG(member) static_cast<std::uint32_t>(offsetof(ocs_regs_t, member))

namespace ocs::test {

/// Events and states are compared as text: "3 o1 TUNING", "5 commit 0", "9 i2 DONE".
using Texts = std::vector<std::string>;

class Bench {
 public:
  explicit Bench(const DeviceConfig& config);
  explicit Bench(int ports);

  std::uint32_t read(std::uint32_t address) { return device_->bus().read(address); }
  void write(std::uint32_t address, std::uint32_t value) { device_->bus().write(address, value); }
  std::uint64_t read64(std::uint32_t address);
  void write64(std::uint32_t address, std::uint64_t value);

  /// An element of an array of 32-bit or 64-bit registers.
  std::uint32_t get(std::uint32_t address, std::size_t k) { return read(element(address, k, 4)); }
  void set(std::uint32_t address, std::size_t k, std::uint32_t value) { write(element(address, k, 4), value); }
  std::uint64_t counter(std::uint32_t address, std::size_t k) { return read64(element(address, k, 8)); }

  /// SHADOW: a circuit, or none.
  void circuit(std::size_t o, std::uint32_t input) {
    set(REG(port.SHADOW), o, OCS_REGS__PORT__SHADOWX__VALID_bm | input);
  }
  void no_circuit(std::size_t o) { set(REG(port.SHADOW), o, 0); }
  void commit() { write(REG(core.COMMIT), 1); }
  /// T and L of an output.
  void delays(std::size_t o, std::uint32_t tuning, std::uint32_t locking);
  void pair(std::size_t o, std::size_t i, std::uint32_t cycles) { set(REG(PAIR), o * 256 + i, cycles); }
  /// A burst's parameters, and START.
  void burst(std::size_t i, std::uint32_t length, std::uint32_t gap = 0, std::uint32_t repeat = 0, bool gated = false,
             std::uint32_t tag = 0);
  void start(std::size_t i) { set(REG(core.START), i / 32, 1u << (i % 32)); }
  void stop(std::size_t i) { set(REG(core.STOP), i / 32, 1u << (i % 32)); }
  void retry(std::size_t o) { set(REG(core.RETRY), o / 32, 1u << (o % 32)); }
  /// Stores the shadow map as an entry of the idle bank.
  void store(std::uint32_t entry, std::uint32_t offset);
  void go(std::uint64_t base, std::uint32_t length, std::uint32_t period);

  void run(std::int64_t cycles) { run_until(now() + cycles); }
  std::int64_t run_until(std::int64_t limit) { return device_->clock().run_until({limit}).n; }
  std::int64_t now() { return device_->clock().now().n; }
  std::uint64_t edges() { return device_->clock().edges(); }

  std::string state(std::size_t o);
  std::uint32_t cause(std::size_t o);

  /// One letter a cycle (I T L U H F) for each output, from the present cycle on for `cycles` cycles.
  std::vector<std::string> trace(std::vector<std::size_t> outputs, int cycles);

  /// A digit for each of the next cycles: the words that input `i` offers in it.
  std::string offered(std::size_t i, int cycles);

  /// All events that wait.
  Texts events();

  /// SEG, SEG_FIRST, SEG_COUNT: "i1 tag 5 words 3+5".
  std::string segment(std::size_t o);

 private:
  static std::uint32_t element(std::uint32_t address, std::size_t k, std::size_t bytes) {
    return address + static_cast<std::uint32_t>(k * bytes);
  }
  std::unique_ptr<Device> device_;
};

}  // namespace ocs::test
