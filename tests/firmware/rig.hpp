// The switch's controller on the host: the sources of the firmware, against the model device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "firmware/ocs_app.h"
#include "host/core/device.hpp"
#include "host/device/soc/mailbox_frames.hpp"

namespace ocs::test {

/// An entry of a map.
constexpr std::uint32_t entry(std::uint32_t output, std::uint32_t input) { return output << 16 | input; }

/// A machine for ocs_app: rings in memory, the model as switch. Work costs no time; time passes in run() alone.
class HostFirmware {
 public:
  explicit HostFirmware(int ports = 4, int fifo_depth = 64);
  /// Starts the controller (again): failed self-tests.
  std::uint32_t start(std::uint32_t cause = OCS_MB_RESET_POWER);

  /// Puts words into the command ring without looking at them.
  void post(std::span<const std::uint32_t> words);
  void send(ocs_mb_command command, std::span<const std::uint32_t> payload);
  void send(ocs_mb_command command, std::initializer_list<std::uint32_t> payload) { send(command, words(payload)); }
  /// All answers and alarms since the last call.
  std::vector<MailboxAnswer> answers();
  /// Sends, works, and gives the one answer; alarms go to `alarms`. @throws std::logic_error for none or several.
  MailboxAnswer ask(ocs_mb_command command, std::span<const std::uint32_t> payload);
  MailboxAnswer ask(ocs_mb_command command, std::initializer_list<std::uint32_t> payload) {
    return ask(command, words(payload));
  }
  /// Lets `cycles` pass; the controller works at each event and whenever it wanted to be woken.
  void run(std::int64_t cycles);
  /// Until nothing is left that would keep it from sleeping.
  void work();
  std::uint16_t selected(std::uint16_t output);
  ocs_output_state state(std::uint16_t output);
  std::int64_t now() { return device_->clock().now().n; }

  ocs_app& app() { return app_; }
  Device& device() { return *device_; }
  std::vector<MailboxAnswer> alarms;
  std::vector<std::string> log;
  std::uint32_t refused = 0;                        ///< accesses
  std::function<bool(std::uint32_t)> refuse;        ///< whether an access to this address is refused
  std::uint32_t errors = 0;                         ///< of the register ERROR, seen and cleared while time passed
  std::function<std::uint32_t(std::uint32_t)> lie;  ///< what a read of this address gives instead
  std::uint32_t tail = 0, answer_head = 0, answer_tail = 0, head = 0;
  std::uint64_t wake = OCS_APP_NEVER;  ///< what the controller has asked for last
  std::optional<std::uint64_t> hold;
  bool lose_events = false, hung = false, alerted = false;
  bool lose_one = false;          ///< an event is lost behind those that wait
  std::int64_t event_cycles = 0;  ///< that pass while an event is served
  bool bitten = false;            ///< the watchdog would have reset a core that has served events for so long

  // For the platform's functions.
  bool next_event(std::uint32_t& event, std::uint32_t& cycle);
  void take_commands(std::uint32_t to);
  void print(const char* text, std::uint32_t first, std::uint32_t second);

 private:
  static std::span<const std::uint32_t> words(std::initializer_list<std::uint32_t> list) {
    return {list.begin(), list.size()};
  }
  ocs_platform platform();
  void read_events();
  bool access(std::uint32_t address, const std::function<void()>& made);
  void pass(std::int64_t cycles);
  void wait_for_hold();
  void take_errors();

  std::unique_ptr<Device> device_;
  std::vector<std::uint32_t> commands_ = std::vector<std::uint32_t>(OCS_MB_RING_WORDS);
  std::vector<std::uint32_t> answers_ = std::vector<std::uint32_t>(OCS_MB_RING_WORDS);
  std::deque<std::pair<std::uint32_t, std::uint32_t>> events_;
  std::uint32_t sequence_ = 0;
  std::int64_t watched_ = 0;  ///< the watchdog was set in this cycle
  ocs_app app_{};
};

}  // namespace ocs::test
