// The Switch seam over a register window: turns commits and bursts into the fewest accesses.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/register_switch.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <string>
#include <utility>

#include "host/device/register_switch_mirror.hpp"
#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {
namespace {

constexpr std::int64_t max_delay = (std::int64_t{1} << 30) - 1;
constexpr std::int64_t max_word = (std::int64_t{1} << 32) - 1;

std::string text(std::int64_t n) { return std::to_string(n); }

Refusal refuse(const std::string& why) { return {why, std::nullopt}; }

/// Probed before anything else is built on it.
ocs_dev probed(DriverBus& bus) {
  ocs_dev dev{};
  bus.check(ocs_probe(&dev, bus.c()));
  return dev;
}

class RegisterSwitch final : public Switch {
 public:
  RegisterSwitch(Device& device, const SwitchConfig& config);
  FabricClock& clock() override { return clock_; }
  Constants constants() override;
  Counters counters(std::uint16_t port) override;
  std::optional<Refusal> commit(const Commit& commit) override;
  std::optional<Refusal> start(const Burst& burst) override;
  std::optional<Refusal> repeat(std::span<const Commit> table, Cycles period) override;
  std::optional<Refusal> stop(Id burst) override;
  void take_events(std::vector<Event>& append) override;

 private:
  void check_config() const;
  std::optional<Refusal> refusal_of(const Commit& commit, Cycles now) const;
  std::optional<Refusal> conflict_of(const Commit& commit, const std::bitset<max_ports>& named) const;

