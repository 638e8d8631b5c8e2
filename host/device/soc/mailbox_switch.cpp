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
  std::optional<int> power(Output output) override;
  std::optional<Refusal> commit(const Commit& commit) override;
  std::optional<Refusal> start(const Burst& burst) override;
  std::optional<Refusal> repeat(std::span<const Commit> table, Cycles period) override;
  std::optional<Refusal> stop(Id burst) override;
  void take_events(std::vector<Event>& append) override;
  std::optional<Refusal> set_dead(std::uint16_t port, bool dead) override;
  std::optional<Refusal> set_mirror_fault(Output output, MirrorFault fault, Cycles amount) override;
  std::optional<Refusal> retry(Output output) override;

 private:
  void set_up(const SwitchConfig& config);
  void set_delays(const SwitchDelays& delays);
  void set_draws(const SwitchDelays& delays);
  void set_receivers(const Receivers& receivers);
  void set_light(const LightLevel& light);
  void send_faults(std::uint16_t port, std::uint32_t fault, bool there);
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
  SwitchMap map_;                      ///< after the last commit given
  std::vector<std::uint32_t> faults_;  ///< FAULT of each port
  bool keeps_ = false;                 ///< a stuck mirror was told to keep its light: its words are counted
  std::deque<std::uint32_t> asked_;    ///< commands that have no answer yet
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
      map_(dev_.ports, OCS_DARK),
      faults_(dev_.ports, 0) {
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

/// As set_switch_delays: BASE of an output becomes the shortest of its pairs, PAIR what each has beyond it.
void MailboxSwitch::set_delays(const SwitchDelays& delays) {
  check_switch_delays(dev_, delays);
  if (delays.programming.n > 0)
    send(OCS_MB_PROGRAMMING, std::array{low(delays.programming.n), static_cast<std::uint32_t>(delays.lanes)});
  set_draws(delays);
  if (delays.neighbours.any()) {
    send(OCS_MB_DISTURB, std::array{low(delays.neighbours.disturbed.n), delays.neighbours.distances});
    mirror_.disturbs_at = delays.neighbours.distances;
  }
  if (delays.light) set_light(*delays.light);
  for (std::uint16_t o = 0; o < dev_.ports; ++o) {
    const OutputDelays own = delays_of(delays, Output{o}, dev_.ports);
    send(OCS_MB_DELAYS, std::array{std::uint32_t{o}, low(own.base.n), low(own.locking.n)});
    if (own.more.empty()) continue;
    std::vector<std::uint32_t> payload{std::uint32_t{o} << 16};
    for (const Cycles more : own.more) payload.push_back(low(more.n));
    send(OCS_MB_PAIRS, payload);
  }
}

/// What is drawn anew for each circuit.
void MailboxSwitch::set_draws(const SwitchDelays& delays) {
  if (delays.jitter.n > 0 || delays.receivers) send(OCS_MB_SEED, std::array{delays.seed});
  if (delays.receivers) set_receivers(*delays.receivers);
  if (delays.jitter.n == 0) return;
  for (std::uint16_t o = 0; o < dev_.ports; ++o)
    send(OCS_MB_JITTER, std::array{std::uint32_t{o}, low(delays.jitter.n)});
}

void MailboxSwitch::set_receivers(const Receivers& receivers) {
  std::vector<std::uint32_t> payload{low(receivers.warm_time.n)};
  for (const auto* const points : {&receivers.warm, &receivers.cold})
    for (const Cycles point : *points) payload.push_back(low(point.n));
  send(OCS_MB_RECEIVERS, payload);
}

void MailboxSwitch::set_light(const LightLevel& light) {
  for (std::uint16_t p = 0; p < dev_.ports; ++p)
    send(OCS_MB_POWER, std::array{std::uint32_t{p}, low(light.laser_of(Input{p})), low(light.loss_of(Output{p}))});
  if (!light.detected) return;
  mirror_.dims = true;
  if (light.any_ring()) send(OCS_MB_RINGING, std::array{low(light.ring_after.n), low(light.ring.n), low(light.rings)});
  send(OCS_MB_LIGHT, std::array{1U, low(light.threshold), low(light.hysteresis), low(light.lost.n), low(light.back.n)});
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
          .ahead = true,
          .power = (dev_.options & OCS_REGS__CAP_OPTIONS__POWER_bm) != 0};
}

Counters MailboxSwitch::counters(std::uint16_t port) {
  if (port >= dev_.ports)
    throw Error(ErrorKind::input,
                "port " + std::to_string(port) + " isn't one of this switch's " + std::to_string(dev_.ports));
  return read_switch_counters(bus_, dev_, port, keeps_);
}

std::optional<int> MailboxSwitch::power(Output output) { return read_power(bus_, dev_, output); }

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

/// One command has all faults of a port: the others stay.
void MailboxSwitch::send_faults(std::uint16_t port, std::uint32_t fault, bool there) {
  faults_[port] = with_faults(faults_[port], fault, there);
  send(OCS_MB_INJECT, std::array{std::uint32_t{port}, faults_[port]});
}

std::optional<Refusal> MailboxSwitch::set_dead(std::uint16_t port, bool dead) {
  if (auto refusal = refusal_of_faults(dev_, port)) return refusal;
  send_faults(port, OCS_REGS__PORT__FAULTX__DEAD_bm, dead);
  return std::nullopt;
}

std::optional<Refusal> MailboxSwitch::set_mirror_fault(Output output, MirrorFault fault, Cycles amount) {
  if (auto refusal = refusal_of_mirror_fault(dev_, output, fault, amount)) return refusal;
  const std::uint16_t o = index(output);
  keeps_ = keeps_ || fault == MirrorFault::kept;
  if (fault_bits(fault) != 0) send_faults(o, fault_bits(fault), amount.n > 0);
  if (fault == MirrorFault::slow) send(OCS_MB_SLOW, std::array{std::uint32_t{o}, low(amount.n)});
  if (fault == MirrorFault::flap) send(OCS_MB_FLAP, std::array{std::uint32_t{o}, low(amount.n)});
  return std::nullopt;
}

/// The firmware leaves out an output that has not failed by then, or for want of light.
std::optional<Refusal> MailboxSwitch::retry(Output output) {
  if (auto refusal = refusal_of_output(dev_, output)) return refusal;
  const std::uint16_t o = index(output);
  send(OCS_MB_RETRY, std::array{std::uint32_t{o}});
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Switch> make_mailbox_switch(Device& device, const SwitchConfig& config) {
  return std::make_unique<MailboxSwitch>(device, config);
}

}  // namespace ocs
