// Callbacks of the controller's platform, as functions of HostFirmware.
// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/rig.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "firmware/rv32/soc.h"
#include "host/device/model/model.hpp"
#include "rtl/regs/generated/ocs_regs.h"

namespace ocs::test {
namespace {

constexpr auto event_address =
    static_cast<std::uint32_t>(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, EVENT));
constexpr auto error_address =
    static_cast<std::uint32_t>(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, ERROR));
constexpr auto active_address =
    static_cast<std::uint32_t>(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, ACTIVE));
constexpr auto state_address =
    static_cast<std::uint32_t>(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, STATE));

constexpr int refused_access = 1;

HostFirmware& self(void* context) { return *static_cast<HostFirmware*>(context); }

}  // namespace

/// What ocs_app asks of its machine.
extern "C" {
std::uint32_t ocs_platform_command_head(void* c) { return self(c).head; }
std::uint32_t ocs_platform_command_tail(void* c) { return self(c).tail; }
void ocs_platform_commands_taken(void* c, std::uint32_t tail) { self(c).take_commands(tail); }
std::uint32_t ocs_platform_answer_head(void* c) { return self(c).answer_head; }
std::uint32_t ocs_platform_answer_tail(void* c) { return self(c).answer_tail; }
void ocs_platform_answers_written(void* c, std::uint32_t head, bool alert) {
  self(c).answer_head = head;
  self(c).alerted = self(c).alerted || alert;
}
std::uint64_t ocs_platform_time(void* c) { return static_cast<std::uint64_t>(self(c).now()); }
void ocs_platform_hold(void* c, std::uint64_t cycle) { self(c).hold = cycle; }
void ocs_platform_wake_at(void* c, std::uint64_t cycle) { self(c).wake = cycle; }
bool ocs_platform_event(void* c, std::uint32_t* event, std::uint32_t* cycle) {
  return self(c).next_event(*event, *cycle);
}
bool ocs_platform_events_lost(void* c) {
  const bool one = std::exchange(self(c).lose_one, false);
  return std::exchange(self(c).lose_events, false) || one;
}
std::uint32_t ocs_platform_bus_errors(void* c) { return self(c).refused; }
void ocs_platform_log(void* c, const char* text, std::uint32_t first, std::uint32_t second) {
  self(c).print(text, first, second);
}
void ocs_platform_hang(void* c) { self(c).hung = true; }
}

HostFirmware::HostFirmware(int ports, int fifo_depth)
    : device_(make_model({.ports = ports, .fifo_depth = fifo_depth})) {}

std::uint32_t HostFirmware::start(std::uint32_t cause) {
  const ocs_platform machine = platform();
  return ocs_app_start(&app_, &machine, cause, 12345);
}

ocs_platform HostFirmware::platform() {
  ocs_platform p{};
  p.context = this;
  p.bus = {this,
           [](void* context, std::uint32_t address, std::uint32_t* value) {
             HostFirmware& f = self(context);
             *value = 0;
             const bool done = f.access(address, [&] { *value = f.device_->bus().read(address); });
             if (f.lie) *value = f.lie(address) != 0 ? f.lie(address) : *value;
             return done ? 0 : refused_access;
           },
           [](void* context, std::uint32_t address, std::uint32_t value) {
             HostFirmware& f = self(context);
             f.wait_for_hold();
             return f.access(address, [&] { f.device_->bus().write(address, value); }) ? 0 : refused_access;
           }};
  p.commands = commands_.data();
  p.answers = answers_.data();
  return p;
}

bool HostFirmware::access(std::uint32_t address, const std::function<void()>& made) {
  try {
    if (refuse && refuse(address)) throw AccessRefused("as the test wants it");
    made();
    return true;
  } catch (const AccessRefused&) {
    ++refused;
    return false;
  }
}

/// Time that the core works; it ends where the watchdog would bite.
void HostFirmware::pass(std::int64_t cycles) {
  bitten = bitten || now() + cycles > watched_ + SOC_WATCHDOG_CYCLES;
  const std::int64_t end = bitten ? now() : now() + cycles;
  while (now() < end) {
    device_->clock().run_until(Cycles{end});
    read_events();
    if (device_->clock().interrupt()) take_errors();
  }
}

