// The registers of the device as a whole: identity, modes, commands, sequencer, events, counters.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "host/device/model/window.hpp"
#include "ocs_regs.h"

// The address of a register, as generated from rtl/regs/ocs.rdl; a member may lie in a nested structure.
#define ADDRESS(member) offsetof(ocs_regs_t, member)

namespace ocs::model {
namespace {

constexpr std::size_t mask_words = max_ports / 32;

Window::Read constant(std::uint32_t value) {
  return [value](std::size_t) { return value; };
}

/// A register of one field that software alone changes.
template <class T>
void add_setting(Window& window, const char* name, std::size_t address, T& value, std::uint32_t field) {
  window.add(
      {name, address}, [&value](std::size_t) { return static_cast<std::uint32_t>(value); },
      [&value, field](std::size_t, std::uint32_t v) { value = static_cast<T>(take_field(v, field)); });
}

/// A command: `act` is called when a 1 is written.
template <class Act>
void add_command(Window& window, const char* name, std::size_t address, Act act) {
  window.add({name, address}, nullptr, [act](std::size_t, std::uint32_t v) {
    if ((v & OCS_REGS__CORE__COMMIT__GO_bm) != 0) act();
  });
}

void add_identity(Window& window, const Core& core, const DeviceConfig& config) {
  const auto number = [](auto n) { return static_cast<std::uint32_t>(n); };
  window.add({"ID", ADDRESS(ID)}, constant(OCS_REGS__ID__MAGIC_reset), nullptr);
  window.add({"VERSION", ADDRESS(VERSION)},
             constant(place_field(OCS_REGS__VERSION__MAJOR_reset, OCS_REGS__VERSION__MAJOR_bm) |
                      place_field(OCS_REGS__VERSION__MINOR_reset, OCS_REGS__VERSION__MINOR_bm)),
             nullptr);
  window.add({"CAP_SIZE", ADDRESS(CAP_SIZE)},
             constant(place_field(number(core.ports()), OCS_REGS__CAP_SIZE__PORTS_bm) |
                      place_field(number(Sequencer::entries), OCS_REGS__CAP_SIZE__SEQ_ENTRIES_bm)),
             nullptr);
  window.add({"CAP_WORD", ADDRESS(CAP_WORD)},
             constant(place_field(number(config.word_bytes), OCS_REGS__CAP_WORD__WORD_BYTES_bm) |
                      place_field(number(config.fifo_depth), OCS_REGS__CAP_WORD__FIFO_DEPTH_bm)),
             nullptr);
  window.add({"CAP_OPTIONS", ADDRESS(CAP_OPTIONS)},
             constant(OCS_REGS__CAP_OPTIONS__PAIR_bm | OCS_REGS__CAP_OPTIONS__JITTER_bm |
                      OCS_REGS__CAP_OPTIONS__RATE_bm | OCS_REGS__CAP_OPTIONS__MULTICAST_bm |
                      OCS_REGS__CAP_OPTIONS__ALL_STOP_bm | OCS_REGS__CAP_OPTIONS__EXTERNAL_bm |
                      OCS_REGS__CAP_OPTIONS__FAULTS_bm | OCS_REGS__CAP_OPTIONS__SERIAL_bm |
                      OCS_REGS__CAP_OPTIONS__RECEIVER_bm | OCS_REGS__CAP_OPTIONS__NEIGHBOURS_bm |
                      OCS_REGS__CAP_OPTIONS__POSITIONS_bm | OCS_REGS__CAP_OPTIONS__POWER_bm),
             nullptr);
  window.add({"CYCLE_PS", ADDRESS(CYCLE_PS)}, constant(number(config.cycle.n)), nullptr);
}

void add_receivers(Window& window, Crossbar::Receivers& receivers) {
  window.add(
      {"RECEIVER", ADDRESS(RECEIVER)},
      [&receivers](std::size_t) {
        return place_field(receivers.on, OCS_REGS__RECEIVER__ON_bm) |
               place_field(receivers.warm_time, OCS_REGS__RECEIVER__WARM_TIME_bm);
      },
      [&receivers](std::size_t, std::uint32_t v) {
        receivers.on = (v & OCS_REGS__RECEIVER__ON_bm) != 0;
        receivers.warm_time = take_field(v, OCS_REGS__RECEIVER__WARM_TIME_bm);
      });
  const auto table = [&window](const char* name, std::size_t address, auto& quantiles) {
    window.add(
        {name, address, quantiles.size(), quantiles.size()}, [&quantiles](std::size_t k) { return quantiles[k]; },
        [&quantiles](std::size_t k, std::uint32_t v) {
          quantiles[k] = take_field(v, OCS_REGS__CORE__LOCK_WARMX__VALUE_bm);
        });
  };
  table("LOCK_WARM", ADDRESS(core.LOCK_WARM), receivers.warm);
  table("LOCK_COLD", ADDRESS(core.LOCK_COLD), receivers.cold);
}

void add_light(Window& window, LightSettings& light) {
  window.add(
      {"LEVEL", ADDRESS(LEVEL)},
      [&light](std::size_t) {
        return place_field(light.on, OCS_REGS__LEVEL__ON_bm) |
               place_field(static_cast<std::uint32_t>(light.hysteresis), OCS_REGS__LEVEL__HYSTERESIS_bm) |
               place_field(static_cast<std::uint32_t>(light.threshold), OCS_REGS__LEVEL__THRESHOLD_bm);
      },
      [&light](std::size_t, std::uint32_t v) {
        light.on = (v & OCS_REGS__LEVEL__ON_bm) != 0;
        light.hysteresis = static_cast<std::int32_t>(take_field(v, OCS_REGS__LEVEL__HYSTERESIS_bm));
        light.threshold = static_cast<std::int16_t>(take_field(v, OCS_REGS__LEVEL__THRESHOLD_bm));
      });
  add_setting(window, "LOS_ASSERT", ADDRESS(LOS_ASSERT), light.los_assert, OCS_REGS__LOS_ASSERT__VALUE_bm);
  add_setting(window, "LOS_RELEASE", ADDRESS(LOS_RELEASE), light.los_release, OCS_REGS__LOS_RELEASE__VALUE_bm);
  add_setting(window, "RING_AFTER", ADDRESS(RING_AFTER), light.ring_after, OCS_REGS__RING_AFTER__VALUE_bm);
  add_setting(window, "RING", ADDRESS(RING), light.ring, OCS_REGS__RING__VALUE_bm);
  add_setting(window, "RINGS", ADDRESS(RINGS), light.rings, OCS_REGS__RINGS__VALUE_bm);
}

void add_modes(Window& window, Core& core) {
  window.add(
      {"CTRL", ADDRESS(CTRL)},
      [&core](std::size_t) {
        return place_field(core.all_stop, OCS_REGS__CTRL__ALL_STOP_bm) |
               place_field(core.multicast, OCS_REGS__CTRL__MULTICAST_bm);
      },
      [&core](std::size_t, std::uint32_t v) {
        core.all_stop = (v & OCS_REGS__CTRL__ALL_STOP_bm) != 0;
        core.multicast = (v & OCS_REGS__CTRL__MULTICAST_bm) != 0;
      });
  add_setting(window, "IRQ_ENABLE", ADDRESS(IRQ_ENABLE), core.irq_enable,
              OCS_REGS__IRQ_ENABLE__EVENT_bm | OCS_REGS__IRQ_ENABLE__OVERFLOW_bm | OCS_REGS__IRQ_ENABLE__ERROR_bm);
  add_setting(window, "PROG", ADDRESS(PROG), core.crossbar.programming().cycles, OCS_REGS__PROG__VALUE_bm);
  add_setting(window, "PROG_LANES", ADDRESS(PROG_LANES), core.crossbar.programming().lanes,
              OCS_REGS__PROG_LANES__VALUE_bm);
  add_receivers(window, core.crossbar.receivers());
  Crossbar::Neighbours& neighbours = core.crossbar.neighbours();
  add_setting(window, "DISTURB", ADDRESS(DISTURB), neighbours.cycles, OCS_REGS__DISTURB__VALUE_bm);
  add_setting(window, "DISTURB_AT", ADDRESS(DISTURB_AT), neighbours.distances, OCS_REGS__DISTURB_AT__DISTANCES_bm);
  add_light(window, core.crossbar.light_settings());
  add_command(window, "SOFT_RESET", ADDRESS(core.SOFT_RESET), [&window, &core] {
    core.soft_reset();
    window.reset();
  });
}

void add_status(Window& window, Core& core) {
  window.add(
      {"STATUS", ADDRESS(core.STATUS)},
      [&core](std::size_t) {
        return place_field(core.requests.pending(), OCS_REGS__CORE__STATUS__COMMIT_PENDING_bm) |
               place_field(core.requests.armed(), OCS_REGS__CORE__STATUS__COMMIT_ARMED_bm) |
               place_field(core.sequencer.running(), OCS_REGS__CORE__STATUS__SEQ_RUNNING_bm) |
               place_field(core.crossbar.stop(), OCS_REGS__CORE__STATUS__STOP_bm);
      },
      nullptr);
  window.add(
      {"ERROR", ADDRESS(core.ERROR)}, [&core](std::size_t) { return core.errors; },
      [&core](std::size_t, std::uint32_t v) { core.errors &= ~v; }, Window::keeps_nothing);
  window.add(
      {"IRQ_STATUS", ADDRESS(core.IRQ_STATUS)}, [&core](std::size_t) { return core.irq_status(); }, nullptr);
  window.add_wide(
      {"TIME", ADDRESS(core.TIME)}, [&core](std::size_t) { return core.time(); }, nullptr);
  window.add_wide(
      {"COMMITS", ADDRESS(core.COMMITS)}, [&core](std::size_t) { return core.counters.commits; }, nullptr);
  window.add_wide(
      {"REFUSED", ADDRESS(core.REFUSED)}, [&core](std::size_t) { return core.counters.refused; }, nullptr);
  window.add_wide(
      {"LATE", ADDRESS(core.LATE)}, [&core](std::size_t) { return core.counters.late; }, nullptr);
  window.add_wide(
      {"DROPPED", ADDRESS(core.DROPPED)}, [&core](std::size_t) { return core.fifo.dropped(); }, nullptr);
}

void add_events(Window& window, Core& core) {
  window.add(
      {"EVENT", ADDRESS(core.EVENT)},
      [&core](std::size_t) -> std::uint32_t {
        const auto taken = core.fifo.take();
        if (!taken) return 0;
        return place_field(taken->what.kind, OCS_REGS__CORE__EVENT__KIND_bm) |
               place_field(static_cast<std::uint32_t>(taken->what.of), OCS_REGS__CORE__EVENT__CLASS_bm) |
               place_field(taken->what.port, OCS_REGS__CORE__EVENT__PORT_bm) |
               place_field(taken->what.tag, OCS_REGS__CORE__EVENT__TAG_bm) |
               place_field(taken->new_stamp, OCS_REGS__CORE__EVENT__NEW_STAMP_bm) | OCS_REGS__CORE__EVENT__VALID_bm;
      },
      nullptr);
  window.add_wide(
      {"EVENT_TIME", ADDRESS(core.EVENT_TIME)}, [&core](std::size_t) { return core.fifo.stamp_of_last_taken(); },
      nullptr);
}

void add_commit(Window& window, Core& core) {
  add_setting(window, "COMMIT_TAG", ADDRESS(COMMIT_TAG), core.commit_tag, OCS_REGS__COMMIT_TAG__VALUE_bm);
  add_setting(window, "BRIEF", ADDRESS(BRIEF), core.brief, OCS_REGS__BRIEF__ON_bm);
  add_command(window, "COMMIT", ADDRESS(core.COMMIT), [&core] { core.requests.request(core.commit_tag); });
  add_command(window, "COMMIT_CANCEL", ADDRESS(core.COMMIT_CANCEL), [&core] { core.requests.cancel(); });
  add_command(window, "SHADOW_LOAD", ADDRESS(core.SHADOW_LOAD), [&core] { core.shadow = core.crossbar.active(); });
  window.add_wide(
      {"COMMIT_AT", ADDRESS(core.COMMIT_AT)}, [&core](std::size_t) { return core.requests.at(); },
      [&core](std::size_t k, std::uint32_t v) {
        if (k == 0)
          core.requests.hold_low(v);
        else
          core.requests.arm(v, core.commit_tag);
      },
      [&core](std::size_t k) {
        return k == 0 ? core.requests.low() : static_cast<std::uint32_t>(core.requests.at() >> 32);
      });
  window.add({"SEED", ADDRESS(core.SEED)}, nullptr, [&core](std::size_t, std::uint32_t v) { core.crossbar.seed(v); });
}

void add_sequencer(Window& window, Core& core) {
  Sequencer& sequencer = core.sequencer;
  add_setting(window, "SEQ_OFFSET", ADDRESS(SEQ_OFFSET), sequencer.settings.offset, OCS_REGS__SEQ_OFFSET__VALUE_bm);
  add_setting(window, "SEQ_LEN", ADDRESS(SEQ_LEN), sequencer.settings.length, OCS_REGS__SEQ_LEN__VALUE_bm);
  add_setting(window, "SEQ_PERIOD", ADDRESS(SEQ_PERIOD), sequencer.settings.period, OCS_REGS__SEQ_PERIOD__VALUE_bm);
  window.add_wide(
      {"SEQ_BASE", ADDRESS(core.SEQ_BASE)}, [&sequencer](std::size_t) { return sequencer.settings.base; },
      [&sequencer](std::size_t k, std::uint32_t v) {
        const unsigned shift = k == 0 ? 0 : 32;
        Cycle& base = sequencer.settings.base;
        base = (base & ~(Cycle{0xFFFFFFFFu} << shift)) | Cycle{v} << shift;
      },
      [&sequencer](std::size_t k) { return static_cast<std::uint32_t>(sequencer.settings.base >> (k == 0 ? 0 : 32)); });
  window.add({"SEQ_STORE", ADDRESS(core.SEQ_STORE)}, nullptr, [&window, &core](std::size_t, std::uint32_t v) {
    const std::size_t entry = take_field(v, OCS_REGS__CORE__SEQ_STORE__ENTRY_bm);
    if (entry >= Sequencer::entries)
      window.refuse("write of entry " + std::to_string(entry) + " to SEQ_STORE refused: a bank has entries 0 to " +
                    std::to_string(Sequencer::entries - 1));
    core.sequencer.store(entry, core.shadow, core.commit_tag);
  });
  add_command(window, "SEQ_GO", ADDRESS(core.SEQ_GO), [&sequencer] { sequencer.commands.go = true; });
  add_command(window, "SEQ_SWAP", ADDRESS(core.SEQ_SWAP), [&sequencer] { sequencer.commands.swap = true; });
  add_command(window, "SEQ_STOP", ADDRESS(core.SEQ_STOP), [&sequencer] { sequencer.commands.stop = true; });
}

void add_masks(Window& window, Core& core) {
  const auto add_mask_command = [&](const char* name, std::size_t address, PortMask& command) {
    window.add_mask({name, address, mask_words}, core.ports(), nullptr,
                    [&command](const PortMask& mask, const PortMask&) { command |= mask; });
  };
  add_mask_command("START", ADDRESS(core.START), core.commands.start);
  add_mask_command("STOP", ADDRESS(core.STOP), core.commands.stop);
  add_mask_command("RETRY", ADDRESS(core.RETRY), core.commands.retry);
  window.add_mask(
      {"SEG_FULL", ADDRESS(core.SEG_FULL), mask_words}, core.ports(),
      [&core]() -> const PortMask& { return core.words.full(); },
      [&core](const PortMask& mask, const PortMask&) { core.words.clear_full(mask); }, Window::keeps_nothing);
  const auto add_reported = [&](const char* name, std::size_t address, PortMask& reported) {
    window.add_mask(
        {name, address, mask_words}, core.ports(), [&reported]() -> const PortMask& { return reported; },
        [&reported](const PortMask& mask, const PortMask&) { reported &= ~mask; }, Window::keeps_nothing);
  };
  add_reported("CHANGED", ADDRESS(core.CHANGED), core.changed);
  add_reported("ENDED", ADDRESS(core.ENDED), core.ended);
  PortMask& launch = core.sequencer.settings.launch;
  window.add_mask(
      {"SEQ_LAUNCH", ADDRESS(core.SEQ_LAUNCH), mask_words}, core.ports(),
      [&launch]() -> const PortMask& { return launch; },
      [&launch](const PortMask& mask, const PortMask& touched) { launch = (launch & ~touched) | mask; });
}

}  // namespace

void add_device_registers(Window& window, Core& core, const DeviceConfig& config) {
  add_identity(window, core, config);
  add_modes(window, core);
  add_status(window, core);
  add_events(window, core);
  add_commit(window, core);
  add_sequencer(window, core);
  add_masks(window, core);
}

}  // namespace ocs::model
