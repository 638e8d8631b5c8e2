// The Switch seam over a register window: turns commits and bursts into the fewest accesses.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/registers/register_switch.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "host/device/registers/register_switch_maps.hpp"
#include "host/device/registers/register_switch_mirror.hpp"
#include "host/device/registers/switch_delays.hpp"
#include "host/device/registers/switch_requests.hpp"
#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {
namespace {

class RegisterSwitch final : public Switch {
 public:
  RegisterSwitch(Device& device, const SwitchConfig& config);
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
  std::optional<Refusal> refusal_at(Cycles at, Cycles now) const;
  void write_faults(std::uint16_t port, std::uint32_t fault, bool there);
  void set_shadow(const SwitchMap& map, bool commit);
  SwitchMap shadow() const;
  void forget_stopped_table(Cycles now);

  FabricClock& clock_;
  SwitchConfig config_;
  DriverBus bus_;
  ocs_dev dev_;
  SwitchMirror mirror_;
  std::vector<std::uint32_t> faults_;   ///< FAULT of each port
  bool keeps_ = false;                  ///< a stuck mirror was told to keep its light: its words are counted
  std::vector<Event> unread_;           ///< drained on the way, not taken yet
  std::vector<std::uint16_t> changed_;  ///< entries of the shadow map that are being written
};

RegisterSwitch::RegisterSwitch(Device& device, const SwitchConfig& config)
    : clock_(device.clock()),
      config_(config),
      bus_(device.bus()),
      dev_(probed(bus_)),
      mirror_(bus_, dev_, clock_),
      faults_(dev_.ports, 0) {
  check_modes(dev_, config.all_stop, config.multicast);
  std::uint32_t waiting = 0;
  bus_.check(ocs_irq_status(&dev_, &waiting));
  if (waiting != 0)
    throw Error(ErrorKind::run, "the switch has unread events or errors (interrupt sources " + std::to_string(waiting) +
                                    "); it must be as after reset");
  bus_.check(ocs_set_modes(&dev_, config.all_stop, config.multicast));
  if (mirror_.brief()) bus_.check(ocs_set_brief(&dev_, true));
  set_switch_delays(bus_, dev_, config.delays);
  if (config.delays.neighbours.any()) mirror_.disturbs_at = config.delays.neighbours.distances;
  mirror_.dims = config.delays.light && config.delays.light->detected;
  bus_.check(ocs_irq_enable(
      &dev_, OCS_REGS__IRQ_ENABLE__EVENT_bm | OCS_REGS__IRQ_ENABLE__OVERFLOW_bm | OCS_REGS__IRQ_ENABLE__ERROR_bm));
}

Constants RegisterSwitch::constants() {
  return {.ports = dev_.ports,
          .word_bytes = dev_.word_bytes,
          .multicast = config_.multicast,
          .all_stop = config_.all_stop,
          .cycle_exact = mirror_.is_virtual(),
          .min_lead = Cycles{0},
          .power = (dev_.options & OCS_REGS__CAP_OPTIONS__POWER_bm) != 0};
}

Counters RegisterSwitch::counters(std::uint16_t port) {
  if (port >= dev_.ports)
    throw Error(ErrorKind::input,
                "port " + std::to_string(port) + " isn't one of this switch's " + std::to_string(dev_.ports));
  mirror_.check_port(port);
  return read_switch_counters(bus_, dev_, port, keeps_);
}

std::optional<int> RegisterSwitch::power(Output output) { return read_power(bus_, dev_, output); }

/// Why no commit can be given for cycle `at`.
std::optional<Refusal> RegisterSwitch::refusal_at(Cycles at, Cycles now) const {
  if (mirror_.table)
    return refused(mirror_.table->stopped ? "a table is being stopped in this very cycle"
                                          : "a table is being played; an empty one stops it");
  if (mirror_.armed)
    return refused("the timed commit of cycle " + std::to_string(mirror_.armed->n) + " hasn't been taken yet");
  if (at < now && mirror_.is_virtual())
    return refused("cycle " + std::to_string(at.n) + " is past, it is cycle " + std::to_string(now.n));
  if (at > now && mirror_.pending)
    return refused("a commit of the present cycle hasn't been taken yet, and it would take this map");
  return std::nullopt;
}

SwitchMap RegisterSwitch::shadow() const {
  SwitchMap map;
  for (const OutputMirror& output : mirror_.outputs) map.push_back(output.shadow);
  return map;
}

/// Writes the entries that differ, in the brief form up to three of them at once, and commits in the present cycle if
/// asked to: in the brief form with the last of these accesses.
void RegisterSwitch::set_shadow(const SwitchMap& map, bool commit) {
  changed_.clear();
  for (std::uint16_t o = 0; o < dev_.ports; ++o)
    if (mirror_.outputs[o].shadow != map[o]) changed_.push_back(o);
  const std::size_t most = mirror_.brief() ? OCS_BLOCK : 1;
  for (std::size_t at = 0; at < changed_.size();) {
    const std::uint16_t o = changed_[at];
    std::size_t next = at + 1;
    while (next < changed_.size() && changed_[next] < o + most) ++next;
    const bool commits = commit && mirror_.brief() && next == changed_.size();
    if (next > at + 1)
      bus_.check(ocs_shadow_block(&dev_, o, &map[o], commits));
    else if (commits)
      bus_.check(ocs_shadow_commit(&dev_, o, map[o]));
    else
      bus_.check(ocs_shadow_set(&dev_, o, map[o]));
    at = next;
  }
  for (const std::uint16_t o : changed_) mirror_.outputs[o].shadow = map[o];
  if (commit && (changed_.empty() || !mirror_.brief())) bus_.check(ocs_commit(&dev_));
}

std::optional<Refusal> RegisterSwitch::commit(const Commit& commit) {
  mirror_.drain(unread_);
  const Cycles now = clock_.now();
  forget_stopped_table(now);
  if (auto refusal = refusal_at(commit.at, now)) return refusal;
  SwitchMap map = shadow();
  if (auto refusal = change_map(map, commit.change, config_.multicast)) return refusal;
  set_shadow(map, commit.at <= now);
  if (commit.at > now) {
    bus_.check(ocs_commit_at(&dev_, static_cast<std::uint64_t>(commit.at.n)));
    mirror_.armed = commit.at;
  } else {
    mirror_.pending = true;
  }
  return std::nullopt;
}

/// What was stopped in an earlier cycle takes nothing more: the shadow map can be the active one again.
void RegisterSwitch::forget_stopped_table(Cycles now) {
  if (!mirror_.table || !mirror_.table->stopped || *mirror_.table->stopped >= now) return;
  bus_.check(ocs_shadow_load(&dev_));
  for (OutputMirror& output : mirror_.outputs) output.shadow = output.active;
  mirror_.table.reset();
}

std::optional<Refusal> RegisterSwitch::repeat(std::span<const Commit> commits, Cycles period) {
  mirror_.drain(unread_);
  const Cycles now = clock_.now();
  forget_stopped_table(now);
  if (commits.empty()) {
    if (!mirror_.table || mirror_.table->stopped) return std::nullopt;
    bus_.check(ocs_seq_stop(&dev_));
    mirror_.table->stopped = now;
    return std::nullopt;
  }
  if (mirror_.pending) return refused("a commit of the present cycle hasn't been taken yet");
  if (auto refusal = refusal_at(commits.front().at, now)) return refusal;
  if (commits.front().at == now)
    return refused("a table can begin in cycle " + std::to_string(now.n + 1) +
                   " at the earliest, not in the present one");
  SwitchTable table;
  if (auto refusal = lay_out(commits, period, shadow(), config_.multicast, dev_.seq_entries, table)) return refusal;
  for (std::size_t e = 0; e < commits.size(); ++e) {
    set_shadow(table.maps[e], false);
    bus_.check(ocs_seq_store(&dev_, static_cast<std::uint16_t>(e), static_cast<std::uint32_t>(table.offsets[e]),
                             nullptr));  // no input is started: as after reset
  }
  bus_.check(ocs_seq_go(&dev_, static_cast<std::uint64_t>(table.base.n), static_cast<std::uint16_t>(commits.size()),
                        static_cast<std::uint32_t>(period.n)));
  mirror_.table = {.maps = std::move(table.maps), .next = 0, .loops = period.n > 0, .stopped = {}};
  return std::nullopt;
}

std::optional<Refusal> RegisterSwitch::start(const Burst& burst) {
  mirror_.drain(unread_);
  const std::uint16_t i = index(burst.in);
  if (auto refusal = refusal_of(burst, dev_, mirror_)) return refusal;
  EngineMirror& engine = mirror_.engines[i];
  const Cycles now = clock_.now();
  const std::int64_t gap = std::max<std::int64_t>(0, burst.not_before.n - (now.n + 1));
  if (gap > max_word)
    return refused("a burst can wait for " + std::to_string(max_word) + " cycles, not " + std::to_string(gap));
  const ocs_burst set{.length = static_cast<std::uint32_t>(burst.length.n),
                      .gap = static_cast<std::uint32_t>(gap),
                      .repeat = 0,
                      .tag = static_cast<std::uint16_t>(engine.set.tag + 1),
                      .gated = burst.gated};
  if (burst.word != engine.word)
    bus_.check(ocs_rate_set(&dev_, i, static_cast<std::uint16_t>(OCS_FULL_RATE / burst.word.n)));
  if (mirror_.brief()) {
    bus_.check(ocs_burst_start(&dev_, i, &set, &engine.set));
  } else {
    bus_.check(ocs_burst_set(&dev_, i, &set, &engine.set));
    bus_.check(ocs_start(&dev_, i / 32, 1u << (i % 32)));
  }
  engine = {.set = set,
            .id = burst.id,
            .started = now,
            .word = burst.word,
            .sent = engine.sent,
            .unread = engine.unread,
            .running = true,
            .stopped = false};
  return std::nullopt;
}

std::optional<Refusal> RegisterSwitch::stop(Id burst) {
  mirror_.drain(unread_);
  for (std::uint16_t i = 0; i < dev_.ports; ++i) {
    EngineMirror& engine = mirror_.engines[i];
    if (!engine.running || engine.id != burst) continue;
    if (engine.started == clock_.now())
      return refused("burst " + std::to_string(index(burst)) +
                     " was started in this very cycle, and a start wins over a stop");
    bus_.check(ocs_stop(&dev_, i / 32, 1u << (i % 32)));
    engine.stopped = true;
    return std::nullopt;
  }
  return refused("burst " + std::to_string(index(burst)) + " isn't running");
}

void RegisterSwitch::take_events(std::vector<Event>& append) {
  mirror_.drain(unread_);
  append.insert(append.end(), unread_.begin(), unread_.end());
  unread_.clear();
}

/// One register has several faults of a port: the others stay.
void RegisterSwitch::write_faults(std::uint16_t port, std::uint32_t fault, bool there) {
  faults_[port] = with_faults(faults_[port], fault, there);
  bus_.check(ocs_set_faults(&dev_, port, faults_[port]));
}

std::optional<Refusal> RegisterSwitch::set_dead(std::uint16_t port, bool dead) {
  if (auto refusal = refusal_of_faults(dev_, port)) return refusal;
  mirror_.drain(unread_);
  write_faults(port, OCS_REGS__PORT__FAULTX__DEAD_bm, dead);
  return std::nullopt;
}

std::optional<Refusal> RegisterSwitch::set_mirror_fault(Output output, MirrorFault fault, Cycles amount) {
  if (auto refusal = refusal_of_mirror_fault(dev_, output, fault, amount)) return refusal;
  const std::uint16_t o = index(output);
  mirror_.drain(unread_);
  const auto cycles = static_cast<std::uint32_t>(amount.n);
  keeps_ = keeps_ || fault == MirrorFault::kept;
  if (fault_bits(fault) != 0) write_faults(o, fault_bits(fault), cycles > 0);
  if (fault == MirrorFault::slow) bus_.check(ocs_set_slow(&dev_, o, cycles));
  if (fault == MirrorFault::flap) bus_.check(ocs_set_flap(&dev_, o, cycles));
  return std::nullopt;
}

std::optional<Refusal> RegisterSwitch::retry(Output output) {
  if (auto refusal = refusal_of_output(dev_, output)) return refusal;
  const std::uint16_t o = index(output);
  mirror_.drain(unread_);
  ocs_output_state state = OCS_IDLE;
  ocs_failure cause = OCS_CAUSE_NONE;
  bus_.check(ocs_state(&dev_, o, &state, &cause));
  if (state != OCS_FAILED || cause == OCS_CAUSE_LIGHT) return std::nullopt;  // without light it comes back by itself
  bus_.check(ocs_retry(&dev_, o / 32, 1u << (o % 32)));
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Switch> make_register_switch(Device& device, const SwitchConfig& config) {
  return std::make_unique<RegisterSwitch>(device, config);
}

}  // namespace ocs
