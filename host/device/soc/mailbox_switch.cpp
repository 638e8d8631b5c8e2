// Commands as frames, events from the hardware, answers held against what was asked.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/soc/mailbox_switch.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <utility>

#include "host/device/registers/register_switch_maps.hpp"
#include "host/device/registers/register_switch_mirror.hpp"
#include "host/device/registers/switch_delays.hpp"
#include "host/device/registers/switch_requests.hpp"
#include "host/device/soc/mailbox_clock.hpp"
#include "host/device/soc/mailbox_frames.hpp"
#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {
namespace {

constexpr Cycles set_up_limit{100'000'000};

Mailbox& mailbox_of(Device& device) {
  if (Mailbox* mailbox = device.mailbox()) return *mailbox;
  throw Error(ErrorKind::internal, "a mailbox switch needs a device with a mailbox");
}

std::uint32_t low(std::int64_t n) { return static_cast<std::uint32_t>(static_cast<std::uint64_t>(n)); }
std::uint32_t high(std::int64_t n) { return static_cast<std::uint32_t>(static_cast<std::uint64_t>(n) >> 32); }

class MailboxSwitch final : public Switch {
 public:
  MailboxSwitch(Device& device, const SwitchConfig& config);
  FabricClock& clock() override { return clock_; }
  Constants constants() override;
  Counters counters(std::uint16_t port) override;
  std::optional<Refusal> commit(const Commit& commit) override;
  std::optional<Refusal> start(const Burst& burst) override;
  std::optional<Refusal> repeat(std::span<const Commit> table, Cycles period) override;
  std::optional<Refusal> stop(Id burst) override;
  void take_events(std::vector<Event>& append) override;
  std::optional<Refusal> set_dead(std::uint16_t port, bool dead) override;

 private:
  void set_up(const SwitchConfig& config);
  void set_delays(const SwitchDelays& delays);
  void wait_for_answers();
  void send(ocs_mb_command command, std::span<const std::uint32_t> payload);
  void read_answers();