void HostFirmware::take_commands(std::uint32_t to) {
  tail = to;
  watched_ = now();
}

bool HostFirmware::next_event(std::uint32_t& event, std::uint32_t& cycle) {
  pass(event_cycles);
  read_events();
  if (lose_events) events_.clear();
  if (events_.empty()) return false;
  std::tie(event, cycle) = events_.front();
  events_.pop_front();
  return true;
}

void HostFirmware::print(const char* text, std::uint32_t first, std::uint32_t second) {
  std::array<char, 100> line{};
  std::snprintf(line.data(), line.size(), text, first, second);
  log.emplace_back(line.data());
}

void HostFirmware::read_events() {
  for (std::uint32_t word = device_->bus().read(event_address); (word & OCS_REGS__CORE__EVENT__VALID_bm) != 0;
       word = device_->bus().read(event_address))
    events_.emplace_back(word, static_cast<std::uint32_t>(now()));
}

void HostFirmware::wait_for_hold() {
  while (hold && *hold > static_cast<std::uint64_t>(now())) {
    device_->clock().run_until(Cycles{static_cast<std::int64_t>(*hold)});
    read_events();
    if (device_->clock().interrupt()) take_errors();
  }
  hold.reset();
}

void HostFirmware::work() {
  do {
    watched_ = now();
    ocs_app_work(&app_);
  } while (!events_.empty() && !bitten && event_cycles == 0);
}

void HostFirmware::post(std::span<const std::uint32_t> words) {
  for (const std::uint32_t word : words) commands_[head++ % OCS_MB_RING_WORDS] = word;
}

void HostFirmware::send(ocs_mb_command command, std::span<const std::uint32_t> payload) {
  post(mailbox_frame(command, ++sequence_, payload));
}

std::vector<MailboxAnswer> HostFirmware::answers() {
  std::vector<MailboxAnswer> all;
  while (answer_tail != answer_head) {
    std::vector<std::uint32_t> frame{answers_[answer_tail % OCS_MB_RING_WORDS]};
    for (std::uint32_t n = 1; n < OCS_MB_FRAME_WORDS + (frame[0] >> 16); ++n)
      frame.push_back(answers_[(answer_tail + n) % OCS_MB_RING_WORDS]);
    answer_tail += static_cast<std::uint32_t>(frame.size());
    all.push_back(read_answer(frame));
  }
  return all;
}

MailboxAnswer HostFirmware::ask(ocs_mb_command command, std::span<const std::uint32_t> payload) {
  send(command, payload);
  work();
  std::optional<MailboxAnswer> found;
  for (const MailboxAnswer& answer : answers()) {
    if (answer.alarm()) {
      alarms.push_back(answer);
      continue;
    }
    if (found) throw std::logic_error("two answers");
    found = answer;
  }
  if (!found || found->code != command || found->sequence != sequence_) throw std::logic_error("no answer");
  return *found;
}

void HostFirmware::run(std::int64_t cycles) {
  const std::int64_t end = now() + cycles;
  while (now() < end) {
    const std::int64_t next = wake < static_cast<std::uint64_t>(end) ? static_cast<std::int64_t>(wake) : end;
    device_->clock().run_until(Cycles{next});
    work();
    for (const MailboxAnswer& answer : answers()) alarms.push_back(answer);
    if (device_->clock().interrupt()) take_errors();
  }
}

/// What the host would end its run for; here they'd stop the clock at the same cycle for ever.
void HostFirmware::take_errors() {
  const std::uint32_t sticky = device_->bus().read(error_address);
  errors |= sticky;
  device_->bus().write(error_address, sticky);
}

std::uint16_t HostFirmware::selected(std::uint16_t output) {
  const std::uint32_t active = device_->bus().read(active_address + 4u * output);
  return (active & OCS_REGS__PORT__ACTIVEX__VALID_bm) != 0 ? static_cast<std::uint16_t>(active & 0x1ff)
                                                           : static_cast<std::uint16_t>(OCS_DARK);
}

ocs_output_state HostFirmware::state(std::uint16_t output) {
  return static_cast<ocs_output_state>(device_->bus().read(state_address + 4u * output) & 7);
}

}  // namespace ocs::test