  FabricClock& clock_;
  SwitchConfig config_;
  DriverBus bus_;
  ocs_dev dev_;
  SwitchMirror mirror_;
  std::vector<Event> unread_;  ///< drained on the way, not taken yet
};

RegisterSwitch::RegisterSwitch(Device& device, const SwitchConfig& config)
    : clock_(device.clock()), config_(config), bus_(device.bus()), dev_(probed(bus_)), mirror_(bus_, dev_, clock_) {
  check_config();
  std::uint32_t waiting = 0;
  bus_.check(ocs_irq_status(&dev_, &waiting));
  if (waiting != 0)
    throw Error(ErrorKind::run, "the switch has unread events or errors (interrupt sources " + text(waiting) +
                                    "); it must be as after reset");
  bus_.check(ocs_set_modes(&dev_, config.all_stop, config.multicast));
  for (std::uint16_t o = 0; o < dev_.ports; ++o)
    bus_.check(ocs_set_delays(&dev_, o, static_cast<std::uint32_t>(config.tuning.n),
                              static_cast<std::uint32_t>(config.locking.n)));
  bus_.check(ocs_irq_enable(
      &dev_, OCS_REGS__IRQ_ENABLE__EVENT_bm | OCS_REGS__IRQ_ENABLE__OVERFLOW_bm | OCS_REGS__IRQ_ENABLE__ERROR_bm));
}

void RegisterSwitch::check_config() const {
  for (const auto& [name, delay] : {std::pair{"tuning", config_.tuning}, std::pair{"locking", config_.locking}})
    if (delay.n < 0 || delay.n > max_delay)
      throw Error(ErrorKind::input, std::string(name) + " of " + text(delay.n) +
                                        " cycles doesn't fit the switch: 0 to " + text(max_delay) + " cycles");
  if (config_.multicast && !(dev_.options & OCS_REGS__CAP_OPTIONS__MULTICAST_bm))
    throw Error(ErrorKind::input, "multicast is asked for, but this switch has no multicast option");
  if (config_.all_stop && !(dev_.options & OCS_REGS__CAP_OPTIONS__ALL_STOP_bm))
    throw Error(ErrorKind::input, "all-stop is asked for, but this switch has no all-stop option");
}

Constants RegisterSwitch::constants() {
  return {.ports = dev_.ports,
          .word_bytes = dev_.word_bytes,
          .multicast = config_.multicast,
          .all_stop = config_.all_stop,
          .cycle_exact = mirror_.is_virtual(),
          .min_lead = Cycles{0}};
}

Counters RegisterSwitch::counters(std::uint16_t port) {
  if (port >= dev_.ports)
    throw Error(ErrorKind::input, "port " + text(port) + " isn't one of this switch's " + text(dev_.ports));
  const auto read = [&](ocs_port_counter which) {
    std::uint64_t value = 0;
    bus_.check(ocs_counter(&dev_, which, port, &value));
    return static_cast<std::int64_t>(value);
  };
  return {.passed = Words{read(OCS_PASSED)},
          .lost = Words{read(OCS_LOST)},
          .unrouted = Words{read(OCS_UNROUTED)},
          .dark = Cycles{read(OCS_DARK_CYCLES)},
          .reconfigurations = read(OCS_TUNINGS)};
}

std::optional<Refusal> RegisterSwitch::refusal_of(const Commit& commit, Cycles now) const {
  if (mirror_.armed) return refuse("the timed commit of cycle " + text(mirror_.armed->n) + " hasn't been taken yet");
  if (commit.at < now && mirror_.is_virtual())
    return refuse("cycle " + text(commit.at.n) + " is past, it is cycle " + text(now.n));
  if (commit.at > now && mirror_.pending)
    return refuse("a commit of the present cycle hasn't been taken yet, and it would take this map");
  std::bitset<max_ports> named;
  for (const Select& select : commit.change) {
    const std::uint16_t o = index(select.out);
    if (o >= dev_.ports) return refuse("output " + text(o) + " isn't one of this switch's " + text(dev_.ports));
    if (select.in && index(*select.in) >= dev_.ports)
      return refuse("input " + text(index(*select.in)) + " isn't one of this switch's " + text(dev_.ports));
    if (named[o]) return refuse("output " + text(o) + " is named twice");
    named.set(o);
  }
  return config_.multicast ? std::nullopt : conflict_of(commit, named);
}

/// An input that two outputs of the resulting map select; named: the outputs that the commit names.
std::optional<Refusal> RegisterSwitch::conflict_of(const Commit& commit, const std::bitset<max_ports>& named) const {
  std::array<std::uint16_t, max_ports> fed{};  // output that an input feeds
  fed.fill(OCS_DARK);
  for (std::uint16_t o = 0; o < dev_.ports; ++o)
    if (!named[o] && mirror_.outputs[o].shadow != OCS_DARK) fed[mirror_.outputs[o].shadow] = o;
  for (const Select& select : commit.change) {
    if (!select.in) continue;
    std::uint16_t& other = fed[index(*select.in)];
    if (other != OCS_DARK)
      return Refusal{"input " + text(index(*select.in)) + " would feed outputs " + text(other) + " and " +
                         text(index(select.out)) + ", and multicast is off",
                     Select{Output{other}, select.in}};
    other = index(select.out);
  }
  return std::nullopt;
}

std::optional<Refusal> RegisterSwitch::commit(const Commit& commit) {
  mirror_.drain(unread_);
  const Cycles now = clock_.now();
  if (auto refusal = refusal_of(commit, now)) return refusal;
  for (const Select& select : commit.change) {
    OutputMirror& output = mirror_.outputs[index(select.out)];
    const std::uint16_t input = select.in ? index(*select.in) : std::uint16_t{OCS_DARK};
    if (output.shadow == input) continue;
    bus_.check(ocs_shadow_set(&dev_, index(select.out), input));
    output.shadow = input;
  }
  if (commit.at > now) {
    bus_.check(ocs_commit_at(&dev_, static_cast<std::uint64_t>(commit.at.n)));
    mirror_.armed = commit.at;
  } else {
    bus_.check(ocs_commit(&dev_));
    mirror_.pending = true;
  }
  return std::nullopt;
}

std::optional<Refusal> RegisterSwitch::start(const Burst& burst) {
  mirror_.drain(unread_);
  const std::uint16_t i = index(burst.in);
  if (i >= dev_.ports) return refuse("input " + text(i) + " isn't one of this switch's " + text(dev_.ports));
  EngineMirror& engine = mirror_.engines[i];
  if (engine.running) return refuse("burst " + text(index(engine.id)) + " still runs on input " + text(i));
  if (burst.length.n < 0 || burst.length.n > max_word)
    return refuse("a burst of " + text(burst.length.n) + " words isn't within 0 to " + text(max_word));
  const Cycles now = clock_.now();
  const std::int64_t gap = std::max<std::int64_t>(0, burst.not_before.n - (now.n + 1));
  if (gap > max_word) return refuse("a burst can wait for " + text(max_word) + " cycles, not " + text(gap));
  const ocs_burst set{.length = static_cast<std::uint32_t>(burst.length.n),
                      .gap = static_cast<std::uint32_t>(gap),
                      .repeat = 0,
                      .tag = static_cast<std::uint16_t>(engine.set.tag + 1),
                      .gated = burst.gated};
  bus_.check(ocs_burst_set(&dev_, i, &set, &engine.set));
  bus_.check(ocs_start(&dev_, i / 32, 1u << (i % 32)));
  engine = {.set = set, .id = burst.id, .started = now, .sent = engine.sent, .running = true, .stopped = false};
  return std::nullopt;
}

std::optional<Refusal> RegisterSwitch::repeat(std::span<const Commit>, Cycles) {
  return refuse("this driver plays no tables in the switch's sequencer: give each commit its own cycle");
}

std::optional<Refusal> RegisterSwitch::stop(Id burst) {
  mirror_.drain(unread_);
  for (std::uint16_t i = 0; i < dev_.ports; ++i) {
    EngineMirror& engine = mirror_.engines[i];
    if (!engine.running || engine.id != burst) continue;
    if (engine.started == clock_.now())
      return refuse("burst " + text(index(burst)) + " was started in this very cycle, and a start wins over a stop");
    bus_.check(ocs_stop(&dev_, i / 32, 1u << (i % 32)));
    engine.stopped = true;
    return std::nullopt;
  }
  return refuse("burst " + text(index(burst)) + " isn't running");
}

void RegisterSwitch::take_events(std::vector<Event>& append) {
  mirror_.drain(unread_);
  append.insert(append.end(), unread_.begin(), unread_.end());
  unread_.clear();
}

}  // namespace

std::unique_ptr<Switch> make_register_switch(Device& device, const SwitchConfig& config) {
  return std::make_unique<RegisterSwitch>(device, config);
}

}  // namespace ocs
