// Writes to the register window.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/core/window.hpp"
#include "sysc/core/window_layout.hpp"

namespace ocs::sysc {

using namespace place;

namespace {

/// Replaces one half of 64 bits.
std::uint64_t with_half(std::uint64_t whole, bool high, std::uint32_t value) {
  return high ? (whole & 0xFFFF'FFFFU) | std::uint64_t{value} << 32 : (whole & ~std::uint64_t{0xFFFF'FFFF}) | value;
}

/// Calls act(p, bit) for each port of word `word`.
template <class Act>
void scatter(std::size_t ports, std::uint32_t word, std::uint32_t mask, Act act) {
  for (std::size_t p = 32UL * word; p < ports && p < 32UL * (word + 1); ++p) act(p, (mask >> (p % 32) & 1) != 0);
}

}  // namespace

bool Window::write(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) {
  address &= ~3U;
  const bool ok = strobes == whole_word ? write_word(address, value) : write_bytes(address, value, strobes);
  if (!ok) fabric_.error |= error_bit::access;
  return ok;
}

bool Window::write_word(std::uint32_t address, std::uint32_t value) {
  if (address < core_first) return write_device(address, value);
  if (address < core_end) return write_core(address - core_first, value);
  if (address >= port_first && address < port_end) return write_port(address - port_first, value);
  if (address >= optics_first && address < optics_end) return write_optics(address - optics_first, value);
  std::uint32_t* entry = pair_entry(address);
  if (entry == nullptr) return false;
  *entry = value & cycles30;
  return true;
}

/// Not all bytes: what only commands takes none of it; elsewhere the others keep what they have, and bits that a 1 clears
/// have been given a 0.
bool Window::write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) {
  constexpr std::uint32_t commit_at = core_first + offsetof(ocs_regs__core_t, COMMIT_AT);
  constexpr std::uint32_t commands = core_first + offsetof(ocs_regs__core_t, SOFT_RESET);
  constexpr std::uint32_t seg_full = core_first + offsetof(ocs_regs__core_t, SEG_FULL);
  if (address >= commands && address < seg_full) return false;
  std::uint32_t bits = 0;
  for (unsigned k = 0; k < 4; ++k)
    if ((strobes >> k & 1) != 0) bits |= 0xFFU << (8 * k);
  const bool clears = address == core_first + offsetof(ocs_regs__core_t, ERROR) ||
                      (address >= seg_full && address < core_first + offsetof(ocs_regs__core_t, SEQ_LAUNCH)) ||
                      (address >= core_first + reported_first && address < core_end);
  if (clears) return write_word(address, value & bits);
  if (address == commit_at + 4 && strobes == 0) return true;  // arms nothing
  const auto old = address == commit_at ? std::optional(commit_at_low_) : peek(address);
  return old && write_word(address, (*old & ~bits) | (value & bits));
}