  Device& device_;
  MailboxOutbox outbox_;
  MailboxClock clock_;
  bool all_stop_, multicast_;
  DriverBus bus_;
  ocs_dev dev_;
  SwitchMirror mirror_;
  SwitchMap map_;                    ///< after the last commit given
  std::deque<std::uint32_t> asked_;  ///< commands that have no answer yet
  std::uint32_t sequence_ = 0;
  std::vector<Event> unread_;
};

MailboxSwitch::MailboxSwitch(Device& device, const SwitchConfig& config)
    : device_(device),
      outbox_(mailbox_of(device)),
      clock_(device.clock(), outbox_),
      all_stop_(config.all_stop),
      multicast_(config.multicast),
      bus_(device.bus()),
      dev_(probed(bus_)),
      mirror_(bus_, dev_, device.clock()),
      map_(dev_.ports, OCS_DARK) {
  set_up(config);
  clock_.begin();
}

void MailboxSwitch::set_up(const SwitchConfig& config) {
  const std::uint32_t modes =
      (config.all_stop ? OCS_MB_MODE_ALL_STOP : 0u) | (config.multicast ? OCS_MB_MODE_MULTICAST : 0u);
  check_modes(dev_, config.all_stop, config.multicast);
  send(OCS_MB_MODES, std::array{modes});
  set_delays(config.delays);
  wait_for_answers();
}

/// BASE of an output becomes the shortest of its pairs, PAIR what each has beyond it, as by set_switch_delays.
void MailboxSwitch::set_delays(const SwitchDelays& delays) {
  check_switch_delays(dev_, delays);
  if (delays.programming.n > 0)
    refuse("mirrors are to be programmed in turn, but registers are the firmware's, which has no command for it");
  if (delays.jitter.n > 0)
    refuse("tuning is to have jitter, but registers are the firmware's, which has no command for it");
  if (delays.receivers)
    refuse(
        "receivers are to lock by what they last received, but registers are the firmware's, which has no command "
        "for it");
  if (delays.neighbours.any())
    refuse(
        "mirrors are to disturb others when they move, but registers are the firmware's, which has no command for it");
  if (delays.light) refuse("light is to have a level, but registers are the firmware's, which has no command for it");
  for (std::uint16_t o = 0; o < dev_.ports; ++o) {
    const OutputDelays own = delays_of(delays, Output{o}, dev_.ports);
    send(OCS_MB_DELAYS, std::array{std::uint32_t{o}, low(own.base.n), low(own.locking.n)});
    if (own.more.empty()) continue;
    std::vector<std::uint32_t> payload{std::uint32_t{o} << 16};
    for (const Cycles more : own.more) payload.push_back(low(more.n));
    send(OCS_MB_PAIRS, payload);
  }
}

void MailboxSwitch::wait_for_answers() {
  const Cycles limit = device_.clock().now() + set_up_limit;
  while (!asked_.empty() && device_.clock().now() < limit) {
    outbox_.pump();
    device_.clock().run_until(device_.clock().now() + Cycles{100});
    read_answers();
  }
  if (!asked_.empty())
    throw Error(ErrorKind::run, "the firmware hasn't answered command " + mailbox_command_name(asked_.front()) +
                                    " for " + std::to_string(set_up_limit.n) + " cycles");
}

void MailboxSwitch::send(ocs_mb_command command, std::span<const std::uint32_t> payload) {
  outbox_.send(mailbox_frame(command, ++sequence_, payload));
  asked_.push_back(command);
}

void MailboxSwitch::read_answers() {
  MailboxFrame frame;
  while (outbox_.mailbox().take(frame)) {
    const MailboxAnswer answer = read_answer(frame);
    if (!answer.alarm()) {
      if (asked_.empty() || asked_.front() != answer.code)
        throw Error(ErrorKind::run, "the firmware answered command " + mailbox_command_name(answer.code) +
                                        ", which isn't what it was asked: " + told(answer));
      asked_.pop_front();
    }
    if (answer.status == OCS_MB_OK) continue;
    const std::string when =
        "in cycle " + std::to_string(static_cast<std::int64_t>(answer.cycle) - clock_.origin().n) + " ";
    throw Error(ErrorKind::run, answer.alarm() ? when + told(answer)
                                               : when + "the firmware refused command " +
                                                     mailbox_command_name(answer.code) + ", " + told(answer));
  }
}

Constants MailboxSwitch::constants() {
  return {.ports = dev_.ports,
          .word_bytes = dev_.word_bytes,
          .multicast = multicast_,
          .all_stop = all_stop_,
          .cycle_exact = mirror_.is_virtual(),
          .min_lead = Cycles{0},
          .ahead = true};
}

Counters MailboxSwitch::counters(std::uint16_t port) {
  if (port >= dev_.ports)
    throw Error(ErrorKind::input,
                "port " + std::to_string(port) + " isn't one of this switch's " + std::to_string(dev_.ports));
  return read_switch_counters(bus_, dev_, port);
}

std::optional<Refusal> MailboxSwitch::commit(const Commit& commit) {
  mirror_.drain(unread_);
  const Cycles now = clock_.now();
  if (commit.at < now)
    return refused("cycle " + std::to_string(commit.at.n) + " is past, it is cycle " + std::to_string(now.n));
  if (auto refusal = change_map(map_, commit.change, multicast_)) return refusal;
  const std::int64_t at = (commit.at + clock_.origin()).n;
  std::vector<std::uint32_t> payload{low(at), high(at)};
  for (const Select& select : commit.change) payload.push_back(map_entry(select));
  send(OCS_MB_MAP, payload);
  mirror_.given.push_back(map_);
  return std::nullopt;
}

std::optional<Refusal> MailboxSwitch::start(const Burst& burst) {
  mirror_.drain(unread_);
  const std::uint16_t i = index(burst.in);
  if (auto refusal = refusal_of(burst, dev_, mirror_)) return refusal;
  EngineMirror& engine = mirror_.engines[i];
  const Cycles now = clock_.now();
  if ((burst.not_before - now).n > max_word)
    return refused("a burst can wait for " + std::to_string(max_word) + " cycles, not " +
                   std::to_string((burst.not_before - now).n));
  engine.set.tag = static_cast<std::uint16_t>(engine.set.tag + 1);
  engine.set.length = low(burst.length.n);
  engine.set.gated = burst.gated;
  const Cycles first = std::max(burst.not_before, now + Cycles{1}) + clock_.origin();
  const std::uint32_t rate = low(OCS_FULL_RATE / burst.word.n) | (burst.gated ? OCS_MB_GATED : 0u);
  send(OCS_MB_BURST, std::array{std::uint32_t{i} | std::uint32_t{engine.set.tag} << 16, engine.set.length, low(first.n),
                                high(first.n), rate});
  engine = {.set = engine.set,
            .id = burst.id,
            .started = first - Cycles{1},
            .word = burst.word,
            .sent = engine.sent,
            .running = true,
            .stopped = false};
  return std::nullopt;
}

std::optional<Refusal> MailboxSwitch::repeat(std::span<const Commit>, Cycles) {
  return refused("the firmware takes no tables from controllers; devices \"verilated\" and \"model\" play them");
}

std::optional<Refusal> MailboxSwitch::stop(Id burst) {
  mirror_.drain(unread_);
  for (std::uint16_t i = 0; i < dev_.ports; ++i) {
    EngineMirror& engine = mirror_.engines[i];
    if (!engine.running || engine.id != burst) continue;
    send(OCS_MB_BURST_STOP, std::array{std::uint32_t{i}});
    engine.stopped = true;
    return std::nullopt;
  }
  return refused("burst " + std::to_string(index(burst)) + " isn't running");
}

void MailboxSwitch::take_events(std::vector<Event>& append) {
  mirror_.drain(unread_);
  read_answers();
  outbox_.pump();
  for (Event& event : unread_) {
    event.at = event.at - clock_.origin();
    append.push_back(event);
  }
  unread_.clear();
}

std::optional<Refusal> MailboxSwitch::set_dead(std::uint16_t port, bool dead) {
  if (port >= dev_.ports)
    return refused("port " + std::to_string(port) + " isn't one of this switch's " + std::to_string(dev_.ports));
  if (!(dev_.options & OCS_REGS__CAP_OPTIONS__FAULTS_bm)) return refused("this switch has no FAULTS option");
  send(OCS_MB_INJECT, std::array{std::uint32_t{port}, dead ? OCS_REGS__PORT__FAULTX__DEAD_bm : 0u});
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Switch> make_mailbox_switch(Device& device, const SwitchConfig& config) {
  return std::make_unique<MailboxSwitch>(device, config);
}

}  // namespace ocs
