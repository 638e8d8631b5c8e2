// Reads of the register window.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/core/window.hpp"

#include "sysc/core/window_layout.hpp"

namespace ocs::sysc {

using namespace place;

namespace {

constexpr std::uint32_t valid_bit = OCS_REGS__PORT__SHADOWX__VALID_bm;

std::uint32_t bits(const MapEntry& circuit) { return circuit.valid ? valid_bit | circuit.input : 0; }

/// Bits of word `word` of a mask, bit(p) for each of its ports.
template <class Bit>
std::uint32_t gather(std::size_t ports, std::uint32_t word, Bit bit) {
  std::uint32_t mask = 0;
  for (std::size_t p = 32UL * word; p < ports && p < 32UL * (word + 1); ++p)
    if (bit(p)) mask |= 1U << (p % 32);
  return mask;
}

}  // namespace

std::optional<std::uint32_t> Window::read(std::uint32_t address) {
  address &= ~3U;
  std::optional<std::uint32_t> value;
  if (address < core_first)
    value = read_device(address);
  else if (address < core_end)
    value = read_core(address - core_first);
  else if (address >= port_first && address < port_end)
    value = read_port(address - port_first);
  else if (address >= optics_first && address < optics_end)
    value = read_optics(address - optics_first);
  else if (const std::uint32_t* entry = pair_entry(address))
    value = *entry;
  if (!value) fabric_.error |= error_bit::access;
  return value;
}

std::optional<std::uint32_t> Window::peek(std::uint32_t address) {
  const EventFifo events = fabric_.events;
  const std::uint32_t latch = latch_, error = fabric_.error;
  address &= ~3U;
  if ((address & 4) != 0) (void)read(address - 4);  // of 64 bits: the high word is that of now
  fabric_.events = events;
  const auto value = read(address);
  fabric_.events = events;
  latch_ = latch;
  fabric_.error = error;
  return value;
}

std::uint32_t* Window::pair_entry(std::uint32_t address) {
  if (address < pair_first || address >= pair_end) return nullptr;
  const std::uint32_t number = (address - pair_first) / 4, o = number / max_ports, i = number % max_ports;
  if (o >= fabric_.ports() || i >= fabric_.ports()) return nullptr;
  return &fabric_.pair[o * fabric_.ports() + i];
}

std::optional<std::uint32_t> Window::read_device(std::uint32_t address) {
  const auto ports = static_cast<std::uint32_t>(fabric_.ports());
  switch (address) {
    case offsetof(ocs_regs_t, ID):
      return OCS_REGS__ID__MAGIC_reset;
    case offsetof(ocs_regs_t, VERSION):
      return OCS_REGS__VERSION__MAJOR_reset << OCS_REGS__VERSION__MAJOR_bp | OCS_REGS__VERSION__MINOR_reset;
    case offsetof(ocs_regs_t, CAP_SIZE):
      return static_cast<std::uint32_t>(Sequencer::entries) << OCS_REGS__CAP_SIZE__SEQ_ENTRIES_bp | ports;
    case offsetof(ocs_regs_t, CAP_WORD):
      return static_cast<std::uint32_t>(fabric_.fifo_depth()) << OCS_REGS__CAP_WORD__FIFO_DEPTH_bp | shown_.word_bytes;
    case offsetof(ocs_regs_t, CAP_OPTIONS):
      return OCS_REGS__CAP_OPTIONS__PAIR_bm | OCS_REGS__CAP_OPTIONS__JITTER_bm | OCS_REGS__CAP_OPTIONS__RATE_bm |
             OCS_REGS__CAP_OPTIONS__MULTICAST_bm | OCS_REGS__CAP_OPTIONS__ALL_STOP_bm |
             OCS_REGS__CAP_OPTIONS__EXTERNAL_bm | OCS_REGS__CAP_OPTIONS__FAULTS_bm | OCS_REGS__CAP_OPTIONS__SERIAL_bm |
             OCS_REGS__CAP_OPTIONS__RECEIVER_bm | OCS_REGS__CAP_OPTIONS__NEIGHBOURS_bm |
             OCS_REGS__CAP_OPTIONS__POSITIONS_bm | OCS_REGS__CAP_OPTIONS__POWER_bm;
    case offsetof(ocs_regs_t, CYCLE_PS):
      return shown_.cycle_ps;
    case offsetof(ocs_regs_t, CTRL):
      return (fabric_.all_stop ? OCS_REGS__CTRL__ALL_STOP_bm : 0U) |
             (fabric_.multicast ? OCS_REGS__CTRL__MULTICAST_bm : 0U);
    case offsetof(ocs_regs_t, IRQ_ENABLE):
      return fabric_.irq_enable;
    case offsetof(ocs_regs_t, SEQ_OFFSET):
      return fabric_.sequencer.offset;
    case offsetof(ocs_regs_t, SEQ_LEN):
      return fabric_.sequencer.len;
    case offsetof(ocs_regs_t, SEQ_PERIOD):
      return fabric_.sequencer.period;
    case offsetof(ocs_regs_t, PROG):
      return fabric_.prog;
    case offsetof(ocs_regs_t, PROG_LANES):
      return fabric_.prog_lanes;
    case offsetof(ocs_regs_t, COMMIT_TAG):
      return fabric_.commit_tag;
    case offsetof(ocs_regs_t, BRIEF):
      return fabric_.brief ? OCS_REGS__BRIEF__ON_bm : 0U;
    case offsetof(ocs_regs_t, RECEIVER):
      return (fabric_.receivers_on ? OCS_REGS__RECEIVER__ON_bm : 0U) | fabric_.warm_time;
    case offsetof(ocs_regs_t, DISTURB):
      return fabric_.disturb;
    case offsetof(ocs_regs_t, DISTURB_AT):
      return fabric_.disturb_at;
    default:
      return read_light(address);
  }
}

std::optional<std::uint32_t> Window::read_light(std::uint32_t address) {
  switch (address) {
    case offsetof(ocs_regs_t, LEVEL):
      return (fabric_.level_on ? OCS_REGS__LEVEL__ON_bm : 0U) |
             std::uint32_t{fabric_.hysteresis} << OCS_REGS__LEVEL__HYSTERESIS_bp |
             static_cast<std::uint16_t>(fabric_.threshold);
    case offsetof(ocs_regs_t, LOS_ASSERT):
      return fabric_.los_assert;
    case offsetof(ocs_regs_t, LOS_RELEASE):
      return fabric_.los_release;
    case offsetof(ocs_regs_t, RING_AFTER):
      return fabric_.ring_after;
    case offsetof(ocs_regs_t, RING):
      return fabric_.ring;
    case offsetof(ocs_regs_t, RINGS):
      return fabric_.rings;
    default:
      return std::nullopt;
  }
}

/// One half of 64 bits; reading the low one latches the high one, once for the window.
std::uint32_t Window::half(std::uint64_t value, bool high) {
  if (high) return latch_;
  latch_ = static_cast<std::uint32_t>(value >> 32);
  return static_cast<std::uint32_t>(value);
}

std::optional<std::uint32_t> Window::read_core(std::uint32_t offset) {
  const bool high = (offset & 4) != 0;
  switch (offset & ~7U) {
    case offsetof(ocs_regs__core_t, TIME):
      return half(fabric_.time(), high);
    case offsetof(ocs_regs__core_t, COMMIT_AT):
      return half(fabric_.commit_at, high);
    case offsetof(ocs_regs__core_t, SEQ_BASE):
      return half(fabric_.sequencer.base, high);
    case offsetof(ocs_regs__core_t, EVENT_TIME):
      return half(fabric_.events.taken(), high);
    case offsetof(ocs_regs__core_t, COMMITS):
      return half(fabric_.commits, high);
    case offsetof(ocs_regs__core_t, REFUSED):
      return half(fabric_.refused, high);
    case offsetof(ocs_regs__core_t, LATE):
      return half(fabric_.late, high);
    case offsetof(ocs_regs__core_t, DROPPED):
      return half(fabric_.dropped, high);
    default:
      break;
  }
  switch (offset) {
    case offsetof(ocs_regs__core_t, EVENT):
      return take_event();
    case offsetof(ocs_regs__core_t, STATUS):
      return fabric_.status();
    case offsetof(ocs_regs__core_t, ERROR):
      return fabric_.error;
    case offsetof(ocs_regs__core_t, IRQ_STATUS):
      return fabric_.irq_status();
    case offsetof(ocs_regs__core_t, SOFT_RESET):
    case offsetof(ocs_regs__core_t, COMMIT):
    case offsetof(ocs_regs__core_t, COMMIT_CANCEL):
    case offsetof(ocs_regs__core_t, SHADOW_LOAD):
    case offsetof(ocs_regs__core_t, SEED):
    case offsetof(ocs_regs__core_t, SEQ_STORE):
    case offsetof(ocs_regs__core_t, SEQ_GO):
    case offsetof(ocs_regs__core_t, SEQ_SWAP):
    case offsetof(ocs_regs__core_t, SEQ_STOP):
      return 0;
    default:
      if (const std::uint32_t* const point = quantile(offset)) return *point;
      return offset < masks_first || (offset >= masks_end && offset < reported_first) ? std::nullopt
                                                                                      : read_mask(offset);
  }
}

/// The entry of LOCK_WARM or LOCK_COLD at an offset in the device registers, or nothing.
std::uint32_t* Window::quantile(std::uint32_t offset) {
  constexpr std::uint32_t warm = offsetof(ocs_regs__core_t, LOCK_WARM), cold = offsetof(ocs_regs__core_t, LOCK_COLD);
  constexpr std::uint32_t bytes = sizeof(ocs_regs__core_t::LOCK_WARM);
  if (offset >= warm && offset < warm + bytes) return &fabric_.lock_warm[(offset - warm) / 4];
  if (offset >= cold && offset < cold + bytes) return &fabric_.lock_cold[(offset - cold) / 4];
  return nullptr;
}

std::uint32_t Window::take_event() {
  if (fabric_.events.empty()) return 0;
  bool new_stamp = false;
  const SwitchEvent event = fabric_.events.pop(new_stamp);
  return OCS_REGS__CORE__EVENT__VALID_bm | (new_stamp ? OCS_REGS__CORE__EVENT__NEW_STAMP_bm : 0U) |
         std::uint32_t{event.tag} << OCS_REGS__CORE__EVENT__TAG_bp |
         std::uint32_t{event.port} << OCS_REGS__CORE__EVENT__PORT_bp |
         std::uint32_t{event.cls} << OCS_REGS__CORE__EVENT__CLASS_bp |
         std::uint32_t{event.kind} << OCS_REGS__CORE__EVENT__KIND_bp;
}

std::optional<std::uint32_t> Window::read_mask(std::uint32_t offset) {
  const std::uint32_t word = (offset - masks_first) % mask_bytes / 4;
  if (32UL * word >= fabric_.ports()) return std::nullopt;
  if (offset >= offsetof(ocs_regs__core_t, ENDED))
    return gather(fabric_.ports(), word, [&](std::size_t i) { return fabric_.input_now(i).ended; });
  if (offset >= reported_first)
    return gather(fabric_.ports(), word, [&](std::size_t o) { return fabric_.output_now(o).changed; });
  if (offset >= offsetof(ocs_regs__core_t, SEQ_LAUNCH))
    return gather(fabric_.ports(), word, [&](std::size_t i) { return fabric_.input_now(i).launch; });
  if (offset >= offsetof(ocs_regs__core_t, SEG_FULL))
    return gather(fabric_.ports(), word, [&](std::size_t o) { return fabric_.output_now(o).segment_full; });
  return 0;  // commands
}

std::optional<std::uint32_t> Window::read_port(std::uint32_t offset) {
  const std::uint32_t in_counters = offset - counters_first;
  const std::uint32_t port = offset < counters_first ? offset % row_bytes / 4 : in_counters % counter_row_bytes / 8;
  if (port >= fabric_.ports()) return std::nullopt;
  const auto number = static_cast<Port>(port);
  if (offset < counters_first) return read_setting(offset / row_bytes, number);
  return half(counter(in_counters / counter_row_bytes, number), (offset & 4) != 0);
}

std::uint32_t Window::read_setting(std::uint32_t number, Port port) {
  const Output& out = fabric_.output_now(port);
  const Engine& in = fabric_.input_now(port);
  switch (number) {
    case row(offsetof(ocs_regs__port_t, SHADOW)):
      return bits(fabric_.shadow[port]);
    case row(offsetof(ocs_regs__port_t, ACTIVE)):
      return bits(out.selected);
    case row(offsetof(ocs_regs__port_t, STATE)):
      return (out.disturbed ? OCS_REGS__PORT__STATEX__DISTURBED_bm : 0U) |
             (out.dim && (fabric_.level_on || out.state != State::failed) ? OCS_REGS__PORT__STATEX__DIM_bm : 0U) |
             static_cast<std::uint32_t>(out.cause) << OCS_REGS__PORT__STATEX__CAUSE_bp |
             static_cast<std::uint32_t>(out.state);
    case row(offsetof(ocs_regs__port_t, BASE)):
      return out.set.base;
    case row(offsetof(ocs_regs__port_t, SLOW)):
      return out.set.slow;
    case row(offsetof(ocs_regs__port_t, LOCK)):
      return out.set.lock;
    case row(offsetof(ocs_regs__port_t, JITTER_MASK)):
      return out.set.jitter_mask;
    case row(offsetof(ocs_regs__port_t, FLAP)):
      return out.set.flap;
    case row(offsetof(ocs_regs__port_t, FAULT)):
      return (in.los ? OCS_REGS__PORT__FAULTX__LOS_bm : 0U) |
             (fabric_.dead[port] ? OCS_REGS__PORT__FAULTX__DEAD_bm : 0U) |
             (out.set.stuck ? OCS_REGS__PORT__FAULTX__STUCK_bm : 0U) |
             (out.set.keeps ? OCS_REGS__PORT__FAULTX__KEEPS_bm : 0U);
    case row(offsetof(ocs_regs__port_t, LEN)):
      return in.set.len;
    case row(offsetof(ocs_regs__port_t, GAP)):
      return in.set.gap;
    case row(offsetof(ocs_regs__port_t, REPEAT)):
      return in.set.repeat;
    case row(offsetof(ocs_regs__port_t, BURST)):
      return (in.set.gated ? OCS_REGS__PORT__BURSTX__GATED_bm : 0U) | in.set.tag;
    case row(offsetof(ocs_regs__port_t, SOURCE)):
      return (in.external ? OCS_REGS__PORT__SOURCEX__EXTERNAL_bm : 0U) | in.rate;
    case row(offsetof(ocs_regs__port_t, ENGINE)):
      return static_cast<std::uint32_t>(in.phase);
    case row(offsetof(ocs_regs__port_t, SEG)):
      return std::uint32_t{out.segment.tag} << OCS_REGS__PORT__SEGX__TAG_bp | out.segment.input;
    case row(offsetof(ocs_regs__port_t, SEG_FIRST)):
      return out.segment.first;
    default:
      return out.segment.count;
  }
}

std::optional<std::uint32_t> Window::read_optics(std::uint32_t offset) {
  const std::uint32_t port = offset < settings_first ? offset / 8 : offset % row_bytes / 4;
  if (port >= fabric_.ports()) return std::nullopt;
  const Output& out = fabric_.output_now(port);
  if (offset < settings_first) return half(out.misrouted, (offset & 4) != 0);
  switch (offset / row_bytes) {
    case row(offsetof(ocs_regs__optics_t, LASER)):
      return static_cast<std::uint16_t>(fabric_.input_now(port).laser);
    case row(offsetof(ocs_regs__optics_t, LOSS)):
      return out.set.loss;
    default:
      return static_cast<std::uint32_t>(fabric_.power(port));
  }
}

std::uint64_t Window::counter(std::uint32_t number, Port port) {
  const Output& out = fabric_.output_now(port);
  const Engine& in = fabric_.input_now(port);
  switch (number) {
    case counter_row(offsetof(ocs_regs__port_t, PASSED)):
      return out.passed;
    case counter_row(offsetof(ocs_regs__port_t, LOST)):
      return out.lost;
    case counter_row(offsetof(ocs_regs__port_t, DARK)):
      return out.dark;
    case counter_row(offsetof(ocs_regs__port_t, TUNINGS)):
      return out.tunings;
    case counter_row(offsetof(ocs_regs__port_t, RESTARTS)):
      return out.restarts;
    case counter_row(offsetof(ocs_regs__port_t, SENT)):
      return in.sent;
    default:
      return in.unrouted;
  }
}

}  // namespace ocs::sysc