bool Window::write_device(std::uint32_t address, std::uint32_t value) {
  switch (address) {
    case offsetof(ocs_regs_t, CTRL):
      fabric_.all_stop = (value & OCS_REGS__CTRL__ALL_STOP_bm) != 0;
      fabric_.multicast = (value & OCS_REGS__CTRL__MULTICAST_bm) != 0;
      return true;
    case offsetof(ocs_regs_t, IRQ_ENABLE):
      fabric_.irq_enable =
          value & (OCS_REGS__IRQ_ENABLE__EVENT_bm | OCS_REGS__IRQ_ENABLE__OVERFLOW_bm | OCS_REGS__IRQ_ENABLE__ERROR_bm);
      return true;
    case offsetof(ocs_regs_t, SEQ_OFFSET):
      fabric_.sequencer.offset = value;
      return true;
    case offsetof(ocs_regs_t, SEQ_LEN):
      fabric_.sequencer.len = static_cast<std::uint16_t>(value & OCS_REGS__SEQ_LEN__VALUE_bm);
      return true;
    case offsetof(ocs_regs_t, SEQ_PERIOD):
      fabric_.sequencer.period = value;
      return true;
    case offsetof(ocs_regs_t, PROG):
      fabric_.prog = value & OCS_REGS__PROG__VALUE_bm;
      return true;
    case offsetof(ocs_regs_t, PROG_LANES):
      fabric_.prog_lanes = value & OCS_REGS__PROG_LANES__VALUE_bm;
      return true;
    case offsetof(ocs_regs_t, COMMIT_TAG):
      fabric_.commit_tag = static_cast<std::uint8_t>(value & OCS_REGS__COMMIT_TAG__VALUE_bm);
      return true;
    case offsetof(ocs_regs_t, BRIEF):
      fabric_.brief = (value & OCS_REGS__BRIEF__ON_bm) != 0;
      return true;
    case offsetof(ocs_regs_t, RECEIVER):
      fabric_.receivers_on = (value & OCS_REGS__RECEIVER__ON_bm) != 0;
      fabric_.warm_time = value & OCS_REGS__RECEIVER__WARM_TIME_bm;
      return true;
    case offsetof(ocs_regs_t, DISTURB):
      fabric_.disturb = value & OCS_REGS__DISTURB__VALUE_bm;
      return true;
    case offsetof(ocs_regs_t, DISTURB_AT):
      fabric_.disturb_at = value;
      return true;
    default:
      return write_light(address, value);
  }
}

bool Window::write_light(std::uint32_t address, std::uint32_t value) {
  switch (address) {
    case offsetof(ocs_regs_t, LEVEL):
      fabric_.level_on = (value & OCS_REGS__LEVEL__ON_bm) != 0;
      fabric_.hysteresis =
          static_cast<std::uint16_t>((value & OCS_REGS__LEVEL__HYSTERESIS_bm) >> OCS_REGS__LEVEL__HYSTERESIS_bp);
      fabric_.threshold = static_cast<std::int16_t>(value & OCS_REGS__LEVEL__THRESHOLD_bm);
      fabric_.look_now();
      return true;
    case offsetof(ocs_regs_t, LOS_ASSERT):
      fabric_.los_assert = value & cycles30;
      return true;
    case offsetof(ocs_regs_t, LOS_RELEASE):
      fabric_.los_release = value & cycles30;
      return true;
    case offsetof(ocs_regs_t, RING_AFTER):
      fabric_.ring_after = value & cycles30;
      return true;
    case offsetof(ocs_regs_t, RING):
      fabric_.ring = value & cycles30;
      return true;
    case offsetof(ocs_regs_t, RINGS):
      fabric_.rings = static_cast<std::uint8_t>(value & OCS_REGS__RINGS__VALUE_bm);
      return true;
    default:
      return false;
  }
}

bool Window::write_optics(std::uint32_t offset, std::uint32_t value) {
  const std::uint32_t port = offset % row_bytes / 4;
  if (offset < settings_first || port >= fabric_.ports()) return false;
  switch (offset / row_bytes) {
    case row(offsetof(ocs_regs__optics_t, LASER)):
      fabric_.input_now(port).laser = static_cast<std::int16_t>(value & OCS_REGS__OPTICS__LASERX__VALUE_bm);
      break;
    case row(offsetof(ocs_regs__optics_t, LOSS)):
      fabric_.output_now(port).set.loss = static_cast<std::uint16_t>(value & OCS_REGS__OPTICS__LOSSX__VALUE_bm);
      break;
    default:
      return false;
  }
  fabric_.look_now();
  return true;
}

