// The registers of the ports: maps, settings, faults, engines, segments, counters; and PAIR.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "host/device/model/window.hpp"
#include "ocs_regs.h"

// The address of a register, as generated from rtl/regs/ocs.rdl; a member may lie in a nested structure.
#define ADDRESS(member) offsetof(ocs_regs_t, member)

namespace ocs::model {
namespace {

Window::Place array(const Core& core, const char* name, std::size_t address) {
  return {name, address, max_ports, core.ports()};
}

std::uint32_t show(const Selection& in) {
  if (!in) return 0;
  return place_field(index(*in), OCS_REGS__PORT__SHADOWX__INPUT_bm) | OCS_REGS__PORT__SHADOWX__VALID_bm;
}

Selection parse(std::uint32_t value) {
  if ((value & OCS_REGS__PORT__SHADOWX__VALID_bm) == 0) return std::nullopt;
  return Input{static_cast<std::uint16_t>(take_field(value, OCS_REGS__PORT__SHADOWX__INPUT_bm))};
}

/// The entries of the next two outputs, which a write of SHADOW[o] with BLOCK names, too.
void write_behind(Core& core, std::size_t o, std::uint32_t value) {
  const auto entry = [value](std::uint32_t valid, std::uint32_t input) -> Selection {
    if ((value & valid) == 0) return std::nullopt;
    return Input{static_cast<std::uint16_t>(take_field(value, input))};
  };
  if (o + 1 < core.ports())
    core.shadow[o + 1] = entry(OCS_REGS__PORT__SHADOWX__VALID_1_bm, OCS_REGS__PORT__SHADOWX__INPUT_1_bm);
  if (o + 2 < core.ports())
    core.shadow[o + 2] = entry(OCS_REGS__PORT__SHADOWX__VALID_2_bm, OCS_REGS__PORT__SHADOWX__INPUT_2_bm);
}

void add_maps(Window& window, Core& core) {
  window.add(
      array(core, "SHADOW", ADDRESS(port.SHADOW)), [&core](std::size_t o) { return show(core.shadow[o]); },
      [&core](std::size_t o, std::uint32_t v) {
        core.shadow[o] = parse(v);
        if (core.brief && (v & OCS_REGS__PORT__SHADOWX__BLOCK_bm) != 0) write_behind(core, o, v);
        if (core.brief && (v & OCS_REGS__PORT__SHADOWX__COMMIT_bm) != 0) core.requests.request(core.commit_tag);
      });
  window.add(
      array(core, "ACTIVE", ADDRESS(port.ACTIVE)),
      [&core](std::size_t o) { return show(core.crossbar.output(o).selected); }, nullptr);
  window.add(
      array(core, "STATE", ADDRESS(port.STATE)),
      [&core](std::size_t o) {
        const Crossbar::Port& out = core.crossbar.output(o);
        return place_field(static_cast<std::uint32_t>(out.state), OCS_REGS__PORT__STATEX__STATE_bm) |
               place_field(static_cast<std::uint32_t>(out.cause), OCS_REGS__PORT__STATEX__CAUSE_bm) |
               place_field(core.crossbar.disturbed(o, core.time()), OCS_REGS__PORT__STATEX__DISTURBED_bm) |
               place_field(out.detector.dim() && (core.crossbar.light_settings().on || out.state != State::failed),
                           OCS_REGS__PORT__STATEX__DIM_bm);
      },
      nullptr);
}

void add_delays(Window& window, Core& core) {
  const auto add_cycles = [&](const char* name, std::size_t address, std::uint32_t Crossbar::Settings::*setting) {
    window.add(
        array(core, name, address), [&core, setting](std::size_t o) { return core.crossbar.settings(o).*setting; },
        [&core, setting](std::size_t o, std::uint32_t v) {
          core.crossbar.settings(o).*setting = take_field(v, OCS_REGS__PORT__BASEX__VALUE_bm);
        });
  };
  add_cycles("BASE", ADDRESS(port.BASE), &Crossbar::Settings::base);
  add_cycles("SLOW", ADDRESS(port.SLOW), &Crossbar::Settings::slow);
  add_cycles("LOCK", ADDRESS(port.LOCK), &Crossbar::Settings::lock);
  add_cycles("JITTER_MASK", ADDRESS(port.JITTER_MASK), &Crossbar::Settings::jitter_mask);
  add_cycles("FLAP", ADDRESS(port.FLAP), &Crossbar::Settings::flap);

  const auto pair = [&window, &core](std::size_t k) -> std::uint32_t& {
    const std::size_t o = k / max_ports;
    const std::size_t i = k % max_ports;
    if (o >= core.ports() || i >= core.ports())
      window.refuse("access to PAIR of output " + std::to_string(o) + " and input " + std::to_string(i) +
                    " refused: the switch has only ports 0 to " + std::to_string(core.ports() - 1));
    return core.crossbar.pair(o, i);
  };
  constexpr std::size_t pairs = max_ports * max_ports;
  window.add(
      {"PAIR", ADDRESS(PAIR), pairs, pairs}, [pair](std::size_t k) { return pair(k); },
      [pair](std::size_t k, std::uint32_t v) { pair(k) = take_field(v, OCS_REGS__PORT__BASEX__VALUE_bm); });
}

void add_faults(Window& window, Core& core) {
  window.add(
      array(core, "FAULT", ADDRESS(port.FAULT)),
      [&core](std::size_t p) {
        const Crossbar::Faults& faults = core.crossbar.faults(p);
        return place_field(faults.los, OCS_REGS__PORT__FAULTX__LOS_bm) |
               place_field(faults.dead, OCS_REGS__PORT__FAULTX__DEAD_bm) |
               place_field(faults.stuck, OCS_REGS__PORT__FAULTX__STUCK_bm) |
               place_field(faults.keeps, OCS_REGS__PORT__FAULTX__KEEPS_bm);
      },
      [&core](std::size_t p, std::uint32_t v) {
        core.crossbar.faults(p) = {
            (v & OCS_REGS__PORT__FAULTX__LOS_bm) != 0, (v & OCS_REGS__PORT__FAULTX__DEAD_bm) != 0,
            (v & OCS_REGS__PORT__FAULTX__STUCK_bm) != 0, (v & OCS_REGS__PORT__FAULTX__KEEPS_bm) != 0};
      });
}

void add_optics(Window& window, Core& core) {
  window.add_wide(
      array(core, "MISROUTED", ADDRESS(optics.MISROUTED)),
      [&core](std::size_t o) { return core.words.of_output(o).misrouted; }, nullptr);
  window.add(
      array(core, "LASER", ADDRESS(optics.LASER)),
      [&core](std::size_t i) {
        return place_field(static_cast<std::uint32_t>(core.crossbar.powers(i).laser),
                           OCS_REGS__OPTICS__LASERX__VALUE_bm);
      },
      [&core](std::size_t i, std::uint32_t v) {
        core.crossbar.powers(i).laser = static_cast<std::int16_t>(take_field(v, OCS_REGS__OPTICS__LASERX__VALUE_bm));
      });
  window.add(
      array(core, "LOSS", ADDRESS(optics.LOSS)),
      [&core](std::size_t o) { return static_cast<std::uint32_t>(core.crossbar.powers(o).loss); },
      [&core](std::size_t o, std::uint32_t v) {
        core.crossbar.powers(o).loss = static_cast<std::int32_t>(take_field(v, OCS_REGS__OPTICS__LOSSX__VALUE_bm));
      });
  window.add(
      array(core, "POWER", ADDRESS(optics.POWER)),
      [&core](std::size_t o) { return static_cast<std::uint32_t>(core.crossbar.power(o)); }, nullptr);
}

void add_engines(Window& window, Core& core) {
  const auto add_number = [&](const char* name, std::size_t address, std::uint32_t Engine::Settings::*setting) {
    window.add(
        array(core, name, address), [&core, setting](std::size_t i) { return core.engines[i].settings.*setting; },
        [&core, setting](std::size_t i, std::uint32_t v) { core.engines[i].settings.*setting = v; });
  };
  add_number("LEN", ADDRESS(port.LEN), &Engine::Settings::length);
  add_number("GAP", ADDRESS(port.GAP), &Engine::Settings::gap);
  add_number("REPEAT", ADDRESS(port.REPEAT), &Engine::Settings::repeat);
  window.add(
      array(core, "BURST", ADDRESS(port.BURST)),
      [&core](std::size_t i) {
        const Engine::Settings& settings = core.engines[i].settings;
        return place_field(settings.tag, OCS_REGS__PORT__BURSTX__TAG_bm) |
               place_field(settings.gated, OCS_REGS__PORT__BURSTX__GATED_bm);
      },
      [&core](std::size_t i, std::uint32_t v) {
        Engine::Settings& settings = core.engines[i].settings;
        settings.tag = static_cast<std::uint16_t>(take_field(v, OCS_REGS__PORT__BURSTX__TAG_bm));
        settings.gated = (v & OCS_REGS__PORT__BURSTX__GATED_bm) != 0;
        if (core.brief && (v & OCS_REGS__PORT__BURSTX__START_bm) != 0) core.commands.start.set(i);
      });
  window.add(
      array(core, "SOURCE", ADDRESS(port.SOURCE)),
      [&core](std::size_t i) {
        const Engine::Settings& settings = core.engines[i].settings;
        return place_field(settings.rate, OCS_REGS__PORT__SOURCEX__RATE_bm) |
               place_field(settings.external, OCS_REGS__PORT__SOURCEX__EXTERNAL_bm);
      },
      [&core](std::size_t i, std::uint32_t v) {
        Engine::Settings& settings = core.engines[i].settings;
        settings.rate = static_cast<std::uint16_t>(take_field(v, OCS_REGS__PORT__SOURCEX__RATE_bm));
        settings.external = (v & OCS_REGS__PORT__SOURCEX__EXTERNAL_bm) != 0;
      });
  window.add(
      array(core, "ENGINE", ADDRESS(port.ENGINE)),
      [&core](std::size_t i) {
        return place_field(static_cast<std::uint32_t>(core.engines[i].phase()), OCS_REGS__PORT__ENGINEX__STATE_bm);
      },
      nullptr);
}

void add_segments(Window& window, Core& core) {
  const Words& words = core.words;
  window.add(
      array(core, "SEG", ADDRESS(port.SEG)),
      [&words](std::size_t o) {
        return place_field(words.segment(o).input, OCS_REGS__PORT__SEGX__INPUT_bm) |
               place_field(words.segment(o).tag, OCS_REGS__PORT__SEGX__TAG_bm);
      },
      nullptr);
  window.add(
      array(core, "SEG_FIRST", ADDRESS(port.SEG_FIRST)), [&words](std::size_t o) { return words.segment(o).first; },
      nullptr);
  window.add(
      array(core, "SEG_COUNT", ADDRESS(port.SEG_COUNT)),
      [&words](std::size_t o) { return static_cast<std::uint32_t>(words.segment(o).count); }, nullptr);
}

void add_counters(Window& window, const Core& core) {
  const auto add_counter = [&](const char* name, std::size_t address, const Window::Read64& read) {
    window.add_wide(array(core, name, address), read, nullptr);
  };
  add_counter("PASSED", ADDRESS(port.PASSED), [&core](std::size_t o) { return core.words.of_output(o).passed; });
  add_counter("LOST", ADDRESS(port.LOST), [&core](std::size_t o) { return core.words.of_output(o).lost; });
  add_counter("DARK", ADDRESS(port.DARK), [&core](std::size_t o) { return core.crossbar.output(o).dark; });
  add_counter("TUNINGS", ADDRESS(port.TUNINGS), [&core](std::size_t o) { return core.crossbar.output(o).tunings; });
  add_counter("RESTARTS", ADDRESS(port.RESTARTS), [&core](std::size_t o) { return core.crossbar.output(o).restarts; });
  add_counter("SENT", ADDRESS(port.SENT), [&core](std::size_t i) { return core.words.of_input(i).sent; });
  add_counter("UNROUTED", ADDRESS(port.UNROUTED), [&core](std::size_t i) { return core.words.of_input(i).unrouted; });
}

}  // namespace

void add_port_registers(Window& window, Core& core) {
  add_maps(window, core);
  add_delays(window, core);
  add_faults(window, core);
  add_optics(window, core);
  add_engines(window, core);
  add_segments(window, core);
  add_counters(window, core);
}

}  // namespace ocs::model
