// A switch whose clock goes on by itself: a device over a bus to its registers and, if there is one, its interrupt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "host/core/device.hpp"

namespace ocs {

/// What wakes the host. Without a line, `wait` sleeps.
class InterruptLine {
 public:
  virtual ~InterruptLine() = default;
  /// The caller arms before it looks at the registers: what happens from then on ends a wait.
  virtual void arm() {}
  /// Waits until the line rises or `patience` has passed; may return early. @throws Error (run) if the line is gone.
  virtual void wait(std::chrono::nanoseconds patience) = 0;
};

/// Sleeps, at most `longest` at a time: without an interrupt, registers are read at this interval.
std::unique_ptr<InterruptLine> make_no_interrupt(std::chrono::nanoseconds longest);

/// Probes what is behind the bus, holds it against `config` (ports, cycle, word), and resets it.
/// @param where how errors call it: "mapped:/dev/uio0". @throws Error (run) if no switch of this register map answers;
///        Error (input) if it is another one than configured, with what to write instead. With config.ports = 0 it is
///        neither compared nor reset.
std::unique_ptr<Device> make_board(const std::string& where, std::unique_ptr<RegisterBus> bus,
                                   std::unique_ptr<InterruptLine> interrupt, const DeviceConfig& config);

/// The same check and reset alone.
void take_board(const std::string& where, RegisterBus& bus, const DeviceConfig& config);

}  // namespace ocs