bool Window::write_core(std::uint32_t offset, std::uint32_t value) {
  constexpr std::uint32_t commit_at = offsetof(ocs_regs__core_t, COMMIT_AT);
  constexpr std::uint32_t seq_base = offsetof(ocs_regs__core_t, SEQ_BASE);
  switch (offset) {
    case commit_at:
      commit_at_low_ = value;
      return true;
    case commit_at + 4:
      fabric_.arm_commit(with_half(commit_at_low_, true, value));
      return true;
    case seq_base:
    case seq_base + 4:
      fabric_.sequencer.base = with_half(fabric_.sequencer.base, offset != seq_base, value);
      return true;
    case offsetof(ocs_regs__core_t, ERROR):
      fabric_.error &= ~value;
      return true;
    case offsetof(ocs_regs__core_t, SEED):
      fabric_.seed(value);
      return true;
    case offsetof(ocs_regs__core_t, SEQ_STORE): {
      const std::uint32_t entry = value & OCS_REGS__CORE__SEQ_STORE__ENTRY_bm;
      if (entry >= Sequencer::entries) return false;
      fabric_.store_entry(entry);
      return true;
    }
    default:
      break;
  }
  if (std::uint32_t* const point = quantile(offset)) {
    *point = value & cycles30;
    return true;
  }
  if (offset >= masks_end && offset < reported_first) return false;
  return offset < masks_first ? write_command(offset, value) : write_mask(offset, value);
}

bool Window::write_command(std::uint32_t offset, std::uint32_t value) {
  const bool go = (value & OCS_REGS__CORE__COMMIT__GO_bm) != 0;
  switch (offset) {
    case offsetof(ocs_regs__core_t, SOFT_RESET):
      if (go) {
        fabric_.reset();
        latch_ = commit_at_low_ = 0;
      }
      return true;
    case offsetof(ocs_regs__core_t, COMMIT):
      if (go) fabric_.command_commit();
      return true;
    case offsetof(ocs_regs__core_t, COMMIT_CANCEL):
      if (go) fabric_.cancel_commits();
      return true;
    case offsetof(ocs_regs__core_t, SHADOW_LOAD):
      if (go) fabric_.load_shadow();
      return true;
    case offsetof(ocs_regs__core_t, SEQ_GO):
      fabric_.sequencer.go |= go;
      break;
    case offsetof(ocs_regs__core_t, SEQ_SWAP):
      fabric_.sequencer.swap |= go;
      break;
    case offsetof(ocs_regs__core_t, SEQ_STOP):
      fabric_.sequencer.stop |= go;
      break;
    default:
      return false;
  }
  fabric_.look_now();
  return true;
}

bool Window::write_mask(std::uint32_t offset, std::uint32_t value) {
  const std::size_t ports = fabric_.ports();
  const std::uint32_t word = (offset - masks_first) % mask_bytes / 4;
  if (32UL * word >= ports) return false;
  if (ports - 32UL * word < 32 && value >> (ports - 32UL * word) != 0) return false;
  switch (offset - 4 * word) {
    case offsetof(ocs_regs__core_t, START):
      scatter(ports, word, value, [&](std::size_t i, bool bit) { fabric_.input_now(i).start |= bit; });
      break;
    case offsetof(ocs_regs__core_t, STOP):
      scatter(ports, word, value, [&](std::size_t i, bool bit) { fabric_.input_now(i).stop |= bit; });
      break;
    case offsetof(ocs_regs__core_t, RETRY):
      scatter(ports, word, value, [&](std::size_t o, bool bit) { fabric_.retry[o] = fabric_.retry[o] || bit; });
      break;
    case offsetof(ocs_regs__core_t, SEG_FULL):
      scatter(ports, word, value, [&](std::size_t o, bool bit) { fabric_.output_now(o).segment_full &= !bit; });
      return true;
    case offsetof(ocs_regs__core_t, CHANGED):
      scatter(ports, word, value, [&](std::size_t o, bool bit) { fabric_.output_now(o).changed &= !bit; });
      return true;
    case offsetof(ocs_regs__core_t, ENDED):
      scatter(ports, word, value, [&](std::size_t i, bool bit) { fabric_.input_now(i).ended &= !bit; });
      return true;
    default:
      scatter(ports, word, value, [&](std::size_t i, bool bit) { fabric_.input_now(i).launch = bit; });
      return true;
  }
  fabric_.look_now();
  return true;
}

