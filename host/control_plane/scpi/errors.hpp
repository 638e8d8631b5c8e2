// Errors of SCPI-99 by number, and the status registers of IEEE 488.2 that they show up in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <string>
#include <string_view>

namespace ocs::serve::scpi {

/// The standard's text for an error number; empty if it isn't one that lightloop uses.
std::string_view text_of(int number);

/// Thrown within this room by what carries a command out; the session queues it.
class ScpiError : public std::exception {
 public:
  /// @param more what the standard's text doesn't say
  explicit ScpiError(int number, std::string more = "") : number_(number), more_(std::move(more)) {}
  int number() const noexcept { return number_; }
  const std::string& more() const noexcept { return more_; }
  const char* what() const noexcept override { return more_.c_str(); }

 private:
  int number_;
  std::string more_;
};

enum EventStatus : std::uint8_t {
  operation_complete = 1,
  query_error = 4,
  device_error = 8,
  execution_error = 16,
  command_error = 32,
  power_on = 128
};

/// One of the two SCPI status registers: condition, events that are latched when a bit rises, and their mask.
struct StatusRegister {
  std::uint16_t condition = 0, event = 0, enable = 0;
  void set(std::uint16_t now) {
    event = static_cast<std::uint16_t>(event | (now & ~condition));
    condition = now;
  }
};

inline constexpr std::uint16_t settling = 1U << 1;     ///< OPERation: an output is on its way
inline constexpr std::uint16_t failed_port = 1U << 9;  ///< QUEStionable: an output has FAILED

/// Status and errors of one connection. The queue holds 32 entries.
class Status {
 public:
  void raise(const ScpiError& error);
  void clear();              ///< *CLS
  std::string next_error();  ///< oldest one, taken out: -113,"Undefined header;FOO"
  std::size_t errors() const { return queue_.size(); }
  std::uint8_t take_events();        ///< ESR, cleared
  std::uint8_t status_byte() const;  ///< STB with MSS in bit 6

  std::uint8_t event_enable = 0, service_enable = 0, events = power_on;
  StatusRegister operation, questionable;

 private:
  std::deque<std::string> queue_;
};

}  // namespace ocs::serve::scpi
