// A switch whose registers are behind a serial line: UARTBone, the framing of LiteX's bridges.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>

#include "host/core/device.hpp"

namespace ocs {

/// A line of bytes.
class ByteLine {
 public:
  virtual ~ByteLine() = default;
  virtual void send(std::span<const std::uint8_t> bytes) = 0;
  /// Fills `bytes` within `patience`. @return how many came; fewer: time was up. @throws Error (run): the line is gone.
  virtual std::size_t receive(std::span<std::uint8_t> bytes, std::chrono::milliseconds patience) = 0;
  virtual void forget_input() = 0;  ///< what has come and wasn't received
};

/// A serial port, raw, 8N1. @param place its path; "@BAUD" at its end sets the rate, else 115200. @throws Error (input)
/// if it can't be opened or set so.
std::unique_ptr<ByteLine> open_serial_line(const std::string& place);

/// Each access is one transaction. A write has no answer; a refused access reads 0 and shows in the switch's sticky
/// ACCESS alone. @throws Error (run) from its members when no answer comes within three seconds, or the line is gone.
std::unique_ptr<RegisterBus> make_uartbone(std::unique_ptr<ByteLine> line, const std::string& where);

/// @param config.place as open_serial_line takes it. There is no interrupt: the registers are asked.
std::unique_ptr<Device> make_uart(const DeviceConfig& config);

}  // namespace ocs
