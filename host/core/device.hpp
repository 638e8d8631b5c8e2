// A device is a register window and a clock, nothing else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/units.hpp"

namespace ocs {

/// 32-bit, aligned, in order. On a virtual device an access costs no fabric time.
class RegisterBus {
 public:
  virtual ~RegisterBus() = default;
  /// @param address byte address in the window (docs/registers.md). @throws Error (run) when the device refuses it.
  virtual std::uint32_t read(std::uint32_t address) = 0;
  virtual void write(std::uint32_t address, std::uint32_t value) = 0;
  /// Writes the bytes that `strobes` names, bit k for byte k: one access, none when it names none, all the same. A bus
  /// of whole words alone has no such access. @throws as write(), and there for all strobes but 0xF.
  virtual void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) {
    if (strobes != 0xF) throw Error(ErrorKind::run, "the bus of this device writes whole words alone");
    write(address, value);
  }
};

/// Thrown by a RegisterBus when the device answers SLVERR: the access had no effect but the sticky bit ACCESS.
class AccessRefused : public Error {
 public:
  explicit AccessRefused(const std::string& sentence) : Error(ErrorKind::run, sentence) {}
};

enum class ClockKind : std::uint8_t { virtual_time, wall_time };

class FabricClock {
 public:
  virtual ~FabricClock() = default;
  virtual ClockKind kind() const = 0;
  virtual Picos cycle() const = 0;             ///< what the hardware says, not what the experiment hopes
  virtual Cycles now() = 0;                    ///< all cycles below it are history; it has not happened itself
  virtual Cycles run_until(Cycles limit) = 0;  ///< ends at the smallest cycle <= limit in which `irq` is high (at once,
                                               ///< if it is or limit is past); returns now()
  virtual bool interrupt() { return true; }    ///< the interrupt line; where it can't be seen, true: ask the registers
  virtual std::uint64_t edges() const = 0;     ///< clock edges evaluated so far (bus edges included); 0 if meaningless
  virtual std::uint64_t words_compared() const {
    return 0;
  }  ///< words that left an output and were compared bit by bit; 0 unless DeviceConfig::words
  virtual std::chrono::nanoseconds evaluation() const {
    return {};
  }  ///< wall time of these; 0 unless
     ///< DeviceConfig::stopwatch, and if none has any
};

/// The way to firmware that owns the registers: rings of frames (firmware/ocs_mailbox.h). Its accesses cost no fabric
/// time.
class Mailbox {
 public:
  using ConsoleLine = std::function<void(Cycles, std::string_view)>;  ///< printed by the firmware, with its cycle
  using Fetch = std::function<void(Cycles, std::uint32_t)>;           ///< an instruction is fetched from this address

  virtual ~Mailbox() = default;
  /// Sends a frame and rings the doorbell; false: the ring has no room for it.
  virtual bool post(std::span<const std::uint32_t> frame) = 0;
  /// Takes the next frame that the firmware has sent; false: there is none.
  virtual bool take(std::vector<std::uint32_t>& frame) = 0;
  /// Bad news stands among the frames that haven't been taken: it stops the clock like an interrupt.
  virtual bool alerted() const = 0;
  virtual void on_console(ConsoleLine) = 0;  ///< tells at once what was printed before, the first 100 lines of it
  virtual void on_fetch(Fetch) = 0;
  virtual std::string_view function_at(std::uint32_t address) const = 0;  ///< of an image; empty if unknown
  virtual std::uint64_t core_cycles() const = 0;                          ///< in which the core has run, not slept
};

/// One device: what the driver needs and nothing more. A catalogue makes them by name.
class Device {
 public:
  virtual ~Device() = default;
  virtual RegisterBus& bus() = 0;
  virtual FabricClock& clock() = 0;
  /// Where firmware owns the registers: commands go here, and the bus is to look on. Else nullptr.
  virtual Mailbox* mailbox() { return nullptr; }
};

/// What a device is to be built as; elaboration parameters of the hardware.
struct DeviceConfig {
  int ports = 16;                 ///< N, 2 to 256; 0: a device that is somewhere is only looked at, whatever it is
  int fifo_depth = 64;            ///< records of the event FIFO
  int word_bytes = 64;            ///< shown in CAP_WORD
  Picos cycle{5120};              ///< shown in CYCLE_PS
  bool time_warp = true;          ///< false: every edge stands for one cycle
  std::uint64_t stride_seed = 0;  ///< not 0: strides are drawn at random below the horizon (tests)
  bool words = false;             ///< words of 512 bits really cross, are supplied and compared (fast core only)
  bool stopwatch = false;         ///< FabricClock::evaluation() is measured
  std::string place{};            ///< of a device that is somewhere: a path
};

}  // namespace ocs