void Window::write_shadow(std::uint32_t output, std::uint32_t value) {
  const auto write = [&](std::size_t o, bool valid, std::uint32_t input) {
    if (o < fabric_.ports()) fabric_.shadow[o] = valid ? MapEntry{true, static_cast<Port>(input)} : MapEntry{};
  };
  write(output, (value & OCS_REGS__PORT__SHADOWX__VALID_bm) != 0, value & OCS_REGS__PORT__SHADOWX__INPUT_bm);
  if (!fabric_.brief) return;
  if ((value & OCS_REGS__PORT__SHADOWX__BLOCK_bm) != 0) {
    write(output + 1, (value & OCS_REGS__PORT__SHADOWX__VALID_1_bm) != 0,
          (value & OCS_REGS__PORT__SHADOWX__INPUT_1_bm) >> OCS_REGS__PORT__SHADOWX__INPUT_1_bp);
    write(output + 2, (value & OCS_REGS__PORT__SHADOWX__VALID_2_bm) != 0,
          (value & OCS_REGS__PORT__SHADOWX__INPUT_2_bm) >> OCS_REGS__PORT__SHADOWX__INPUT_2_bp);
  }
  if ((value & OCS_REGS__PORT__SHADOWX__COMMIT_bm) != 0) fabric_.command_commit();
}

bool Window::write_port(std::uint32_t offset, std::uint32_t value) {
  const std::uint32_t port = offset % row_bytes / 4;
  if (offset >= counters_first || port >= fabric_.ports()) return false;
  Output& out = fabric_.output_now(port);
  Engine& in = fabric_.input_now(port);
  switch (offset / row_bytes) {
    case row(offsetof(ocs_regs__port_t, SHADOW)):
      write_shadow(port, value);
      return true;
    case row(offsetof(ocs_regs__port_t, BASE)):
      out.set.base = value & cycles30;
      return true;
    case row(offsetof(ocs_regs__port_t, SLOW)):
      out.set.slow = value & cycles30;
      return true;
    case row(offsetof(ocs_regs__port_t, LOCK)):
      out.set.lock = value & cycles30;
      return true;
    case row(offsetof(ocs_regs__port_t, JITTER_MASK)):
      out.set.jitter_mask = value & cycles30;
      return true;
    case row(offsetof(ocs_regs__port_t, FLAP)):
      out.set.flap = value & cycles30;
      return true;
    case row(offsetof(ocs_regs__port_t, FAULT)):
      in.los = (value & OCS_REGS__PORT__FAULTX__LOS_bm) != 0;
      fabric_.dead[port] = (value & OCS_REGS__PORT__FAULTX__DEAD_bm) != 0;
      out.set.stuck = (value & OCS_REGS__PORT__FAULTX__STUCK_bm) != 0;
      out.set.keeps = (value & OCS_REGS__PORT__FAULTX__KEEPS_bm) != 0;
      fabric_.look_now();
      return true;
    case row(offsetof(ocs_regs__port_t, LEN)):
      in.set.len = value;
      return true;
    case row(offsetof(ocs_regs__port_t, GAP)):
      in.set.gap = value;
      return true;
    case row(offsetof(ocs_regs__port_t, REPEAT)):
      in.set.repeat = value;
      return true;
    case row(offsetof(ocs_regs__port_t, BURST)):
      in.set.gated = (value & OCS_REGS__PORT__BURSTX__GATED_bm) != 0;
      in.set.tag = static_cast<std::uint16_t>(value & OCS_REGS__PORT__BURSTX__TAG_bm);
      if (fabric_.brief && (value & OCS_REGS__PORT__BURSTX__START_bm) != 0) {
        in.start = true;
        fabric_.look_now();
      }
      return true;
    case row(offsetof(ocs_regs__port_t, SOURCE)):
      fabric_.set_rate(port, static_cast<std::uint16_t>(value & OCS_REGS__PORT__SOURCEX__RATE_bm));
      in.external = (value & OCS_REGS__PORT__SOURCEX__EXTERNAL_bm) != 0;
      fabric_.look_now();
      return true;
    default:
      return false;
  }
}

}  // namespace ocs::sysc
