// The switch behind a module's sockets: the transaction-level model, or the Verilated RTL.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ocs::sysc {

/// Counts cycles of its own, from 0; accesses are in force in the present one and cost none.
class Body {
 public:
  Body() = default;
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;
  virtual ~Body() = default;

  virtual std::size_t ports() const = 0;
  virtual std::uint64_t time() const = 0;
  /// The first cycle in which anything but counters may differ without an access; the largest number if none will.
  virtual std::uint64_t next_change() const = 0;
  /// Until time() is `cycle`, which isn't past.
  virtual void run_to(std::uint64_t cycle) = 0;
  virtual bool irq() const = 0;
  /// @param address byte address in the window of docs/registers.md; the lowest two bits are ignored.
  /// @return nothing, or false: refused (SLVERR).
  virtual std::optional<std::uint32_t> read(std::uint32_t address) = 0;
  /// @param strobes bit k: byte k of the word is written.
  virtual bool write(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) = 0;
  /// What is there now, the high words of 64 bits included, without any effect that a read or a refusal would have.
  /// @return nothing: no register is there, or only a read with its effect can show it.
  virtual std::optional<std::uint32_t> peek(std::uint32_t address) = 0;
  /// A word is on the pin of this input in the present cycle.
  virtual void offer(std::size_t input) = 0;
  /// Evaluations of a clock edge so far, or of actions where there is no clock.
  virtual std::uint64_t evaluations() const = 0;
};

}  // namespace ocs::sysc
